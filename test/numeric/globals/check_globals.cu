#include "globals_grad.cu"

#include "harness.h"

using namespace numeric;

template <> struct numeric::layout<wave> {
  using scalar = double;
  static std::vector<std::size_t> offsets() { return {0, 8}; }
};

int main(int argc, char **argv) {
  start(argc, argv);
  const int n = 45;
  GPUAD_CHECK(polynomial, cover(n), plain(n), in<double>(n), out<double>(n),
              GPUAD_GLOBAL(double, 1, role::input, gain), GPUAD_GLOBAL(double, 4, role::input, coef));
  GPUAD_CHECK(looked_up, cover(n), plain(n), in<double>(n), out<double>(n),
              GPUAD_GLOBAL(double, 40, role::input, table));
  GPUAD_CHECK(sounds, cover(n), plain(n), constant<double>(std::vector<double>(n, 0.7)), out<double>(n),
              GPUAD_GLOBAL(wave, 1, role::input, tone), GPUAD_GLOBAL(double, 1, role::input, gain));
  GPUAD_CHECK(summed, cover(n), plain(n), in<double>(n), GPUAD_GLOBAL(double, 1, role::through, total));
  {
    using namespace results;
    GPUAD_CHECK(stored, cover(n), plain(n), in<double>(n), GPUAD_GLOBAL(double, n, role::output, result));
    GPUAD_CHECK(updated, cover(n), plain(n), in<double>(n), GPUAD_GLOBAL(double, n, role::through, result));
  }
  {
    using namespace physics;
    GPUAD_CHECK(fall, cover(n), plain(n), in<double>(n), out<double>(n),
                GPUAD_GLOBAL(double, 1, role::input, gravity), GPUAD_GLOBAL(double, 3, role::input, damping));
  }
  GPUAD_CHECK(in_between, cover(n), plain(n), in<float>(n), out<float>(n));
  return verdict();
}
