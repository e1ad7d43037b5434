// What nvcc offers without an include, and managed variables: to a kernel they are like those of the device.
// REQUIRES: nvcc, cuda-toolkit
// RUN: %gpuad %s %cuda --adjoint="scaled(y)/(x,::scale)" --tangent="scaled(y)/(x,::scale)" -o %t.cu
// RUN: FileCheck %s --input-file=%t.cu
// RUN: %nvcc -arch=sm_80 -Werror all-warnings -I%runtime -c %t.cu -o %t.o
// RUN: not %gpuad %s %cuda --adjoint="on_host(y)/(y,::scale)" -o %t.host.cu 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not %gpuad %s %cuda --tangent="on_host(y)/(y,::scale)" -o %t.host.cu 2>&1 | FileCheck %s --check-prefix=HOST

// HOST: managed.cu:[[#@LINE + 1]]:19: error: {{.*}} 'scale', a variable of the device in a host function, as active yet
__managed__ float scale = 2;
__device__ __managed__ int shift;

// CHECK: {{^}}GPUAD_SHADOW __device__ float scale_dot;
// CHECK: {{^}}GPUAD_SHADOW __device__ float scale_bar;
__global__ void scaled(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x + shift] * scale; }

// CHECK: {{^}}__global__ void scaled_tangent({{.*}} {
// CHECK: {{^ .*}}y_dot[threadIdx.x] = scale * x_value_dot + x_value * scale_dot;
// CHECK: {{^}}__global__ void scaled_adjoint({{.*}} {
// CHECK: {{^ +}}gpuad::block_add(&scale_bar, scale_sum);

void on_host(float *y) { y[0] *= scale; }

long when() {
  clock_t start = clock();
  return long(time(nullptr)) + start;
}
