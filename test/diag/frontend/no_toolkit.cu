// RUN: not %gpuad %s -o %t.cu --cuda-path=%t.nowhere -- -std=c++17 2>&1 | FileCheck %s
// CHECK: error: '{{.*}}.nowhere' is not the folder of a CUDA toolkit; give its folder with --cuda-path [gpuad-no-toolkit]
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }
