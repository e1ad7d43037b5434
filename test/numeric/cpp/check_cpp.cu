#include "cpp_grad.cu"
#define GPUAD_DUAL_SOURCE "cpp.cu"
#include "harness.h"

using namespace numeric;

template <> struct numeric::layout<pair2> : layout_of_doubles<pair2> {};
template <> struct numeric::layout<Affine> : layout_of_doubles<Affine> {};
template <> struct numeric::layout<box> {
  using scalar = double;
  static std::vector<std::size_t> offsets() { return {0, 8, 16, 24, 32}; }
};

#define GPUAD_CHECK_TANGENT(KERNEL, ...)                                                                               \
  numeric::check(#KERNEL, KERNEL, launch_##KERNEL##_tangent, nullptr, GPUAD_DUAL_OF(KERNEL), nullptr, __VA_ARGS__)

int main(int argc, char **argv) {
  start(argc, argv);
  const int n = 24;
  GPUAD_CHECK(bindings, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(pointers, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(swapping, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK_TANGENT(by_reference, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(switching, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(loops, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(fields, cover(n), plain(n), in<pair2>(n), through<pair2>(n));
  GPUAD_CHECK(vectors, cover(n), plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK_TANGENT(shared_tile, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(casts, cover(n), plain(n), in<double>(n, {0.51, 0.59}), out<double>(n));
  GPUAD_CHECK_TANGENT(chosen_places, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(tables, cover(n), plain(n), in<double>(3), in<double>(n), out<double>(n));
  GPUAD_CHECK(functors, cover(n), plain(n), value<Affine>(), in<double>(n), out<double>(n));
  GPUAD_CHECK(globals, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(comma, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(atomics, cover(n), plain(n), in<double>(n), through<double>(4));
  GPUAD_CHECK(conditions, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK_TANGENT(arrays2, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK_TANGENT(inout_struct, cover(n), plain(n), in<double>(n),
                      through<box>(n, {}, {box{{0, 0, 0}, {0, 0}, 5}}));
  GPUAD_CHECK(more_bindings, cover(n), plain(n), in<pair2>(n), out<double>(n));
  GPUAD_CHECK_TANGENT(shuffles, (gpuad::launch{dim3(1), dim3(32)}), plain(n), in<double>(n), out<double>(n));
  auto view = [](double *data) { return View{data, 2 * n}; };
  GPUAD_CHECK_TANGENT(views, cover(n), plain(n), in<double>(n), through_view<double>(view, 2 * n));
  GPUAD_CHECK(constructed, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(returned_references, cover(n), plain(n), in<double>(n), out<double>(3 * n));
  return verdict();
}
