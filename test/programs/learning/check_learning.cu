#include "learning_grad.cu"
#define GPUAD_DUAL_SOURCE "learning.cu"
#include "harness.h"

using namespace numeric;

int main(int argc, char **argv) {
  start(argc, argv);
  constexpr int rows = 5, channels = 6, n = rows * channels;
  GPUAD_CHECK_IN(gelu, forward, cover(n - 4), out<float>(n), in<float>(n, {-2, 2}), in<float>(channels), plain(rows),
                 plain(channels));
  GPUAD_CHECK_IN(layernorm, forward, cover(rows), out<float>(n), out<float>(rows), out<float>(rows),
                 in<float>(n, {-2, 2}), in<float>(channels), in<float>(channels), plain(rows), plain(channels));
  GPUAD_CHECK_IN(cross_entropy, forward, cover(rows), out<float>(rows), in<float>(rows * 8, {-1, 1}),
                 constant<int>({2, 0, -1, 5, 4}), plain(rows), plain(channels), plain(8), plain(0.75f));
  GPUAD_CHECK_IN(rope, rotate, cover(24), through<float2>(24), in<float>(3), plain(4), plain(2), plain(3));
  check("lstm::cell<double>", lstm::cell<double>, lstm::launch_cell_tangent<double>, lstm::launch_cell_adjoint<double>,
        dual::lstm::cell<dual_numbers::f64>, cover(2 * 7), out<double>(2 * 7), through<double>(2 * 7),
        in<double>(2 * 4 * 7, {-1, 1}), in<double>(3 * 7), plain(2), plain(7));
  constexpr int length = 9, dim = attention::D, part = length * dim;
  auto head = [](float *data) {
    return data ? attention::Head{data, data + part, data + 2 * part, length} : attention::Head{};
  };
  GPUAD_CHECK_IN(attention, row, cover(length), out<float>(part), in_view<float>(head, 3 * part, {0.5, 1, true}));
  GPUAD_CHECK_IN(focal, sum, cover(n), through<float>(1), in<float>(n, {0.5, 1.5, true}),
                 constant<unsigned char>(std::vector<unsigned char>{1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0,
                                                                    1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0}),
                 plain(n), plain(0.25f), plain(2.0f));
  return verdict();
}
