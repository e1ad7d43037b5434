#include "particles_grad.cu"
#define GPUAD_DUAL_SOURCE "particles.cu"
#include "harness.h"

using namespace numeric;

template <> struct numeric::layout<lennard_jones::Parameters> : layout_of_doubles<lennard_jones::Parameters> {};

int main(int argc, char **argv) {
  start(argc, argv);
  constexpr int n = 11;
  GPUAD_CHECK_IN(nbody, forces, cover(n), out<float3>(n), in<float4>(n, {-2, 2}), plain(n), value<float>());

  // Sites of a lattice, more or less. Every particle sees the next four; some pairs lie beyond the cutoff, some across
  // the border.
  numbers sites;
  for (int i = 0; i < n; ++i)
    for (int place : {i % 3, i / 3 % 3, i / 9})
      sites.push_back(place);
  std::vector<int> first, neighbour;
  for (int i = 0; i <= n; ++i)
    first.push_back(4 * i);
  for (int i = 0; i < n; ++i)
    for (int k = 1; k <= 4; ++k)
      neighbour.push_back((i + k) % n);
  GPUAD_CHECK_IN(lennard_jones, compute, cover(n), through<double>(3 * n), out<double>(n),
                 in<double>(3 * n, {0, 0.25, false, sites}), constant(first), constant(neighbour),
                 value<lennard_jones::Parameters>({0.5, 0.75}), plain(lennard_jones::Domain{1.75, 3}), plain(n));

  GPUAD_CHECK_IN(multipole, evaluate, cover(n), out<double>(n), in<double2>(multipole::Terms),
                 value<double2>({-0.25, 0.25}), in<double2>(n, {1, 2, true}), plain(n));
  GPUAD_CHECK_IN(contact, hertz, cover(n - 3), out<float>(n), out<float>(n), in<float>(n, {0.25, 0.75, true}),
                 in<float>(n), in<float>(n), value<float>(), value<float>({0.25, 0.5}), plain(0.25f), plain(n));
  constexpr int side = 8;
  GPUAD_CHECK_IN(mpm, to_grid, cover(n), through<float>(3 * side * side),
                 in<float2>(n, {-0.1, 0.1, false, {1.5, 2, 2.5, 1.5, 2, 2.5}}), in<float2>(n), in<float4>(n), plain(n),
                 plain(side), plain(0.5f), plain(1.25f));
  GPUAD_CHECK_IN(rigid_body, step, cover(n), through<rigid_body::Body>(n), in<rigid_body::vec3>(n),
                 in<rigid_body::vec3>(n), plain(n), plain(0.0625f));
  return verdict();
}
