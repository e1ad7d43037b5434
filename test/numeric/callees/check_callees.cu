// usage: check_callees BLOCK ORDER
#include "callees_grad.cu"
#define GPUAD_DUAL_SOURCE "callees.cu"
#include "harness.h"

using namespace numeric;

__global__ void gain_by_hand(double v, double w, double *result) {
  gpuad::dual<double> both = gain_tangent(v, 2.0, w, -1.0);
  result[0] = both.value;
  result[1] = both.tangent;
  double v_bar = 10, w_bar = 20;
  gain_adjoint(v, &v_bar, w, &w_bar, 3.0);
  result[2] = v_bar;
  result[3] = w_bar;
  gain_adjoint(v, nullptr, w, &w_bar, 3.0);
  result[4] = w_bar;
}

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 37, m = 5;
  const range both{0.625, 1.5, true};
  GPUAD_CHECK(by_value, cover(n), plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(called_twice, cover(n), plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(huber, cover(n), plain(n), in<double>(n, both), value<double>({0.4375, 0.5}), out<double>(n));
  GPUAD_CHECK(huber, cover(n), plain(n), in<double>(n, both), value<double>({3, 4}), out<double>(n));
  GPUAD_CHECK(through_pointer, cover(n), plain(n), in<float>(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(by_reference, cover(n), plain(n), in<double>(n), through<double>(n), through<double>(n));
  GPUAD_CHECK(on_global_memory, cover(n), plain(n), through<float>(n));
  GPUAD_CHECK(in_conditional, cover(n), plain(n), in<float>(n, both), out<float>(n));
  GPUAD_CHECK(loop_inside, cover(n), plain(n), plain(m), in<float>(n * m), out<float>(n));
  GPUAD_CHECK(call_in_loop, cover(n), plain(n), plain(m), in<double>(n * m, both), out<double>(n));
  GPUAD_CHECK(structs, cover(n), plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(templates, cover(n), plain(n), in<float>(n), constant(std::vector<double>(n, 0.75)), out<float>(n));
  GPUAD_CHECK(functor, cover(n), plain(n), value<quadratic>(), in<float>(n), out<float>(n));
  GPUAD_CHECK(nested_calls, cover(n), plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(private_members, cover(n), plain(n), in<spring>(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(lambdas, cover(n), plain(n), in<float>(n), value<float>(), out<float>(n));
  GPUAD_CHECK(generic_lambda, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(local_types, cover(n), plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(base_initializers, cover(n), plain(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(in_namespace, cover(n), plain(n), in<float>(n), out<float>(n));

  GPUAD_CHECK(assigned_parameters, cover(n), plain(n), in<double>(n + 1), out<double>(n));

  // v^2 w + sin(w) at (3, 0.5): by v 2 v w = 3, by w v^2 + cos(w).
  const double by_w = 9 + std::cos(0.5);
  array<double> result(5, 0.0);
  gain_by_hand<<<1, 1>>>(3, 0.5, result);
  result.expect_near("gain", {4.5 + std::sin(0.5), 2 * 3.0 - by_w, 10 + 3 * 3.0, 20 + 3 * by_w, 20 + 6 * by_w}, 1e-14);
  return verdict();
}
