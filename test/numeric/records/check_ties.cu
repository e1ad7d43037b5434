// usage: check_ties BLOCK ORDER
// The kernels' fabsf counts its calls: those of the forward sweep are honest, later ones round up. Without recorded counts
// each of the loops would run longer in the reverse sweep. The right values are those of the honest run, worked out by hand.
#include <algorithm>
constexpr int n = 45, m = 4;
#include "rounded_later.h"

#define fabsf(v) rounded_up_later(v)
#include "ties_grad.cu"
#undef fabsf
#include "harness.h"

using namespace numeric;

/// 1, 2, 4 or 8, so that halving is exact: how often it takes until it is 1.
int halvings(int element) { return (element * 7 + element / m) % 4; }
float input(int element) { return float(1 << halvings(element)); }

std::vector<float> inputs() {
  std::vector<float> values(n * m);
  for (int e = 0; e < n * m; ++e)
    values[e] = input(e);
  return values;
}

/// The product of all v = x / 2, x / 4, ... 1.
double product(double x, int trips) {
  double w = 1;
  for (int k = 1; k <= trips; ++k)
    w *= x / (1 << k);
  return w;
}

template <class Kernel>
void run(const char *name, Kernel kernel, int block, size_t slots, int (*calls_of)(int), const std::vector<double> &right) {
  std::vector<int> first(n);
  for (int i = 0; i < n; ++i)
    first[i] = calls_of(i);
  allow(first);
  array<float> x(inputs()), x_bar(n * m, 0.5f), y(n, 0), y_bar(n, 1);
  dim3 grid((n + block - 1) / block);
  gpuad::stack stack = gpuad::stack::allocate(grid, dim3(block), slots, 4);
  kernel<<<grid, block>>>(n, m, x, x_bar, y, y_bar, stack);
  gpuad::status status = gpuad::synchronize();
  expect(name, status.ok() && stack.needed() == 0);
  x.expect_untouched(name);
  std::vector<float> got = x_bar.host();
  for (int e = 0; e < n * m; ++e)
    expect_near(name, e, got[e], 0.5 + right[e], 1e-5);
  stack.free();
}

int calls_in_row(int i) {
  int sum = 0;
  for (int t = 0; t < m; ++t)
    sum += halvings(i * m + t);
  return sum;
}
int calls_in_first(int i) { return halvings(i * m); }
int one_call_each(int) { return m; }

constexpr size_t most = 3; // halvings of one element

void in_place(int block) {
  std::vector<int> first(n);
  std::vector<double> right(n * m);
  for (int i = 0; i < n; ++i) { // forward in double, keeping what the reverse needs
    struct step { int from, to; double v; };
    std::vector<step> steps;
    double x[m];
    for (int t = 0; t < m; ++t)
      x[t] = input(i * m + t);
    std::vector<std::pair<int, std::vector<step>>> rows;
    for (int t = 0; t < m; ++t) {
      double v = x[t];
      int k = t;
      std::vector<step> row;
      while (v > 1) {
        v *= 0.5;
        k = k + 1 < m ? k + 1 : 0;
        x[k] += 0.25 * v * v;
        row.push_back({t, k, v});
        ++first[i];
      }
      rows.push_back({t, row});
    }
    double bar[m];
    for (int t = 0; t < m; ++t)
      bar[t] = 1 + t;
    for (size_t r = rows.size(); r-- > 0;) {
      double v_bar = 0;
      for (size_t s = rows[r].second.size(); s-- > 0;)
        v_bar = 0.5 * (v_bar + 0.5 * rows[r].second[s].v * bar[rows[r].second[s].to]);
      bar[rows[r].first] += v_bar;
    }
    for (int t = 0; t < m; ++t)
      right[i * m + t] = bar[t];
  }
  allow(first);
  std::vector<float> seeds(n * m);
  for (int e = 0; e < n * m; ++e)
    seeds[e] = 1 + e % m;
  array<float> x(inputs()), x_bar(seeds);
  dim3 grid((n + block - 1) / block);
  gpuad::stack stack = gpuad::stack::allocate(grid, dim3(block), 400, 8);
  halved_in_place_adjoint<<<grid, block>>>(n, m, x, x_bar, stack);
  expect("halved_in_place", gpuad::synchronize().ok() && stack.needed() == 0);
  x.expect_untouched("x of halved_in_place");
  x_bar.expect_near("halved_in_place", right, 1e-5);
  stack.free();
}

int main(int count, char **arguments) {
  start(count, arguments);
  const int block = std::atoi(arguments[1]);
  std::vector<double> loop(n * m), branch(n * m), larger(n * m), bound(n * m);
  for (int e = 0; e < n * m; ++e) {
    int trips = halvings(e);
    double x = input(e), w = product(x, trips);
    loop[e] = larger[e] = trips * w / x;
    branch[e] = e % m == 0 ? 2 * (2 + w) * trips * w / x : 0;
    double value = 1, slope = 0;
    for (int k = 0; k < int(x); ++k) {
      slope = slope * (1 - 0.25 * value) + 0.0625;
      value = value * (1 - 0.125 * value) + 0.0625 * x;
    }
    bound[e] = slope;
  }
  // A word for the count of each iteration, a bit for its condition, two slots for each halving: v and w. Nothing is to spare.
  run("halved_in_loop", halved_in_loop_adjoint, block, m + 2 * most, calls_in_row, loop);
  run("halved_in_branch", halved_in_branch_adjoint, block, 2 * most, calls_in_first, branch);
  run("halved_if_larger", halved_if_larger_adjoint, block, (33 * m + 31) / 32 + 2 * most, one_call_each, larger);
  run("rounded_bound", rounded_bound_adjoint, block, m + 8, one_call_each, bound);
  in_place(block);
  return verdict();
}
