// A device function has no stack to keep what it overwrites.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='sweep(row)/(row)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: overwritten_in_device_function.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: the reverse of this loop needs 'row' of every iteration, {{.*}} [gpuad-loop-records]
__device__ void sweep(int n, float *row) {
  for (int k = 1; k < n; ++k)
    row[k] = row[k - 1] * row[k];
}
