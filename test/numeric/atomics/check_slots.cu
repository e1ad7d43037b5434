// usage: check_slots BLOCK ORDER
#include "slots_grad.cu"

#include "arguments.h"

#include <cmath>
#include <cstdio>
#include <vector>

using namespace numeric;

const int n = 77, room = 400;

static double value(double x) {
  return std::sin(x) * x;
}
static double slope(double x) {
  return std::cos(x) * x + std::sin(x);
}
static double input(int i) {
  return 0.5 + (i * 37 % n) / double(n);
}

static void wrong(const char *kernel, const char *what, int at, double got, double right) {
  std::printf("WRONG: %s: %s: number %d is %.12g, right is %.12g\n", kernel, what, at, got, right);
  ++failures();
}

static void expect_ok(const char *kernel) {
  gpuad::status status = gpuad::synchronize();
  if (!status.ok()) {
    std::printf("WRONG: %s: %s\n", kernel, status.message().c_str());
    ++failures();
  }
}

static bool is_near(double a, double b) {
  return std::fabs(a - b) <= 1e-12 * (1 + std::fabs(b));
}

static std::vector<double> filled(int count, double (*f)(int)) {
  std::vector<double> list(count);
  for (int i = 0; i < count; ++i)
    list[i] = f(i);
  return list;
}

/// The augmented kernel gives what the kernel gives; the adjoint hands each seed to the input that filled its slot; the
/// tangent goes the same way forward.
template <class Augmented, class Adjoint, class Tangent>
void check(const char *name, const gpuad::launch &where, Augmented augmented, Adjoint adjoint, Tangent tangent) {
  std::vector<double> seeds = filled(room, [](int i) { return 1.0 + i / 16.0; });
  array<double> x(filled(n, input));
  gpuad::record record;
  std::vector<int> source;
  std::vector<double> made;
  for (int time = 1; time <= 2; ++time) { // where only the run knows the need, the first record may be too small
    array<double> out(room, -9.0);
    array<int> count(1, 0), from(room, -1);
    augmented(where, x, out, count, from, record);
    source = from.host();
    made = out.host();
    gpuad::status status = gpuad::synchronize();
    if (status.ok())
      break;
    expect("a record too small is too small once", time == 1 && status.code() == gpuad::error::record_too_small);
  }
  for (int s = 0; s < room; ++s)
    if (!is_near(made[s], source[s] < 0 ? -9.0 : value(input(source[s]))))
      wrong(name, "value of the augmented kernel", s, made[s], source[s] < 0 ? -9.0 : value(input(source[s])));

  array<double> out_again(room, -9.0), x_bar(n, 0.5), out_bar(seeds);
  array<int> count_again(1, 0), from_again(room, -1);
  for (int time = 1; time <= 2; ++time) { // the record may be read as often as one likes
    adjoint(where, x, x_bar, out_again, out_bar, count_again, from_again, record);
    expect_ok(name);
    std::vector<double> right(n, 0.5), left = seeds;
    for (int s = 0; s < room; ++s)
      if (source[s] >= 0) {
        right[source[s]] += seeds[s] * slope(input(source[s]));
        left[s] = 0;
      }
    std::vector<double> bars = x_bar.host(), rest = out_bar.host();
    for (int i = 0; i < n; ++i)
      if (!is_near(bars[i], right[i]))
        wrong(name, "adjoint", i, bars[i], right[i]);
    for (int s = 0; s < room; ++s)
      if (rest[s] != left[s])
        wrong(name, "seed after the adjoint", s, rest[s], left[s]);
    if (!x.untouched() || !out_again.untouched() || !count_again.untouched() || !from_again.untouched()) {
      std::printf("WRONG: %s: the adjoint changed memory of the primal\n", name);
      ++failures();
    }
  }

  array<double> x_dot(filled(n, [](int i) { return 1.0 - i / 32.0; })), out_dot(room, 3.0);
  array<int> count_of(1, 0), from_of(room, -1);
  array<double> out_of(room, -9.0);
  tangent(where, x, x_dot, out_of, out_dot, count_of, from_of);
  expect_ok(name);
  std::vector<int> origin = from_of.host();
  std::vector<double> dots = out_dot.host();
  for (int s = 0; s < room; ++s) {
    double right = origin[s] < 0 ? 3.0 : slope(input(origin[s])) * (1.0 - origin[s] / 32.0);
    if (!is_near(dots[s], right))
      wrong(name, "tangent", s, dots[s], right);
  }
}

#define CHECK(KERNEL, WHERE, ...)                                                                                      \
  check(                                                                                                               \
      #KERNEL, WHERE,                                                                                                  \
      [&](const gpuad::launch &where, auto &x, auto &out, auto &count, auto &from, gpuad::record &record) {            \
        launch_##KERNEL##_augmented(where, __VA_ARGS__, x, out, count, from, record);                                  \
      },                                                                                                               \
      [&](const gpuad::launch &where, auto &x, auto &x_bar, auto &out, auto &out_bar, auto &count, auto &from,         \
          gpuad::record &record) {                                                                                     \
        launch_##KERNEL##_adjoint(where, __VA_ARGS__, x, x_bar, out, out_bar, count, from, record);                    \
      },                                                                                                               \
      [&](const gpuad::launch &where, auto &x, auto &x_dot, auto &out, auto &out_dot, auto &count, auto &from) {       \
        launch_##KERNEL##_tangent(where, __VA_ARGS__, x, x_dot, out, out_dot, count, from);                            \
      })

/// Records that do not serve: nothing is added, and the user is told.
static void check_refusals() {
  auto expect = [](const char *what, const char *part) {
    gpuad::status status = gpuad::synchronize();
    if (status.code() != gpuad::error::record_too_small || status.message().find(part) == std::string::npos) {
      std::printf("WRONG: %s: the status says '%s'\n", what, status.message().c_str());
      ++failures();
    }
  };
  gpuad::launch where{dim3(1), dim3(2)};
  array<double> x(filled(n, input)), out(room, 0.0), x_bar(n, 0.0), out_bar(room, 1.0);
  array<int> count(1, 0), from(room, 0);
  gpuad::record record;
  launch_queue_adjoint(where, n, x, x_bar, out, out_bar, count, from, record);
  expect("an empty record", "its record is empty");
  launch_queue_augmented(where, n, x, out, count, from, record); // about 38 for each thread, and room for 16
  expect("a small record", "the record holds 16");
  if (count.host()[0] != n + 2) {
    std::printf("WRONG: the primal's results are not complete over a small record\n");
    ++failures();
  }
  launch_queue_adjoint(where, n, x, x_bar, out, out_bar, count, from, record);
  gpuad::synchronize();
  for (double one : x_bar.host())
    if (one != 0)
      wrong("queue", "adjoint over a small record", 0, one, 0);
  array<int> count_again(1, 0);
  launch_queue_augmented(where, n, x, out, count_again, from, record);
  expect_ok("queue, with a record that has grown");
  if (record.slots() < 38 || record.needed() < 38)
    wrong("queue", "slots", 0, double(record.slots()), 38);
  launch_queue_adjoint(gpuad::launch{dim3(2), dim3(2)}, n, x, x_bar, out, out_bar, count, from, record);
  expect("a record of another launch", "another shape");
  gpuad::record moved = std::move(record);
  array<int> count_third(1, 0);
  launch_queue_adjoint(where, n, x, x_bar, out, out_bar, count_third, from, moved);
  expect_ok("a record that was moved");
  for (int i = 0; i < n; ++i)
    if (!is_near(x_bar.host()[i], slope(input(i))))
      wrong("queue", "adjoint over a record that was moved", i, x_bar.host()[i], slope(input(i)));
}

int main(int argc, char **argv) {
  start(argc, argv);
  check_refusals(); // first: what a kernel needed is remembered
  for (gpuad::launch where : {gpuad::launch{dim3(3), dim3(32)}, gpuad::launch{dim3(2), dim3(64)}}) {
    CHECK(claim, where, n);
    CHECK(compact, where, n);
    CHECK(compact_by_sum, where, n);
    CHECK(strided, where, n);
    CHECK(rounds, where, n, 1);
    CHECK(rounds, where, n, 3);
    CHECK(queue, where, n);
    CHECK(by_block, where, n);
    CHECK(by_warp, where, n);
    CHECK(by_warp_and_sum, where, n);
    CHECK(until_small, where, n);
    CHECK(by_list_of_indices, where, n);
    CHECK(by_list_of_values, where, n);
    CHECK(by_lists_of_rounds, where, n);
    CHECK(by_equal_lanes, where, n);
  }
  for (gpuad::launch where : {gpuad::launch{dim3(1), dim3(10)}, gpuad::launch{dim3(2), dim3(4, 2, 1)}}) {
    CHECK(strided, where, n);
    CHECK(queue, where, n);
  }
  return verdict();
}
