// usage: check_uses BLOCK ORDER
#include "uses_grad.cu"
#define GPUAD_DUAL_SOURCE "uses.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  std::vector<int> key(64);
  for (int i = 0; i < 64; ++i)
    key[i] = i * 11 % 53;
  for (int grid : {1, 3}) {
    gpuad::launch where{dim3(grid), 64};
    int all = grid * 64, row = grid == 1 ? 150 : 64;
    GPUAD_CHECK(leave_early, where, in<double>(all), out<double>(grid), plain(grid == 1 ? 64 : 128));
    GPUAD_CHECK(literals, where, in<double>(all), out<double>(all));
    GPUAD_CHECK(converge, where, through<double>(all), plain(20.0));
    GPUAD_CHECK(either, where, in<double>(all), out<double>(grid), plain(grid));
    GPUAD_CHECK(either, where, in<double>(all), out<double>(grid), plain(2 + grid));
    GPUAD_CHECK(into_memory, where, in<double>(all), out<double>(all), out<double>(all));
    GPUAD_CHECK(two_stages, (gpuad::launch{dim3(grid), 128}), in<double>(2 * all), out<double>(grid));
    GPUAD_CHECK(long_scan, where, in<double>(grid * row), out<double>(grid * row), plain(row));
    GPUAD_CHECK(recurrence, where, in<double>(grid * row), out<double>(grid), plain(row));
    GPUAD_CHECK(chosen, where, in<double>(65), out<double>(all), constant(key));
    GPUAD_CHECK(in_dynamic, (gpuad::launch{dim3(grid), 64, 2048}), in<double>(all), out<double>(all));
    GPUAD_CHECK(scan_by_operation, where, in<double>(all), out<double>(all));
  }
  return verdict();
}
