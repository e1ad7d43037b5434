// usage: check_accumulate BLOCK ORDER
#include "accumulate_grad.cu"
#define GPUAD_DUAL_SOURCE "accumulate.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 43, m = 7;
  GPUAD_CHECK(count_up, cover(n), plain(n), plain(m), in<double>(n * m), out<double>(n));
  GPUAD_CHECK(count_down, cover(n), plain(n), plain(m), in<float>(n * m), out<float>(n));
  GPUAD_CHECK(strided, cover(n), plain(n), plain(m), in<double>(n * m), in<double>(m), out<double>(n));
  GPUAD_CHECK(grid_stride, gpuad::launch{dim3(2), dim3(8)}, plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(grid_stride, cover(2 * n), plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(grid_stride_update, gpuad::launch{dim3(3), dim3(4)}, plain(n), value<float>(), in<float>(n), through<float>(n));
  GPUAD_CHECK(matrix_product, cover(9), plain(9), plain(5), plain(4), in<double>(45), in<double>(20), out<double>(36));
  GPUAD_CHECK(triangle, cover(n), plain(n), plain(m), in<double>(n * m), out<double>(n));
  const std::vector<int> first = {0, 2, 2, 5, 9, 10}, column = {1, 3, 0, 3, 4, 0, 1, 2, 3, 4};
  GPUAD_CHECK(sparse_rows, cover(5), plain(5), constant(first), constant(column), in<float>(10), in<float>(5), out<float>(5));
  GPUAD_CHECK(local_array, cover(n), plain(n), in<float>(4 * n), out<float>(n));
  GPUAD_CHECK(local_initialised, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(moving_pointer, cover(n), plain(n), plain(m), in<double>(n * m), out<double>(n));
  GPUAD_CHECK(until_end, cover(n), plain(n), plain(m), in<float>(n * m), out<float>(n));
  GPUAD_CHECK(while_loop, cover(n), plain(n), plain(m), in<float>(n * m), out<float>(n));
  GPUAD_CHECK(short_product, cover(n), plain(n), in<double>(5 * n), out<double>(n));
  GPUAD_CHECK(short_recurrence, cover(n), plain(n), in<double>(n), out<double>(n));
  // Small arguments: the sums over threads are in any order, and must not lose their digits to cancellation.
  GPUAD_CHECK(horner, cover(n), plain(n), in<float>(4), in<float>(n, {-0.5, 0.5}), out<float>(n));
  GPUAD_CHECK(two_sums, cover(n), plain(n), plain(m), in<double>(n * m), out<double>(n), out<double>(n));
  GPUAD_CHECK(add_into_output, cover(n), plain(n), plain(m), in<float>(n * m), through<float>(n));
  std::vector<int> length(n);
  for (int i = 0; i < n; ++i)
    length[i] = i % 4;
  GPUAD_CHECK(empty_trip, cover(n), plain(n), constant(length), in<float>(n), out<float>(n));
  return verdict();
}
