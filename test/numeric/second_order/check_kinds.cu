// usage: check_kinds BLOCK ORDER
#include "harness.h"
#include "kinds_again.cu"

using namespace numeric;

template <> struct numeric::layout<Law> {
  using scalar = double;
  static std::vector<std::size_t> offsets() { return {0, 8}; }
};

template <int Power> static void check_powers(int n) {
  numeric::check("powers_of_adjoint", powers_of_adjoint<double, Power>, launch_powers_of_adjoint_tangent<double, Power>,
                 nullptr, nullptr, nullptr, cover(n), constant(std::vector<double>(n)), through<double>(n), in<double>(n),
                 through<double>(n), value<double>(), through<double>(1), plain(n));
}

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 17;
  auto unused = [&] { return constant(std::vector<double>(n)); };
  check_powers<3>(n);
  check_powers<5>(n);
  GPUAD_CHECK_AGAIN(neighbours_adjoint, cover(n), unused(), through<double>(n), in<double>(n), through<double>(n),
                    plain(n));
  if (block_size() == 32)
    GPUAD_CHECK_AGAIN(lanes_adjoint, cover(n), unused(), through<double>(n), in<double>(n), through<double>(n),
                      plain(n));
  GPUAD_CHECK_AGAIN(by_value_adjoint, cover(n), unused(), through<double>(n), value<Law>(), through<Law>(1),
                    in<double>(n), through<double>(n), plain(n));
  GPUAD_CHECK_AGAIN(few_steps_adjoint, cover(n), unused(), through<double>(n), in<double>(n), through<double>(n),
                    plain(n));
  gpuad::launch with_memory = cover(n);
  with_memory.shared_bytes = 2 * with_memory.block.x * sizeof(double);
  GPUAD_CHECK_AGAIN_LAUNCHED(in_dynamic_adjoint, with_memory, unused(), through<double>(n), in<double>(n), through<double>(n),
                             plain(n));
  GPUAD_CHECK_AGAIN_LAUNCHED(steps_adjoint, cover(n), unused(), through<double>(n), in<double>(n), through<double>(n),
                             value<double>(), through<double>(1), plain(4), plain(n));
  GPUAD_CHECK_AGAIN_LAUNCHED(until_small_adjoint, cover(n), unused(), through<double>(n), in<double>(n),
                             through<double>(n), plain(n));
  GPUAD_CHECK_AGAIN_LAUNCHED(nested_adjoint, cover(n), constant(std::vector<float>(n)), through<float>(n), in<float>(n),
                             through<float>(n), constant<int>({3}), plain(n));
  GPUAD_CHECK_AGAIN_LAUNCHED(decided_adjoint, cover(n), unused(), through<double>(n), in<double>(n), through<double>(n),
                             plain(4), plain(n));
  return verdict();
}
