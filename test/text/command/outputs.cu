// What is written, and where.
// RUN: rm -rf %t && mkdir %t && cp %s %t/one.cu && cp %s %t/two.cu
//
// By default beside the input; standard output; a folder for several inputs.
// RUN: %gpuad %t/one.cu --adjoint="scale(y)/(x)" -- %stub
// RUN: FileCheck %s --input-file=%t/one_grad.cu
// RUN: %gpuad %t/one.cu --adjoint="scale(y)/(x)" -o - -- %stub | diff - %t/one_grad.cu
// RUN: %gpuad %t/one.cu %t/two.cu --adjoint="scale(y)/(x)" -o %t/many -- %stub
// RUN: diff %t/many/one_grad.cu %t/one_grad.cu && ls %t/many/two_grad.cu
// CHECK: void scale_adjoint(
//
// RUN: %gpuad %t/one.cu --check --adjoint="scale(y)/(x)" -- %stub && ls %t | FileCheck %s --check-prefix=LIST
// LIST: many
// LIST-NEXT: one.cu
// LIST-NEXT: one_grad.cu
// LIST-NEXT: two.cu
//
// RUN: %gpuad %t/one.cu --adjoint="scale(y)/(x)" -o %t/o.cu --depfile=%t/o.d --header=%t/o.cuh -- %stub
// RUN: FileCheck %s --check-prefix=DEPFILE --input-file=%t/o.d
// DEPFILE: {{^}}{{.*}}o.cu: \
// DEPFILE: {{one.cu}}
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/o.cuh
// HEADER:      #ifndef GPUAD_O_CUH
// HEADER-NEXT: #define GPUAD_O_CUH
// HEADER:      #include <gpuad/runtime.cuh>
// HEADER:      __global__ void scale_adjoint(float* y, float* y_bar, const float* x, float* x_bar);
// HEADER-NEXT: void launch_scale_adjoint(const gpuad::launch& where, float* y, float* y_bar, const float* x, float* x_bar);
// HEADER:      #endif // GPUAD_O_CUH
//
// RUN: not %gpuad %t/one.cu --adjoint="skale" --diagnostics-format=json -- %stub 2>&1 | %python -m json.tool | FileCheck %s --check-prefix=JSON
// JSON: "id": "gpuad-unknown-function"
// RUN: not %gpuad %t/one.cu --adjoint="skale" --diagnostics-format=sarif -- %stub 2>&1 | %python -m json.tool | FileCheck %s --check-prefix=SARIF
// SARIF: "ruleId": "gpuad-unknown-function"
// RUN: %gpuad --version | FileCheck %s --check-prefix=VERSION
// VERSION: gpuad-translate {{[0-9]+\.[0-9]+\.[0-9]+}}
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }
