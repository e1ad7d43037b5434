// Inputs that are wrong: a message with its place, the exit status, and an output that stays as it was.
// RUN: rm -rf %t && split-file %s %t && mkdir %t/folder
// DEFINE: %{output} = %t/old.cu
// DEFINE: %{keeps} = %python %S/Inputs/keeps.py
//
// RUN: %{keeps} 1 %{output} %gpuad %t/none.cu -o %{output} -- %stub | FileCheck %s --check-prefix=NONE
// NONE: none.cu:1:1: error: cannot read '{{.*}}none.cu': No such file or directory [gpuad-input-unreadable]
//
// RUN: %{keeps} 1 %{output} %gpuad %t/syntax.cu -o %{output} -- %stub | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: syntax.cu:1:{{[0-9]+}}: error: expected ';' after expression [gpuad-compile-error]
//
// RUN: %{keeps} 1 %{output} %gpuad %t/in.cu --adjoint=thrice -o %{output} -- %stub | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: in.cu:1:1: error: 'thrice' names no function of this file; did you mean 'twice'? [gpuad-unknown-function]
//
// RUN: %{keeps} 1 %{output} %gpuad %t/in.cu --tangent=half -o %{output} -- %stub | FileCheck %s --check-prefix=OVERLOADS
// OVERLOADS: in.cu:1:1: error: 'half' names 2 functions; {{.*}} [gpuad-ambiguous-head]
// OVERLOADS: in.cu:2:{{[0-9]+}}: note: 'half(float)'
// OVERLOADS: in.cu:3:{{[0-9]+}}: note: 'half(double)'
//
// RUN: %{keeps} 1 %{output} %gpuad %t/in.cu --adjoint="twice(y)/(n)" -o %{output} -- %stub | FileCheck %s --check-prefix=INTEGER
// INTEGER: in.cu:1:1: error: 'twice(y)/(n)': 'n' cannot be an independent: its type is 'int', {{.*}} [gpuad-bad-independent]
//
// RUN: %{keeps} 2 %{output} %gpuad %t/in.cu -o %t/no/such/out.cu -- %stub | FileCheck %s --check-prefix=UNWRITABLE
// UNWRITABLE: gpuad-translate: error: cannot write '{{.*}}/no/such/out.cu': No such file or directory
// RUN: %{keeps} 2 %{output} %gpuad %t/in.cu -o %t/folder -- %stub | FileCheck %s --check-prefix=FOLDER
// FOLDER: gpuad-translate: error: cannot write '{{.*}}/folder': Is a directory
// RUN: %{keeps} 2 %{output} %gpuad %t/in.cu -o %{output} --report=%t/no/report.html -- %stub
//
// RUN: %{keeps} 1 %{output} %gpuad %t/in.cu --rules=%t/key.yaml -o %{output} -- %stub | FileCheck %s --check-prefix=KEY
// KEY: key.yaml:4:3: error: unknown key 'parms' in rule 'cube'; {{.*}} [gpuad-yaml-unknown-key]
// RUN: %{keeps} 1 %{output} %gpuad %t/in.cu --rules=%t/double.yaml -o %{output} -- %stub | FileCheck %s --check-prefix=DOUBLE
// DOUBLE: double.yaml:4:3: error: 'match' is given twice in rule 'cube' [gpuad-yaml-double-key]
//
// RUN: %{keeps} 2 %{output} %gpuad %t/in.cu --check --report=%t/r.html -- %stub | FileCheck %s --check-prefix=CHECK-ONLY
// CHECK-ONLY: gpuad-translate: error: --check writes nothing, so it cannot go with --header, --report or --depfile
// RUN: %{keeps} 2 %{output} %gpuad %t/in.cu --dump-after=middle -o %{output} -- %stub | FileCheck %s --check-prefix=STAGE
// STAGE: gpuad-translate: error: there is no stage 'middle' to dump after; the stages are frontend, derivatives
// RUN: %{keeps} 2 %{output} %gpuad %t/in.cu -p %t -o %{output} -- %stub | FileCheck %s --check-prefix=DATABASE
// DATABASE: gpuad-translate: error: -p takes the flags from a compile_commands.json, so it cannot go with flags after '--'
// RUN: %{keeps} 1 %{output} %gpuad %t/in.cu -o %{output} -- %stub -x c++ | FileCheck %s --check-prefix=LANGUAGE
// LANGUAGE: in.cu:1:1: error: the flags say that the input is 'c++', but gpuad translates CUDA C++ [gpuad-bad-flags]

//--- old.cu
// what an earlier translation wrote

//--- in.cu
__global__ void twice(int n, float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }
__device__ float half(float v) { return 0.5f * v; }
__device__ double half(double v) { return 0.5 * v; }

//--- syntax.cu
__global__ void broken(float *y) { y[0] = 1.0f }

//--- key.yaml
rules:
- name: cube
  match: [cube]
  parms: [x]

//--- double.yaml
rules:
- name: cube
  match: [cube]
  match: [kube]
