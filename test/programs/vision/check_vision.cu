#include "vision_grad.cu"
#define GPUAD_DUAL_SOURCE "vision.cu"
#include "harness.h"

using namespace numeric;

int main(int argc, char **argv) {
  start(argc, argv);
  constexpr int cameras = 2, points = 3, observations = 5;
  GPUAD_CHECK_IN(bundle_adjustment, residuals, cover(observations), out<double>(2 * observations),
                 out<double>(observations), in<double>(cameras * bundle_adjustment::Camera_size, {0.125, 0.5}),
                 in<double>(3 * points, {2, 3}), in<double>(observations),
                 constant<int2>({{0, 0}, {1, 2}, {0, 1}, {1, 1}, {1, 0}}),
                 constant<double2>({{0.1, 0.2}, {0.3, 0.1}, {0.2, 0.2}, {0.4, 0.5}, {0.3, 0.3}}), plain(observations));

  constexpr int n = 7;
  const splatting::Camera camera = {{0.8f, 0.6f, 0, 0.1f, -0.6f, 0.8f, 0, 0.2f, 0, 0, 1, 4}, 2.5f, 2.25f, 0.35f};
  GPUAD_CHECK_IN(splatting, project, cover(n), out<float3>(n), out<float2>(n), inactive_out<int>(n),
                 in<float3>(n, {-1, 1}), in<float3>(n), in<float4>(n), plain(camera), plain(n));

  GPUAD_CHECK_IN(harmonics, colour, cover(n), out<float>(3 * n), in<float>(27 * n, {0.5, 1, true}),
                 in<float3>(n, {1, 2}), value<float3>({-1, 0}), plain(2), plain(n));

  auto volume = [](double *data) { return bspline::Volume<double>{data, 5, 4, 6}; };
  check("bspline::lookup<double>", bspline::lookup<double>, bspline::launch_lookup_tangent<double>,
        bspline::launch_lookup_adjoint<double>, nullptr, cover(n), out<double>(n), in_view<double>(volume, 5 * 4 * 6),
        in<double>(3 * n, {0, 5}), plain(n));

  constexpr int width = 6, height = 5;
  auto image = [](float *data) { return warp_image::Image{data, width, height}; };
  gpuad::launch tiles{dim3(2, 2), dim3(4, 3)};
  GPUAD_CHECK_IN(warp_image, compare, tiles, out<float>(width * height), in_view<float>(image, width * height),
                 in<float2>(width * height, {0.1, 0.9, true}), in<float>(width * height, {2, 3}), plain(0.125f));

  GPUAD_CHECK_IN(shading, render, cover(64), out<float>(64),
                 value<shading::Sphere>({0.5, 1}, {shading::Sphere{{0, 0, 0}, 0, 0}}), in<shading::Light>(2), plain(2),
                 plain(8));
  return verdict();
}
