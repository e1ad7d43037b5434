#include "numerics_grad.cu"
#define GPUAD_DUAL_SOURCE "numerics.cu"
#include "harness.h"

using namespace numeric;

template <> struct numeric::layout<asian::Market> : layout_of_doubles<asian::Market> {};
template <> struct numeric::layout<polar::mat3> : layout_of_doubles<polar::mat3> {};
template <> struct numeric::layout<runge_kutta::State> : layout_of_doubles<runge_kutta::State> {};
template <> struct numeric::layout<runge_kutta::LotkaVolterra> : layout_of_doubles<runge_kutta::LotkaVolterra> {};

int main(int argc, char **argv) {
  start(argc, argv);
  constexpr int n = 9;
  GPUAD_CHECK_IN(black_scholes, options, cover(n), out<float2>(n), out<float2>(n), in<float2>(n, {0.75, 1.25}),
                 in<float2>(n, {0.75, 1.25}), in<float2>(n), value<float>({0.02, 0.05}), value<float>({0.25, 0.5}),
                 plain(2 * n));

  constexpr int steps = 4;
  std::vector<double> normals(n * steps);
  for (int i = 0; i < n * steps; ++i)
    normals[i] = std::sin(12.9898 * i) * 1.5;
  GPUAD_CHECK_IN(asian, paths, cover(n), out<double>(n), constant(normals), value<asian::Market>({0.25, 1}),
                 value<double>({0.25, 0.3}), plain(n), plain(steps), plain(0.25));
  GPUAD_CHECK_IN(polar, rotation, cover(n), out<polar::mat3>(n),
                 in<polar::mat3>(n, {-0.5, 0.5, false, {2, 0, 0, 0, 2, 0, 0, 0, 2}}), plain(n));
  GPUAD_CHECK_IN(runge_kutta, integrate, cover(n), through<runge_kutta::State>(n), in<runge_kutta::LotkaVolterra>(n),
                 plain(n), plain(6), plain(0.125));
  GPUAD_CHECK_IN(neuron, step, cover(n), through<float>(n), through<float>(n, {0.25, 0.75}),
                 through<float>(n, {0.25, 0.75}), through<float>(n, {0.25, 0.75}), in<float>(n), plain(n),
                 plain(0.03125f));
  GPUAD_CHECK_IN(eigen, symmetric3, cover(n), out<double3>(n), in<double>(6 * n, {0.5, 1.5, true}), plain(n));
  GPUAD_CHECK_IN(solve3, solve, cover(n), out<double>(3 * n), in<double>(12 * n, {-0.75, 0.75}), plain(n));
  numbers mesh;
  for (int i = 0; i <= n; ++i)
    mesh.push_back(2 * i);
  GPUAD_CHECK_IN(quadrature, assemble, cover(n), out<double>(2 * n), out<double>(n),
                 in<double>(n + 1, {0.5, 1.5, false, mesh}), in<double>(n + 1), value<double>(), plain(n));
  return verdict();
}
