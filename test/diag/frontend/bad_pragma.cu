// RUN: not %gpuad %s -o - -- %stub 2>&1 | FileCheck %s
//
// Every way in which a pragma can be wrong.
// CHECK-DAG: bad_pragma.cu:[[#@LINE + 1]]:1: error: this pragma cannot be followed: its names are record, recompute, checkpoint and alias [gpuad-bad-pragma]
#pragma gpuad recrod(v)
__global__ void misspelled(float *x) {
  x[0] *= 2.0f;
}
// CHECK-DAG: bad_pragma.cu:[[#@LINE + 1]]:1: error: this pragma cannot be followed: alias names two pointer parameters of the function [gpuad-bad-pragma]
#pragma gpuad alias(x, n)
__global__ void no_pair(int n, const float *x, float *y) {
  // CHECK-DAG: bad_pragma.cu:[[#@LINE + 1]]:1: error: this pragma cannot be followed: there is no variable 'w' here [gpuad-bad-pragma]
#pragma gpuad record(w)
  float v = x[0];
  // CHECK-DAG: bad_pragma.cu:[[#@LINE + 1]]:1: error: this pragma cannot be followed: it takes one number, how many states are kept [gpuad-bad-pragma]
#pragma gpuad checkpoint(some)
  for (int k = 0; k < n; ++k)
    v *= v;
  // CHECK-DAG: bad_pragma.cu:[[#@LINE + 1]]:1: error: this pragma cannot be followed: checkpoint stands in front of a 'for' loop [gpuad-bad-pragma]
#pragma gpuad checkpoint
  v += 1.0f;
  // CHECK-DAG: bad_pragma.cu:[[#@LINE + 1]]:1: error: this pragma cannot be followed: it is written NAME(ARGUMENT, ...) [gpuad-bad-pragma]
#pragma gpuad record v
  y[0] = v;
}
