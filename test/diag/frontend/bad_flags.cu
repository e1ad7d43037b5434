// RUN: not %gpuad %s -o %t.cu -- %stub -x c++ 2>&1 | FileCheck %s --check-prefix=LANGUAGE
// LANGUAGE: error: the flags say that the input is 'c++', but gpuad translates CUDA C++ [gpuad-bad-flags]
// RUN: not %gpuad %s -o %t.cu -- %stub -std 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: the flag '-std' has no value [gpuad-bad-flags]
// RUN: not %gpuad %s -o %t.cu -- %stub @%t.none 2>&1 | FileCheck %s --check-prefix=RESPONSE
// RESPONSE: error: cannot read '{{.*}}.none': {{.*}} [gpuad-bad-flags]
// RUN: mkdir -p %t.db && echo '[]' > %t.db/compile_commands.json
// RUN: not %gpuad %s -o %t.cu -p %t.db 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: '{{.*}}compile_commands.json' has no entry for '{{.*}}bad_flags.cu' [gpuad-bad-flags]
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }
