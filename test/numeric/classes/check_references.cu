// usage: check_references BLOCK ORDER
#include "references_grad.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 37, columns = 5;
  auto view = [&](float *data) { return matrix{data, n, columns}; };
  GPUAD_CHECK(chained, cover(n), out<vec3>(n), in<vec3>(n + 1), plain(n));
  GPUAD_CHECK(views, cover(n), out_view<float>(view, n * columns), in_view<float>(view, n * columns));
  GPUAD_CHECK(clamped, cover(n), out_view<float>(view, n * columns), in_view<float>(view, n * columns));
  GPUAD_CHECK(conversions, cover(n), out<double>(n), in<double>(n + 1), plain(n));
  GPUAD_CHECK(crtp, cover(n), out<float>(n), in<float>(n + 1), plain(n));
  GPUAD_CHECK(chosen, cover(n), out<float>(n), in<float>(n + 2, {0.125, 0.375, false, {0, 1, 4}}), plain(n));
  return verdict();
}
