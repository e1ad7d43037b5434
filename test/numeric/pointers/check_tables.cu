// usage: check_tables BLOCK ORDER
#include "harness.h"
#include "tables_grad.cu"

using namespace numeric;

/// Pointers in device memory, one for each entry of `order`: to that row of the data.
struct rows {
  std::size_t length;
  std::vector<int> order;
  std::shared_ptr<std::vector<std::unique_ptr<array<double *>>>> made = {
      std::make_shared<std::vector<std::unique_ptr<array<double *>>>>()};

  double **operator()(double *data) const {
    if (!data)
      return nullptr;
    std::vector<double *> pointers;
    for (int row : order)
      pointers.push_back(data + row * length);
    made->push_back(std::make_unique<array<double *>>(pointers));
    return *made->back();
  }
};

static gpuad::launch one_block_each(int blocks) {
  return {dim3(blocks), dim3(block_size())};
}

/// A struct in device memory that leads to the data.
template <class T> struct in_memory {
  std::function<std::vector<T>(double *)> make;
  std::shared_ptr<std::vector<std::unique_ptr<array<T>>>> made = {
      std::make_shared<std::vector<std::unique_ptr<array<T>>>>()};

  T *operator()(double *data) const {
    if (!data)
      return nullptr;
    made->push_back(std::make_unique<array<T>>(make(data)));
    return *made->back();
  }
};

/// What is not wanted of single rows is left alone.
static void check_null_rows() {
  const int n = 5;
  array<double> x(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), w(std::vector<double>{1, 1}), out(n, 0.0);
  array<double> x_bar(n, 0.0), w_bar(2, 0.0), seed(n, 1.0);
  double *first = x;
  array<double *> table(std::vector<double *>{first, first + n}), shadows(std::vector<double *>{nullptr, x_bar});
  launch_all_rows_adjoint({dim3(1), dim3(8)}, table, shadows, w, w_bar, out, seed, 2, n);
  expect("gpuad is ok", gpuad::synchronize().ok());
  for (int i = 0; i < n; ++i)
    expect_near("the second row", i, x_bar.host()[i], 2.0 * (n + 1 + i), 1e-12);
}

/// A struct of pointers and numbers: its shadow is passed by its address, which may be null.
static void check_numbers_beside() {
  const int n = 4;
  array<double> x(std::vector<double>{1, 2, 3, 4}), y(2 * n, 0.0), x_bar(n, 0.0), seeds(2 * n, 1.0);
  double *out = y, *out_bar = seeds;
  Scaled t{{x, n}, {out, out + n}, 3.0}, t_bar{{x_bar, n}, {out_bar, out_bar + n}, 0.5};
  array<Scaled> bar(std::vector<Scaled>{t_bar});
  launch_numbers_beside_adjoint({dim3(1), dim3(8)}, t, static_cast<Scaled *>(bar));
  launch_numbers_beside_adjoint({dim3(1), dim3(8)}, t, nullptr);
  expect("a struct of numbers and pointers", gpuad::synchronize().ok());
  for (int i = 0; i < n; ++i)
    expect_near("of the array", i, x_bar.host()[i], 2.0 * (i + 1) * 3.0 * 3.0);
  expect_near("of the number", 0, bar.host()[0].scale, 0.5 + 3.0 * (1 + 4 + 9 + 16));
}

/// Fields that the HEAD does not list: nothing comes of their shadows, and nothing goes there.
static void check_some_fields() {
  const int n = 3;
  array<double> x(std::vector<double>{1, 2, 3}), w(std::vector<double>{4, 5, 6}), y(n, 0.0), ones(n, 1.0), y_dot(n, 0.0);
  array<double> x_bar(n, 0.0), w_bar(n, 0.0), seed(n, 1.0);
  Mixed t{x, w, y, 2.0, 7.0};
  launch_some_fields_tangent({dim3(1), dim3(4)}, t, Mixed{ones, ones, y_dot, 1.0, 1.0}, n);
  array<Mixed> bar(std::vector<Mixed>{Mixed{x_bar, w_bar, seed, 0.0, 0.0}});
  launch_some_fields_adjoint({dim3(1), dim3(4)}, t, static_cast<Mixed *>(bar), n);
  expect("fields that are listed", gpuad::synchronize().ok());
  for (int i = 0; i < n; ++i) {
    double xi = i + 1, wi = i + 4;
    expect_near("tangent of x and a alone", i, y_dot.host()[i], wi * 2.0 + 7.0 + xi * wi);
    expect_near("adjoint of x", i, x_bar.host()[i], wi * 2.0 + 7.0);
    expect_near("nothing for w", i, w_bar.host()[i], 0.0);
  }
  expect_near("adjoint of a", 0, bar.host()[0].a, 4.0 + 10.0 + 18.0);
  expect_near("nothing for b", 0, bar.host()[0].a_of_others, 0.0);
}

/// Rows that are read after rows of another array were written, and are the same.
static void check_equal_rows() {
  const int m = 2;
  array<double> a(2 * m * m, 1.0), b(m * m, 2.0), c(m * m, 0.0), a_bar(2 * m * m, 0.0), b_bar(m * m, 0.0);
  array<double> seed(m * m, 1.0);
  double *first = a, *seeds = seed;
  array<double *> as(std::vector<double *>{first, first + m * m}), bs(std::vector<double *>{b, b});
  array<double *> cs(std::vector<double *>{first, c}); // the first block writes what it reads
  double *bars = a_bar;
  array<double *> a_bars(std::vector<double *>{bars, bars + m * m}), b_bars(std::vector<double *>{b_bar, b_bar});
  array<double *> c_bars(std::vector<double *>{bars, seeds});
  launch_batched_product_adjoint({dim3(2), dim3(m)}, as, a_bars, bs, b_bars, cs, c_bars, m);
  gpuad::status status = gpuad::synchronize();
  expect("equal rows are reported", status.code() == gpuad::error::aliased);
  for (int k = 0; k < m * m; ++k) {
    expect_near("nothing for the first block", k, a_bar.host()[k], 0.0);
    expect_near("the second one is complete", k, a_bar.host()[m * m + k], 4.0);
  }
}

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 13, blocks = 3;
  GPUAD_CHECK(batched_product, gpuad::launch{dim3(2), dim3(4)}, in_view<double>(rows{16, {0, 1}}, 32),
              in_view<double>(rows{16, {1, 1}}, 32), out_view<double>(rows{16, {1, 0}}, 32), plain(4));
  GPUAD_CHECK(batched_in_place, one_block_each(blocks), through_view<double>(rows{n, {2, 0, 1}}, blocks * n), plain(n));
  GPUAD_CHECK(elementwise, one_block_each(blocks), in_view<double>(rows{n, {0, 1, 0}}, 2 * n),
              out_view<double>(rows{n, {0, 1, 2}}, blocks * n), plain(n));
  GPUAD_CHECK(all_rows, cover(n), in_view<double>(rows{n, {0, 1, 2, 1}}, 3 * n, {0.5, 1.5, true}), in<double>(4),
              out<double>(n), plain(4), plain(n));
  GPUAD_CHECK(in_callees, gpuad::launch{dim3(1), dim3(32)}, in_view<double>(rows{n, std::vector<int>(32, 0)}, n),
              out<double>(32), plain(n));
  auto view_of = [=](double *data) {
    Fields made{{}, {}, n};
    for (int k = 0; k < 3 && data; ++k)
      made.in[k] = data + k * n;
    for (int k = 0; k < 2 && data; ++k)
      made.out[k] = data + (3 + k) * n;
    return made;
  };
  GPUAD_CHECK(fields, cover(n), through_view<double>(view_of, 5 * n), value<double>());
  auto views_of = [=](double *data) {
    return data ? Views{{data, n}, {data + n, n}, data + 2 * n} : Views{{nullptr, n}, {nullptr, n}, nullptr};
  };
  GPUAD_CHECK(nested_views, cover(n), through_view<double>(views_of, 3 * n));
  auto many_of = [=](double *data) {
    return ManyViews{{{data, n}, {data + n, n}, {data, n}}, data + 2 * n};
  };
  GPUAD_CHECK(array_of_views, cover(n), through_view<double>(many_of, 3 * n));
  in_memory<View> table{[=](double *data) {
    return std::vector<View>{{data, n}, {data + n, n}, {data, n}};
  }};
  GPUAD_CHECK(views_in_memory, cover(n), in_view<double>(table, 2 * n), out<double>(n), plain(3), plain(n));
  in_memory<Views> structs{[=](double *data) { return std::vector<Views>{views_of(data)}; }};
  GPUAD_CHECK(struct_in_memory, cover(n), through_view<double>(structs, 3 * n), plain(n));
  check_numbers_beside();
  check_some_fields();
  check_null_rows();
  check_equal_rows();
  return verdict();
}
