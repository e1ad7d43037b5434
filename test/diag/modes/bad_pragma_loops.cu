// RUN: not %gpuad %s --adjoint='left(y)/(x)' -o - -- %stub 2>&1 | FileCheck --check-prefix=LEFT %s
// RUN: not %gpuad %s --adjoint='carried(y)/(x)' -o - -- %stub 2>&1 | FileCheck --check-prefix=CARRIED %s
//
// Forward mode asks for none of it.
// RUN: %gpuad %s --tangent='left(y)/(x)' --tangent='carried(y)/(x)' -o - -- %stub | FileCheck --check-prefix=FORWARD %s
// FORWARD: left_tangent(
// FORWARD: carried_tangent(
__global__ void left(int n, const float *x, float *y) {
  float v = x[0];
#pragma gpuad checkpoint(8)
  // LEFT: bad_pragma_loops.cu:[[#@LINE + 1]]:3: error: this pragma cannot be followed: the loop behind it has another exit, or a bound that changes while it runs [gpuad-bad-pragma]
  for (int k = 0; k < n; ++k) {
    v *= v;
    if (v < 0.1f)
      break;
  }
  y[0] = v;
}
#pragma gpuad recompute(v)
__global__ void carried(int n, const float *x, float *y) {
  float v = x[0];
  // CARRIED: bad_pragma_loops.cu:[[#@LINE + 1]]:3: error: this pragma cannot be followed: this loop changes 'v', and what it was in an earlier iteration can only be recorded [gpuad-bad-pragma]
  for (int k = 0; k < n; ++k)
    v *= v;
  y[0] = v;
}
