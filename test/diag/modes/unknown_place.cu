// A place that an unknown function returns: a tangent written there would land in primal memory.
// RUN: not %gpuad %s --tangent="keep(y)/(x)" -o %t.cu -- %stub 2>&1 | FileCheck %s
// CHECK: [[#@LINE+7]]:3: error: nothing is known about 'slot'{{.*}} [gpuad-missing-rule]
// CHECK: [[#@LINE+7]]:{{[0-9]+}}: error: nothing is known about 'slot'{{.*}} [gpuad-missing-rule]

__device__ float& slot(float* p, int i);

__global__ void keep(float* y, const float* x) {
  float memory[2];
  slot(memory, 0) = x[0] * x[0];
  y[0] = slot(memory, 0);
}
