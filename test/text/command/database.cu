// Flags from a compile_commands.json, as CMake writes it for nvcc: a response file for the includes and definitions, and
// nvcc's own flags. What was read shows in the checks of the output.
// RUN: rm -rf %t && split-file %s %t && mkdir -p %t/src/deep %t/other && mv %t/power.cu %t/src/deep/power.cu
// RUN: sed -e 's|ROOT|%/t|g' %t/nvcc.in > %t/build/compile_commands.json
// RUN: sed -e 's|STUB|-x cu %stub|' %t/build/stub.in > %t/build/stub.rsp
//
// RUN: %gpuad %t/src/deep/power.cu --adjoint="power(y)/(x)" -p %t/build -o - | FileCheck %s
// RUN: %gpuad %t/src/deep/power.cu --adjoint="power(y)/(x)" -p %t/build/compile_commands.json -o - | FileCheck %s
// RUN: cd %t/src/deep && %gpuad power.cu --adjoint="power(y)/(x)" -p ../../build -o - | FileCheck %s
// CHECK:     static_assert((DEGREE) == (3)
// CHECK:     static_assert((EDGE) == (7)
//
// Without -p and flags, the database of the nearest folder that has one.
// RUN: cp %t/build/compile_commands.json %t/
// RUN: cd %t/src/deep && %gpuad power.cu --adjoint="power(y)/(x)" -o - | FileCheck %s
// RUN: cd %t/src && %gpuad deep/power.cu --adjoint="power(y)/(x)" -o - | FileCheck %s
//
// Flags after "--" take its place, and a response file may stand there too.
// RUN: cd %t && %gpuad src/deep/power.cu --adjoint="power(y)/(x)" -o - -- -DDEGREE=5 -DEDGE=1 -Iconfig %stub | FileCheck %s --check-prefix=TYPED
// RUN: cd %t && %gpuad src/deep/power.cu --adjoint="power(y)/(x)" -o - -- @typed.rsp %stub | FileCheck %s --check-prefix=TYPED
// RUN: cd %t && %gpuad src/deep/power.cu --adjoint="power(y)/(x)" -o - -- --options-file typed.rsp %stub | FileCheck %s --check-prefix=TYPED
// RUN: cd %t && %gpuad src/deep/power.cu --adjoint="power(y)/(x)" -o - -- --options-file=typed.rsp %stub | FileCheck %s --check-prefix=TYPED
// RUN: cd %t && %gpuad src/deep/power.cu --adjoint="power(y)/(x)" -o - -- -optf typed.rsp %stub | FileCheck %s --check-prefix=TYPED
// TYPED:     static_assert((DEGREE) == (5)
//
// A database that was only found need not know the file.
// RUN: echo "__global__ void twice(float *y, const float *x) { y[0] = 2 * x[0]; }" > %t/src/stray.cu
// RUN: echo '[]' > %t/src/compile_commands.json
// RUN: not %gpuad %t/src/stray.cu -p %t/src -o - 2>&1 | FileCheck %s --check-prefix=STRAY
// STRAY: error: {{.*}}has no entry for{{.*}} [gpuad-bad-flags]
//
// One that cannot be read is an error at the first line of the input.
// RUN: echo '[{' > %t/other/compile_commands.json
// RUN: cp %t/src/deep/power.cu %t/other && not %gpuad %t/other/power.cu -o - 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: power.cu:1:1: error: {{.*}} [gpuad-bad-flags]

//--- nvcc.in
[
{
  "directory": "ROOT/build",
  "command": "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -DEDGE=7 --options-file CMakeFiles/app.dir/includes_CUDA.rsp --options-file stub.rsp -O3 -DNDEBUG -std=c++17 \"--generate-code=arch=compute_80,code=[compute_80,sm_80]\" -Xcompiler=-fPIC -x cu -rdc=true -c ROOT/src/deep/power.cu -o CMakeFiles/app.dir/power.cu.o",
  "file": "ROOT/src/deep/power.cu",
  "output": "CMakeFiles/app.dir/power.cu.o"
}
]
//--- build/CMakeFiles/app.dir/includes_CUDA.rsp
-isystem=some/include -I"../config" -DDEGREE=3
//--- build/stub.in
STUB
//--- typed.rsp
-DDEGREE=5 -DEDGE=1
-Iconfig
//--- config/config.h
#ifndef EDGE
#error "EDGE is not given"
#endif
typedef float real;
//--- power.cu
#include "config.h"
#ifndef DEGREE
#define DEGREE 2
#endif
__global__ void power(real *y, const real *x) {
  int i = threadIdx.x;
  real v = 1;
  for (int k = 0; k < DEGREE; ++k)
    v *= x[i];
  y[i] = v + EDGE;
}
