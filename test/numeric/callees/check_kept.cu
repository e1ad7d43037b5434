// usage: check_kept BLOCK ORDER
#include "kept_grad.cu"
#define GPUAD_DUAL_SOURCE "kept.cu"
#include "harness.h"

template <> struct numeric::layout<vec3> : numeric::layout_of_doubles<vec3> {};
template <> struct numeric::layout<physics::charge> : numeric::layout_of_doubles<physics::charge> {};

using namespace numeric;

__global__ void by_hand(double v, double *result) {
  gpuad::dual<double> both = asked_for_tangent(v, 1.0);
  double v_bar = 10;
  asked_for_adjoint(v, &v_bar, 1.0);
  result[0] = v_bar - 10 - both.tangent;
}

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 37, m = 5;
  const range both{0.625, 1.5, true};
  GPUAD_CHECK(chained, cover(n), plain(n), in<double>(n, both), in<double>(5), out<double>(n));
  GPUAD_CHECK(conditional, cover(n), plain(n), in<double>(n, both), constant(std::vector<double>{0.5, 1, 0.75, 1.25}),
              out<double>(n));
  GPUAD_CHECK(uniform, cover(n), plain(n), value<double>(), value<double>(),
              constant(std::vector<double>{0.5, 1, 0.75, 1.25}), out<double>(n));
  GPUAD_CHECK(one_array, cover(n), plain(n), in<double>(n + 6), out<double>(n));
  GPUAD_CHECK(objects, cover(n), plain(n), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(one_object, cover(n), plain(n), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(aliased_objects, cover(n), plain(n), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(half_used, cover(n), plain(n), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(elements, cover(n), plain(n), in<double>(n, both), through<double>(n), out<double>(n));
  GPUAD_CHECK(structs, cover(n), plain(n), in<vec3>(n), in<double>(n), out<vec3>(n));
  GPUAD_CHECK(vectors, cover(n), plain(n), in<float4>(n, {0.75, 1.0}), out<float4>(n));
  GPUAD_CHECK(local_array, cover(n), plain(n), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(changing_array, cover(n), plain(n), plain(m), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(fresh_array, cover(n), plain(n), plain(m), in<double>(n * m, both), out<double>(n));
  GPUAD_CHECK(shared_tile, cover(n), plain(n), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(shared_tiles, cover(n), plain(n), plain(m), in<double>(n * m, both), out<double>(n));
  GPUAD_CHECK(own_output, cover(n), plain(n), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(nested, cover(n), plain(n), in<double>(n, {0.75, 1.25}), in<double>(5), out<double>(n));
  GPUAD_CHECK(recorded, cover(n), plain(n), plain(m), in<double>(n * m, both), in<double>(4), out<double>(n));
  GPUAD_CHECK(while_loop, cover(n), plain(n), in<double>(n, both), in<double>(4), out<double>(n));
  GPUAD_CHECK(early_exits, cover(n), plain(n), plain(m), in<double>(n + m, both), out<double>(n));
  GPUAD_CHECK(callee_records, cover(n), plain(n), plain(m), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(instances, cover(n), plain(n), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(methods, cover(n), plain(n), in<double>(n), value<physics::charge>(), out<double>(n));
  GPUAD_CHECK(not_taken, cover(n), plain(n), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(thread_index, cover(n), plain(n), value<double>(), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(constants, cover(n), plain(n), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(recursive, cover(n), plain(n), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(caller_and_callee, cover(n), plain(n), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(asked_for_inside, cover(n), plain(n), in<double>(n, both), out<double>(n));
  array<double> result(1, 0.0);
  by_hand<<<1, 1>>>(0.75, result);
  result.expect_near("asked_for", {0.0}, 1e-13);
  return verdict();
}
