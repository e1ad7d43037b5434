#include "partly_grad.cu"

#include "harness.h"
using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 24;
  std::mt19937 random(5);
  std::vector<double> numbers(n + 8);
  for (double &number : numbers)
    number = 0.5 + random() / 4294967296.0;
  auto w = [&] { return constant(numbers); };
  GPUAD_CHECK(chosen, cover(n), plain(n), in<double>(n), w(), out<double>(n));
  GPUAD_CHECK(moved, cover(n), plain(n), in<double>(n), w(), out<double>(n));
  GPUAD_CHECK(of_three, cover(n), plain(n), in<double>(n), w(), in<double>(n), out<double>(n));
  for (int m : {1, 2, 7}) {
    GPUAD_CHECK(goes_over, cover(n), plain(n), plain(m), in<double>(n), w(), out<double>(n));
    GPUAD_CHECK(swapped, cover(n), plain(n), plain(m), in<double>(n), w(), out<double>(n));
  }
  GPUAD_CHECK(from_local, cover(n), plain(n), in<double>(n), w(), out<double>(n));
  GPUAD_CHECK(stores, cover(n), plain(n), in<double>(n), through<double>(n), inactive_out<double>(n));
  GPUAD_CHECK(constants_into_either, cover(n), plain(n), in<double>(n), through<double>(n), inactive_out<double>(n));
  GPUAD_CHECK(adds, cover(n), plain(n), in<double>(n), through<double>(3), inactive_out<double>(3));
  GPUAD_CHECK(callees, cover(n), plain(n), in<double>(n + 1), w(), out<double>(n));
  GPUAD_CHECK(references, cover(n), plain(n), in<double>(n), w(), out<double>(n));
  auto view_of = [=](double *data) { return view{data, n}; };
  array<double> behind(numbers);
  GPUAD_CHECK(views, cover(n), plain(n), in_view<double>(view_of, n), plain(view_of(behind)), out<double>(n));
  GPUAD_CHECK(made_here, cover(n), plain(n), in<double>(n), w(), out<double>(n));
  GPUAD_CHECK_TANGENT_IN(, rows, cover(n), plain(n), in<double>(n + 1), w(), out<double>(n), out<double>(n));
  return verdict();
}
