// A derivative that works on private fields is refused; getters alone do not make them reachable.
// RUN: not %gpuad %s --adjoint="energies(e)/(balls)" --tangent="shades(e)/(m)" -o %t.cu -- %stub -I%runtime 2>&1 | FileCheck %s
#include <cuda_runtime.h>

class Ball {
  float speed;

public:
  __device__ float energy() const { return 0.5f * speed * speed; }
};

// CHECK-DAG: private_member.cu:[[#]]:{{[0-9]+}}: error: the derivative needs 'speed', which is no public member of {{.}}Ball{{.}}; make it public, or write {{.}}GPUAD_FRIEND;{{.}} (of <gpuad/gpuad.h>) in the class [gpuad-private-member]
__global__ void energies(const Ball *balls, float *e) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  e[i] = balls[i].energy();
}

// A private class has a name that only its class can write, and so has a table.
#include <gpuad/gpuad.h>
class Material {
  GPUAD_FRIEND;
  struct Lobe {
    float weight;
  };
  static constexpr float powers[2] = {1, 2};
  Lobe lobes[2];

public:
  // CHECK-DAG: private_member.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: the derivative needs 'powers', which is no public member of 'Material'; make it public [gpuad-private-member]
  __device__ float sum() const { return one(lobes[0]) + lobes[1].weight * powers[1]; }
  // CHECK-DAG: private_member.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: the derivative needs 'Lobe', which is no public member of 'Material'; make it public [gpuad-private-member]
  __device__ float one(const Lobe &l) const { return l.weight * l.weight; }
};
__global__ void shades(const Material *m, float *e) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  e[i] = m[i].sum();
}
