// usage: check_owned BLOCK ORDER
#include "owned_again.cu"
#define GPUAD_DUAL_SOURCE "owned.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 70;
  const gpuad::launch line = cover(n), few{dim3(2), line.block}, box{dim3(2, 2), dim3(3, 2, 2)}, plane{dim3(3, 4), dim3(5, 3)};
  std::vector<int> order(n), anywhere(n);
  for (int i = 0; i < n; ++i) {
    order[i] = (i * 3 + 1) % n;
    anywhere[i] = (i * i + 3) % 11;
  }
  // In a launch of more dimensions than the kernel looks at, several threads add the same.
  for (const gpuad::launch &where : {line, box}) {
    GPUAD_CHECK(sum_cubes, where, plain(n), in<double>(n), through<double>(1));
    GPUAD_CHECK(strided, where, plain(n), in<double>(n), through<double>(1));
    GPUAD_CHECK(columns, where, plain(23), plain(3), in<double>(69), through<double>(1));
    GPUAD_CHECK(next_columns, where, plain(23), plain(3), in<double>(69), through<double>(1));
    GPUAD_CHECK(records, where, plain(n), in<double>(3 * n), through<double>(1));
    GPUAD_CHECK(mirrored, where, plain(n), in<double>(n), through<double>(2));
    GPUAD_CHECK(overlapping, where, plain(n), plain(2), in<double>(3 * n + 1), through<double>(1));
  }
  GPUAD_CHECK(strided, few, plain(n), in<double>(n), through<double>(1));
  GPUAD_CHECK(row_norms, few, plain(41), in<double>(82), out<double>(2));
  GPUAD_CHECK(pixels, plane, plain(13), plain(11), in<double>(143), through<double>(3));
  GPUAD_CHECK(pixels, (gpuad::launch{dim3(3, 4, 2), dim3(5, 3, 2)}), plain(13), plain(11), in<double>(143), through<double>(3));
  GPUAD_CHECK(guarded_twice, line, plain(n), constant(order), in<double>(n), out<double>(n));
  GPUAD_CHECK(planes, few, plain(60), plain(4), plain(5), in<double>(60), out<double>(60));
  GPUAD_CHECK(own_arrays, line, plain(n), in<double>(n), in<double>(4), out<double>(4 * n));
  GPUAD_CHECK(own_in_the_end, line, plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(own_in_the_loop, line, plain(n), in<double>(n), out<double>(3 * n), out<double>(n));
  const int some = std::min(block_size(), 64);
  GPUAD_CHECK(arrays_of_blocks, (gpuad::launch{dim3(3), dim3(some)}), in<double>(3 * some), in<double>(some), out<double>(3 * some));
  GPUAD_CHECK(first_lanes, few, in<double>(2), through<double>(1));
  GPUAD_CHECK(in_turn, few, plain(5), in<double>(2), through<double>(1));
  GPUAD_CHECK(gather_vectors, line, plain(n), constant(anywhere), in<float4>(11), out<float2>(n));
  GPUAD_CHECK_AGAIN(gather_vectors_adjoint, line, plain(n), constant(anywhere), in<float4>(11), through<float4>(11),
                    constant(std::vector<float2>(n)), through<float2>(n));
  GPUAD_CHECK_AGAIN(sum_cubes_adjoint, line, plain(n), in<double>(n), through<double>(n), constant<double>({0.25}), in<double>(1));
  return verdict();
}
