// Numbers that are reached as integers: no derivative flows through their bits.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='reads(y)/(x)' --adjoint='writes(y)/(x)' --adjoint='copies(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=ADJOINT
// RUN: not %gpuad %s --tangent='reads(y)/(x)' --tangent='writes(y)/(x)' --tangent='copies(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=TANGENT
// RUN: not ls %t.cu
__global__ void reads(const float *x, float *y) {
  // TANGENT: number_bits.cu:[[#@LINE + 1]]:23: error: the numbers of 'x' are seen as 'const unsigned int' here, {{.*}} [gpuad-number-bits]
  const unsigned *p = (const unsigned *)x;
  // ADJOINT: number_bits.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: the numbers of 'x' are seen as 'const unsigned int' here, {{.*}} [gpuad-number-bits]
  y[threadIdx.x] = __uint_as_float(p[threadIdx.x]) * 2;
}
__global__ void writes(const float *x, float *y) {
  y[threadIdx.x + 32] = x[threadIdx.x];
  // TANGENT: number_bits.cu:[[#@LINE + 1]]:17: error: the numbers of 'y' are seen as 'unsigned int' here, {{.*}} [gpuad-number-bits]
  unsigned *p = (unsigned *)y;
  // ADJOINT: number_bits.cu:[[#@LINE + 1]]:3: error: the numbers of 'y' are seen as 'unsigned int' here, {{.*}} [gpuad-number-bits]
  p[threadIdx.x] = 0x80000000u;
}
__global__ void copies(const float *x, float *y) {
  // ADJOINT: number_bits.cu:[[#@LINE + 2]]:{{[0-9]+}}: error: the numbers of 'x' are seen as 'const int4' here, {{.*}} [gpuad-number-bits]
  // TANGENT: number_bits.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: the numbers of '{{[xy]}}' are seen as '{{.*}}int4' here, {{.*}} [gpuad-number-bits]
  *(int4 *)&y[4 * threadIdx.x] = *(const int4 *)&x[4 * threadIdx.x];
}
