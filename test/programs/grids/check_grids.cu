#include "grids_grad.cu"
#define GPUAD_DUAL_SOURCE "grids.cu"
#include "harness.h"

using namespace numeric;

int main(int argc, char **argv) {
  start(argc, argv);
  gpuad::launch tiles{dim3(2, 3), dim3(8, 4)};
  constexpr int columns = 13, rows = 11, n = columns * rows;
  GPUAD_CHECK_IN(hotspot, step, tiles, out<float>(n), in<float>(n), in<float>(n), plain(columns), plain(rows),
                 value<float>(), value<float>(), value<float>(), value<float>(), plain(0.25f));
  check("wave::step<2>", wave::step<2>, wave::launch_step_tangent<2>, wave::launch_step_adjoint<2>, dual::wave::step<2>,
        tiles, through<double>(n), in<double>(n, {-1, 1}), in<double>(n), plain(columns), plain(rows), plain(0.25),
        plain(0.5), plain(5 * columns + 6), plain(2.0));

  const lbm::Lattice lattice = {9, 4};
  constexpr int cells = 9 * 4;
  std::vector<unsigned char> solid(cells);
  for (int k : {3, 4, 12, 30})
    solid[k] = 1;
  gpuad::launch lines{dim3((9 + block_size() - 1) / block_size(), 4), dim3(block_size())};
  GPUAD_CHECK_IN(lbm, step, lines, out<float>(9 * cells), in<float>(9 * cells), constant(solid), plain(lattice),
                 value<float>(), plain(0.0625f));

  constexpr int nx = 5, ny = 3, nz = 2, cells3 = 19 * nx * ny * nz;
  GPUAD_CHECK_IN(lbm3, step, (gpuad::launch{dim3(2, 2, nz), dim3(4, 2)}), plain(nx), plain(ny), plain(nz), value<double>(),
                 value<double>(), in<double>(cells3), out<double>(cells3));

  const std::vector<int> offsets = {0, 2, 2, 5, 6, 9}, indices = {0, 3, 1, 2, 4, 0, 4, 1, 3};
  array<int> device_offsets(offsets), device_columns(indices);
  auto matrix = [&](double *values) {
    return spmv::Csr<int, double>{static_cast<int *>(device_offsets), static_cast<int *>(device_columns), values, 5};
  };
  check("spmv::multiply<int, double>", spmv::multiply<int, double>, spmv::launch_multiply_tangent<int, double>,
        spmv::launch_multiply_adjoint<int, double>, nullptr, cover(3), in_view<double>(matrix, indices.size()),
        in<double>(5), through<double>(5), value<double>(), value<double>());

  GPUAD_CHECK_IN(shallow_water, fluxes, cover(n), through<shallow_water::State>(n),
                 in<shallow_water::State>(n, {0.5, 1.5, false, {0.5, 0, 0, 3, 20, 0}}), value<shallow_water::Gravity>(),
                 plain(n), plain(0.25f));

  range slope; // rising, so that no limiter is at its kink
  for (int i = 0; i < 20; ++i)
    slope.base.push_back(2 * i);
  using advection::Minmod;
  using advection::VanLeer;
  auto minmod_tangent = [](auto... p) { advection::launch_step_tangent<Minmod>(p...); };
  auto minmod_adjoint = [](auto... p) { advection::launch_step_adjoint<Minmod>(p...); };
  check("advection::step<Minmod>", advection::step<Minmod>, minmod_tangent, minmod_adjoint,
        dual::advection::step<dual::advection::Minmod>, cover(20), out<double>(20), in<double>(20, slope),
        value<double>({0.25, 0.5}), plain(20), plain(Minmod()));
  auto van_leer_tangent = [](auto... p) { advection::launch_step_tangent<VanLeer>(p...); };
  auto van_leer_adjoint = [](auto... p) { advection::launch_step_adjoint<VanLeer>(p...); };
  check("advection::step<VanLeer>", advection::step<VanLeer>, van_leer_tangent, van_leer_adjoint,
        dual::advection::step<dual::advection::VanLeer>, cover(20), out<double>(20), in<double>(20, slope),
        value<double>({0.25, 0.5}), plain(20), plain(VanLeer()));
  GPUAD_CHECK_IN(diffusion, perona_malik, tiles, out<float>(n), in<float>(n), plain(columns), plain(rows),
                 value<float>(), plain(0.25f));
  return verdict();
}
