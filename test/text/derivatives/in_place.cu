// Memory of the caller that the reverse needs and the kernel overwrites: overwritten again, and put back.
// RUN: %gpuad %s --adjoint='sweep(x)/(x)' --adjoint='follow(x)/(x)' --adjoint='attract(b)/(b)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s

// Places follow from the counter: only values are kept, and one slot is enough for each.
// CHECK: // Adjoint of sweep: (x) / (x). Overwrites x, and puts it back. Takes slots of 4 bytes a thread.
// CHECK-NEXT: __global__ void sweep_adjoint(int n, float* x, float* x_bar, gpuad::stack stack) {
// CHECK-NEXT:   if (!stack.enter(size_t(1 < n ? n - 1 : 0) * size_t(1))) return;
// CHECK-NEXT:   gpuad::undo_values undo = stack.undo_values<4>();
// CHECK-NEXT:   int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT:   ptrdiff_t row_offset = n * i;
// CHECK-NEXT:   for (int k = 1; k < n; ++k) {
// CHECK-NEXT:     float x_value = x[row_offset + k];
// CHECK-NEXT:     float x_value_2 = x[row_offset + (k - 1)];
// CHECK-NEXT:     float x_value_3 = x_value * x_value_2;
// CHECK-NEXT:     undo.keep(&x[row_offset + k]);
// CHECK-NEXT:     x[row_offset + k] = x_value_3;
// CHECK-NEXT:   }
// CHECK-NEXT:   for (int k = n - 1; k >= 1; --k) {
// CHECK-NEXT:     undo.put_back(&x[row_offset + k]);
// CHECK-NEXT:     float x_value = x[row_offset + k];
// CHECK-NEXT:     float x_value_2 = x[row_offset + (k - 1)];
// CHECK-NEXT:     float x_value_bar = gpuad::take(&x_bar[row_offset + k]);
__global__ void sweep(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float *row = x + n * i;
  for (int k = 1; k < n; ++k)
    row[k] = row[k] * row[k - 1];
}

// Only the run knows how many: the thread stops before a store that does not fit.
// CHECK: __global__ void follow_adjoint(
// CHECK:   gpuad::undo_log undo = stack.undo_half();
// CHECK:   do {
// CHECK:     while (p >= 0) {
// CHECK-NEXT:   p_at.put(trips, p);
// CHECK-NEXT:   if (!undo.has_room(1)) break;
// CHECK:     if (undo.is_stopped()) break;
// CHECK:   } while (false);
// CHECK-NEXT: if (!stack.fits(need, undo)) return;
__global__ void follow(float *x, const int *next) {
  for (int p = threadIdx.x; p >= 0; p = next[p])
    x[p] = x[p] * x[p];
}

// Fields that differ are different memory, and a field that is stored as it was is not stored.
// CHECK: // Adjoint of attract: (b) / (b).
// CHECK-NEXT: __global__ void attract_adjoint(int n, body* b, body* b_bar) {
// CHECK-NOT: undo.
// CHECK-NOT: take(&b_bar[{{.*}}].pos
// CHECK: atomicAdd(&b_bar[j].pos
struct body {
  float pos, acc;
};
__global__ void attract(int n, body *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  body self = b[i];
  float sum = self.acc;
  for (int j = 0; j < n; ++j)
    sum += (b[j].pos - self.pos) * b[j].pos;
  self.acc = sum;
  b[i] = self;
}
