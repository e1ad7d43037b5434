// Kernels that overwrite memory as often as the data say, with too small a stack: memory is as it was, and a repeat
// gives what an ample stack gives. Part of check_undo.cu.
namespace overflow_checks {
using namespace numeric;

/// Lists through n elements, of different lengths: element i leads to i + step.
inline std::vector<int> lists(int n, int step) {
  std::vector<int> next(n);
  for (int i = 0; i < n; ++i)
    next[i] = i + step < n && i % 7 != 5 ? i + step : -1;
  return next;
}

inline constexpr int n = 40, block = 8, blocks = 5, m = 3;
inline constexpr double limit = 0.3;

/// until_small, with everything that it touches.
struct run {
  array<double> x, x_bar;
  run() : x(inputs()), x_bar(seeds()) {}
  static std::vector<double> inputs() {
    std::vector<double> values(n * m);
    for (int i = 0; i < n * m; ++i)
      values[i] = 0.5 + 0.03 * i;
    return values;
  }
  static std::vector<double> seeds() {
    std::vector<double> values(n * m);
    for (int i = 0; i < n * m; ++i)
      values[i] = 1.0 + 0.125 * i;
    return values;
  }
  void by_hand(const gpuad::stack &stack) { until_small_adjoint<<<blocks, block>>>(n, m, limit, x, x_bar, stack); }
  /// Blocks that are untouched and blocks that are complete.
  void expect_all_or_nothing(const std::vector<double> &right, const char *when) {
    std::vector<double> got = x_bar.host(), before = seeds();
    expect(when, x.untouched());
    for (int b = 0; b < blocks; ++b) {
      auto same = [&](const std::vector<double> &other) {
        return std::equal(got.begin() + b * block * m, got.begin() + (b + 1) * block * m,
                          other.begin() + b * block * m);
      };
      expect("a block is whole or untouched", same(right) || same(before));
    }
  }
};

inline std::vector<double> ample() {
  run one;
  gpuad::stack stack = gpuad::stack::allocate(dim3(blocks), dim3(block), 2000);
  one.by_hand(stack);
  expect("an ample stack is ample", gpuad::synchronize().ok() && stack.needed() == 0 && one.x.untouched());
  stack.free();
  return one.x_bar.host();
}

/// The least number of slots with which all blocks are done at once.
inline size_t exact_need() {
  for (size_t slots = 1;; ++slots) {
    run one;
    gpuad::stack stack = gpuad::stack::allocate(dim3(blocks), dim3(block), slots);
    one.by_hand(stack);
    bool fits = gpuad::synchronize().ok();
    stack.free();
    if (fits)
      return slots;
  }
}

inline void too_small() {
  const std::vector<double> right = ample();
  const size_t need = exact_need();
  for (size_t slots : {size_t(1), size_t(2), need / 3, need / 2, need - 2, need - 1}) {
    run one;
    gpuad::stack stack = gpuad::stack::allocate(dim3(blocks), dim3(block), slots);
    one.by_hand(stack);
    gpuad::status status = gpuad::synchronize();
    expect("too small a stack is reported", status.code() == gpuad::error::stack_too_small);
    expect("with a lower bound",
           status.message().find("at least ") != std::string::npos && stack.needed() > slots && stack.needed() <= need);
    one.expect_all_or_nothing(right, "memory after too small a stack");
    int rounds = 0;
    do {
      stack.grow();
      one.by_hand(stack);
    } while (gpuad::synchronize().code() == gpuad::error::stack_too_small && ++rounds < 12);
    expect("it grows by factors", rounds < 10);
    expect("bit for bit as with an ample stack", one.x_bar.host() == right && one.x.untouched());
    stack.free();
  }
}

/// The launcher repeats by itself.
inline void launcher_grows() {
  const std::vector<double> right = ample();
  for (size_t first : {1, 2, 5, 64}) {
    gpuad::detail::stacks.slots_of["until_small_adjoint"] = first;
    run one;
    launch_until_small_adjoint({dim3(blocks), dim3(block)}, n, m, limit, one.x, one.x_bar);
    expect("the launcher reports nothing", gpuad::synchronize().ok());
    expect("and gets the same", one.x_bar.host() == right && one.x.untouched());
  }
}

/// A kernel whose need follows from its arguments writes nothing when it does not fit.
inline void sized() {
  array<double> x(n * m, 0.75), x_bar(n * m, 1.0);
  gpuad::stack stack = gpuad::stack::allocate(dim3(blocks), dim3(block), m - 2);
  sweep_adjoint<<<blocks, block>>>(n, m, x, x_bar, stack);
  expect("one slot too few", gpuad::synchronize().code() == gpuad::error::stack_too_small && stack.needed() == m - 1);
  expect("changes nothing", x.untouched() && x_bar.host() == std::vector<double>(n * m, 1.0));
  stack.grow();
  sweep_adjoint<<<blocks, block>>>(n, m, x, x_bar, stack);
  expect("grown, it runs", gpuad::synchronize().ok() && x.untouched());
  expect("and adds", x_bar.host() != std::vector<double>(n * m, 1.0));
  stack.free();
}

/// Memory that nobody has written is as unwritten afterwards: a copy is no use of it.
inline void unwritten() {
  array<double> in(n * m, 0.75), in_bar(n * m, 0.0), out_bar(n * m, 1.0);
  double *out = nullptr;
  cudaMalloc(&out, n * m * sizeof(double));
  launch_products_adjoint({dim3(blocks), dim3(block)}, n, m, in, in_bar, out, out_bar);
  expect("memory that was never written",
         gpuad::synchronize().ok() && in_bar.host() != std::vector<double>(n * m, 0.0));
  cudaFree(out);
}

/// One array for two parameters of which the kernel overwrites one.
inline void aliased() {
  array<double> a(n * m, 0.75), bar(n * m, 1.0);
  launch_from_a_to_b_adjoint({dim3(blocks), dim3(block)}, n, m, a, bar, a, bar);
  expect("one array for two is reported", gpuad::synchronize().code() == gpuad::error::aliased);
  expect("and nothing happens", a.untouched() && bar.host() == std::vector<double>(n * m, 1.0));
}

inline void all() {
  too_small();
  launcher_grows();
  sized();
  unwritten();
  aliased();
}
} // namespace overflow_checks
