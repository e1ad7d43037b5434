// The derivatives of every instance, by the template's own arguments.
#include "templates_grad.cu"

#include "harness.h"

using namespace numeric;

template <> struct numeric::layout<vec<double, 2>> : numeric::layout_of_doubles<vec<double, 2>> {};
template <> struct numeric::layout<affine> : numeric::layout_of_doubles<affine> {};
template <> struct numeric::layout<disc> : numeric::layout_of_doubles<disc> {};
template <> struct numeric::layout<box> : numeric::layout_of_doubles<box> {};
template <> struct numeric::layout<model<double>> : numeric::layout_of_doubles<model<double>> {};

int main(int argc, char **argv) {
  start(argc, argv);
  const int n = 45;
  GPUAD_CHECK_INSTANCE(scale, (float), cover(n), plain(n), value<float>(), in<float>(n), out<float>(n));
  GPUAD_CHECK_INSTANCE(scale, (double), cover(n), plain(n), value<double>(), in<double>(n), out<double>(n));
  GPUAD_CHECK_INSTANCE(horner, (float), cover(n), plain(n), in<float>(3), in<float>(n), out<float>(n));
  GPUAD_CHECK_INSTANCE(horner, (double, 5), cover(n), plain(n), in<double>(5), in<double>(n), out<double>(n));
  GPUAD_CHECK_INSTANCE(iterate, (4), cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK_INSTANCE(iterate, (100), cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK_INSTANCE(traited, (float), cover(n), plain(n), in<vec<float, 2>>(n), value<double>(), out<double>(n));
  GPUAD_CHECK_INSTANCE(traited, (double), cover(n), plain(n), in<vec<double, 2>>(n), value<double>(), out<double>(n));
  {
    using namespace shapes;
    GPUAD_CHECK_INSTANCE(power, (mode::square), cover(n), plain(n), in<double>(n), out<double>(n));
    GPUAD_CHECK_INSTANCE(power, (mode::cube, true), cover(n), plain(n), in<double>(n), out<double>(n));
  }
  GPUAD_CHECK_INSTANCE(special, (float), cover(n), plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK_INSTANCE(special, (double), cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK_INSTANCE(through, (plus_one, float), cover(n), plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK_INSTANCE(through, (twice, double), cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK_INSTANCE(areas, (disc), cover(n), plain(n), in<disc>(n), out<double>(n));
  GPUAD_CHECK_INSTANCE(areas, (box), cover(n), plain(n), in<box>(n), out<double>(n));
  GPUAD_CHECK_INSTANCE(folded, (both_ways), cover(n), plain(n), plain(both_ways{}), in<double>(n), out<double>(n));
  GPUAD_CHECK_INSTANCE(by_pointer, (const double *, double *), cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK_INSTANCE(by_pointer, (const float *, float *), cover(n), plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK_INSTANCE(modelled, (float, 2), cover(n), plain(n), value<model<float>>(), in<float>(n), out<float>(n));
  GPUAD_CHECK_INSTANCE(modelled, (double, 3), cover(n), plain(n), value<model<double>>(), in<double>(n),
                       out<double>(n));
  GPUAD_CHECK_INSTANCE(masked, (float), cover(n), plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK_INSTANCE(masked, (double), cover(n), plain(n), in<double>(n), out<double>(n));
  // A value takes a pointer to its shadow, a view a view: overloads.
  auto tangent = [](auto... rest) { launch_transform_tangent(rest...); };
  auto adjoint = [](auto... rest) { launch_transform_adjoint(rest...); };
  auto looked_up = [](double *table) { return lookup{table}; };
  check("transform<affine>", transform<affine>, tangent, adjoint, nullptr, cover(n), plain(n), value<affine>(), in<double>(n),
        out<double>(n));
  check("transform<lookup>", transform<lookup>, tangent, adjoint, nullptr, cover(n), plain(n), in_view<double>(looked_up, 4),
        in<double>(n), out<double>(n));
  return verdict();
}
