// usage: check_models BLOCK ORDER
#include "harness.h"
#include "models_grad.cu"

using namespace numeric;

/// Fields of a struct that are one array, which the loop reads after it has written.
static void check_equal_fields() {
  const int n = 3;
  array<double> x(n, 2.0), x_bar(n, 1.0);
  launch_sums_of_view_adjoint({dim3(1), dim3(4)}, Bodies{x, x, x, n}, Bodies{x_bar, x_bar, x_bar, n}, n);
  expect("equal fields are reported", gpuad::synchronize().code() == gpuad::error::aliased);
  for (int i = 0; i < n; ++i)
    expect_near("nothing is added", i, x_bar.host()[i], 1.0);
}

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 13;
  auto model_of = [](double *data) {
    return data ? Model{{{data, 2}, data + 6}, {{data + 9, 3}, data + 15}} : Model{};
  };
  auto rows_of = [](double *data) { return Tensor<const double>{data, 2}; };
  auto results_of = [](double *data) { return Tensor<double>{data, 2}; };
  GPUAD_CHECK(perceptron, cover(n), in_view<double>(model_of, 17, {0.5, 1.5, true}), in_view<double>(rows_of, 2 * n),
              out_view<double>(results_of, 2 * n), plain(n));
  auto derived_of = [=](double *data) {
    Derived d;
    d.a = data;
    d.y = data ? data + n : nullptr;
    return d;
  };
  GPUAD_CHECK(derived, cover(n), through_view<double>(derived_of, 2 * n), plain(n));
  auto pool_of = [=](double *data) {
    return Pool{{data, data + n}, {{data + 2 * n}, {data + 3 * n}}};
  };
  GPUAD_CHECK(pool, cover(n), through_view<double>(pool_of, 4 * n), plain(n));
  // Two blocks, and what they share: the weights.
  std::vector<std::unique_ptr<array<Batch>>> made;
  auto batches_of = [&](double *data) -> Batch * {
    std::vector<Batch> list;
    for (int k = 0; k < 2; ++k)
      list.push_back({{{data, 4}, data + 16}, data + 20 + 4 * k, data + 28 + 4 * k});
    made.push_back(std::make_unique<array<Batch>>(list));
    return *made.back();
  };
  GPUAD_CHECK(batches, gpuad::launch{dim3(2), dim3(8)}, through_view<double>(batches_of, 36), plain(4));
  auto bodies_of = [=](double *data) { return Bodies{data, data + n, data + 2 * n, n}; };
  GPUAD_CHECK(steps_of_view, cover(n), through_view<double>(bodies_of, 3 * n), out<double>(n));
  std::vector<std::unique_ptr<array<Bodies>>> objects;
  auto object_of = [&](double *data) -> Bodies * {
    objects.push_back(std::make_unique<array<Bodies>>(std::vector<Bodies>{bodies_of(data)}));
    return *objects.back();
  };
  GPUAD_CHECK(steps_in_memory, cover(n), through_view<double>(object_of, 3 * n), out<double>(n));
  std::vector<std::unique_ptr<array<double *>>> tables;
  auto table_of = [&](double *data) -> double ** {
    tables.push_back(std::make_unique<array<double *>>(std::vector<double *>{data + n, data}));
    return *tables.back();
  };
  GPUAD_CHECK(rows_in_place, gpuad::launch{dim3(2), dim3(4)}, through_view<double>(table_of, 2 * n), plain(n), plain(4));
  GPUAD_CHECK(sums_of_view, cover(n), through_view<double>(bodies_of, 3 * n), plain(5));
  check_equal_fields();
  return verdict();
}
