// The slot that a counter gave is known to the primal's own run only: the augmented kernel keeps it, with the condition that
// rounding may turn.
// RUN: %gpuad %s --adjoint='compact(out)/(x)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --match-full-lines --strict-whitespace
//
//      CHECK:// compact, which keeps the results of its atomics for compact_adjoint.
// CHECK-NEXT:__global__ void compact_augmented(int n, const double* x, double* out, int* count, gpuad::record_view record) {
// CHECK-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT:  if (i >= n) return;
// CHECK-NEXT:  double v = x[i] * x[i];
// CHECK-NEXT:  if (record.keep(v > 1.0)) {
// CHECK-NEXT:    int slot = record.keep(atomicAdd(count, 1));
// CHECK-NEXT:    out[slot] = v * v;
// CHECK-NEXT:  }
// CHECK-NEXT:}
//
//      CHECK:__global__ void compact_adjoint(int n, const double* x, double* x_bar, double* out, double* out_bar, int* count,
// CHECK-NEXT:                                gpuad::record_view record) {
//      CHECK:  if (!record.is_complete()) return;
//      CHECK:    if (record.kept<bool>(0)) {
// CHECK-NEXT:      int slot = record.kept<int>(1);
// CHECK-NEXT:      double out_slot_bar = want_out ? gpuad::take(&out_bar[slot]) : 0.0;
//
//      CHECK:void launch_compact_augmented(const gpuad::launch& where, int n, const double* x, double* out, int* count,
// CHECK-NEXT:                              gpuad::record& record) {
// CHECK-NEXT:  gpuad::run_augmented(where, "compact_augmented", record, size_t(2), [&](const gpuad::record_view& view) {
// CHECK-NEXT:    compact_augmented<<<where.grid, where.block, where.shared_bytes, where.stream>>>(n, x, out, count, view);
// CHECK-NEXT:  });
// CHECK-NEXT:}
//
//      CHECK:void launch_compact_adjoint(const gpuad::launch& where, int n, const double* x, double* x_bar, double* out,
// CHECK-NEXT:                            double* out_bar, int* count, gpuad::record& record) {
// CHECK-NEXT:  if (!record.serves(where, "compact_adjoint")) return;
__global__ void compact(int n, const double *x, double *out, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i] * x[i];
  if (v > 1.0) {
    int slot = atomicAdd(count, 1);
    out[slot] = v * v;
  }
}
