// usage: check_both_sides BLOCK ORDER
#include "both_sides_grad.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 37;
  GPUAD_CHECK(soften, cover(n), plain(n), in<double>(n + 1, {0.625, 1.5, true}), out<double>(n));
  // On the host: the tangent along a direction, the adjoint against it, and differences.
  const int m = 9;
  double x[m + 1], direction[m + 1], bar[m + 1], ahead[m + 1], back[m + 1];
  const double step = 1e-5;
  for (int i = 0; i <= m; ++i) {
    x[i] = 0.3 + 0.2 * i - i % 3;
    direction[i] = 0.5 - 0.1 * i;
    bar[i] = 2.0;
    ahead[i] = x[i] + step * direction[i];
    back[i] = x[i] - step * direction[i];
  }
  double tangent = total_tangent(m, x, direction).tangent;
  total_adjoint(m, x, bar, 1.0);
  double product = 0, difference = (total(m, ahead) - total(m, back)) / (2 * step);
  for (int i = 0; i <= m; ++i)
    product += (bar[i] - 2.0) * direction[i];
  bool isRight = std::fabs(product - tangent) <= 1e-12 * std::fabs(tangent) &&
                 std::fabs(difference - tangent) <= 1e-7 * std::fabs(tangent);
  if (!isRight)
    std::printf("WRONG: total: tangent %.15g, adjoint %.15g, difference %.15g\n", tangent, product, difference);
  return verdict() | !isRight;
}
