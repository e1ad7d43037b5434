// usage: check_owned BLOCK ORDER
#include "owned_grad.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 77;
  for (auto [grid, block] : {std::pair(3, 32), std::pair(2, 40), std::pair(8, 10)}) {
    gpuad::launch where{dim3(grid), dim3(block)};
    GPUAD_CHECK(exchanged, where, plain(n), in<double>(n), through<double>(n), out<double>(n));
    GPUAD_CHECK(swapped, where, plain(n), in<float>(n), through<float>(n), out<float>(n));
    GPUAD_CHECK(by_one_thread, where, in<float>(grid), through<float>(grid), out<float>(grid));
    GPUAD_CHECK(in_shared_memory, where, plain(n), in<float>(n), out<float>(n));
    GPUAD_CHECK(left_behind, where, plain(grid), plain(block), in<double>(grid * block), through<double>(grid * block),
                out<double>(grid * block));
    GPUAD_CHECK(exchanged_alone, where, plain(n), in<double>(n), through<double>(n));
    GPUAD_CHECK(stored, where, plain(n), in<float>(n), out<float>(n), out<float>(n));
  }
  // Two rows of threads would come to each element.
  array<double> x(n, 1.), x_bar(n, 0.), s(n, 1.), s_bar(n, 1.);
  launch_exchanged_alone_adjoint({dim3(3), dim3(16, 2)}, n, x, x_bar, s, s_bar);
  gpuad::status status = gpuad::synchronize();
  expect("the shape of the launch is reported", status.code() == gpuad::error::launch_shape);
  for (double bar : x_bar.host())
    expect_near("nothing is added", 0, bar, 0);
  return verdict();
}
