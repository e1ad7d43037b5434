// A derivative that works on private fields is refused; getters alone do not make them reachable.
// RUN: not %gpuad %s --adjoint="energies(e)/(balls)" -o %t.cu -- %stub 2>&1 | FileCheck %s
#include <cuda_runtime.h>

class Ball {
  float speed;

public:
  __device__ float energy() const { return 0.5f * speed * speed; }
};

// CHECK: private_member.cu:[[#]]:{{[0-9]+}}: error: the derivative needs 'speed', which is no public member of {{.}}Ball{{.}}; make it public, or write {{.}}GPUAD_FRIEND;{{.}} (of <gpuad/gpuad.h>) in the class [gpuad-private-member]
__global__ void energies(const Ball *balls, float *e) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  e[i] = balls[i].energy();
}
