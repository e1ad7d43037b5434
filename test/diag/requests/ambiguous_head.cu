// RUN: not %gpuad %s --adjoint='norm(return)/(v)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: ambiguous_head.cu:1:1: error: 'norm(return)/(v)' names 2 functions; {{.*}} [gpuad-ambiguous-head]
// CHECK: ambiguous_head.cu:[[#@LINE + 2]]:{{.*}} note: 'norm(float2)'
// CHECK: ambiguous_head.cu:[[#@LINE + 2]]:{{.*}} note: 'norm(float3)'
__device__ float norm(float2 v) { return v.x * v.y; }
__device__ float norm(float3 v) { return v.x * v.z; }
__global__ void use(float *y) { y[0] = norm(make_float2(1, 2)) + norm(make_float3(1, 2, 3)); }
