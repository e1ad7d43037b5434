// What becomes of stacks that are too small: nothing is lost, nothing is counted twice. Part of check_records.cu.
namespace stack_checks {
using namespace numeric;
inline constexpr int n = 100, block = 16, blocks = 7;
inline constexpr double stop = 0.3;

/// until_small, with the seeds and shadows of one run.
struct decay_run {
  array<double> x, x_bar, out, out_bar;
  decay_run() : x(inputs()), x_bar(n, 0.25), out(n, 7.0), out_bar(seeds()) {}
  static std::vector<double> inputs() {
    std::vector<double> values(n);
    for (int i = 0; i < n; ++i)
      values[i] = 0.5 + 0.01 * i;
    return values;
  }
  static std::vector<double> seeds() {
    std::vector<double> values(n);
    for (int i = 0; i < n; ++i)
      values[i] = 1.0 + 0.125 * i;
    return values;
  }
  void by_hand(const gpuad::stack &stack) {
    until_small_adjoint<<<blocks, block>>>(n, stop, x, x_bar, out, out_bar, stack);
  }
};

inline size_t trips_of(double x, int i) {
  size_t count = 0;
  for (double v = x * (1 + i % 7); v > stop; v = 0.5 * v + 0.1 * std::sqrt(v))
    ++count;
  return count;
}

/// The largest need of a block, over all or over one.
inline size_t need_of(int only = -1) {
  size_t most = 0;
  std::vector<double> x = decay_run::inputs();
  for (int i = 0; i < n; ++i)
    if (only < 0 || i / block == only)
      most = std::max(most, trips_of(x[i], i));
  return most;
}

inline std::vector<double> ample(std::vector<double> *seeds = nullptr) {
  decay_run run;
  gpuad::stack stack = gpuad::stack::allocate(dim3(blocks), dim3(block), 1000);
  run.by_hand(stack);
  expect("an ample stack is ample", gpuad::synchronize().ok() && stack.needed() == 0);
  stack.free();
  if (seeds)
    *seeds = run.out_bar.host();
  return run.x_bar.host();
}

inline void one_slot_too_few() {
  decay_run run;
  const size_t need = need_of();
  gpuad::stack stack = gpuad::stack::allocate(dim3(blocks), dim3(block), need - 1);
  run.by_hand(stack);
  gpuad::status status = gpuad::synchronize();
  expect("a stack of one slot too few is reported", status.code() == gpuad::error::stack_too_small);
  expect("the message gives the need", status.message().find(std::to_string(need) + " slots") != std::string::npos);
  expect("the need is exact", stack.needed() == need);
  std::vector<double> seeds, right = ample(&seeds), got = run.x_bar.host(), left = run.out_bar.host();
  for (int i = 0; i < n; ++i) {
    bool fits = need_of(i / block) < need;
    expect_near("shadow after the first launch", i, got[i], fits ? right[i] : 0.25, 0);
    expect_near("seed after the first launch", i, left[i], fits ? seeds[i] : decay_run::seeds()[i], 0);
  }
  expect("primal memory", run.x.host() == decay_run::inputs() && run.out.host() == std::vector<double>(n, 7.0));
  stack.grow();
  run.by_hand(stack);
  expect("the grown stack completes it", gpuad::synchronize().ok());
  expect("bit for bit as with an ample stack", run.x_bar.host() == right && run.out_bar.host() == seeds);
  run.by_hand(stack); // all blocks are done: nothing is counted twice
  expect("once more adds nothing", gpuad::synchronize().ok() && run.x_bar.host() == right);
  stack.restart();
  decay_run again;
  again.by_hand(stack);
  expect("a new start does all blocks", gpuad::synchronize().ok() && again.x_bar.host() == right);
  stack.free();
}

/// The launcher repeats by itself, from any first guess.
inline void launcher_grows() {
  std::vector<double> right = ample();
  for (size_t first : {1, 3, 64}) {
    gpuad::detail::stacks.slots_of["until_small_adjoint"] = first;
    decay_run run;
    launch_until_small_adjoint({dim3(blocks), dim3(block)}, n, stop, run.x, run.x_bar, run.out, run.out_bar);
    expect("the launcher reports nothing", gpuad::synchronize().ok());
    expect("and gets the same", run.x_bar.host() == right);
  }
}

/// Fewer places in the slab than blocks: they take turns.
inline void blocks_share_places() {
  std::vector<double> right = ample();
  gpuad::stack_memory shape{size_t(blocks), size_t(block), 2, 8};
  void *slab, *marks;
  cudaMalloc(&slab, shape.slab_bytes(1000));
  cudaMalloc(&marks, shape.marks_bytes());
  cudaMemset(marks, 0, shape.marks_bytes());
  decay_run run;
  run.by_hand(shape.over(slab, marks, 1000));
  expect("two places for seven blocks", gpuad::synchronize().ok() && run.x_bar.host() == right);
  cudaFree(slab);
  cudaFree(marks);
}

inline void limits() {
  gpuad::release();
  gpuad::limit_stack(40 * blocks * block * 8);
  array<double> v0(n, 1.0), v0_bar(n, 0.0), h(1, 0.5), h_bar(1, 0.0), v(n, 0.0), v_bar(n, 1.0);
  launch_relax_adjoint({dim3(blocks), dim3(block)}, n, 70, v0, v0_bar, h, h_bar, v, v_bar);
  gpuad::status status = gpuad::synchronize();
  expect("a limit that cannot be met is reported", status.code() == gpuad::error::stack_too_small);
  expect("with the need", status.message().find("70 slots") != std::string::npos);
  expect("and nothing is added", v0_bar.host() == std::vector<double>(n, 0.0));
  launch_relax_adjoint({dim3(blocks), dim3(block)}, n, 39, v0, v0_bar, h, h_bar, v, v_bar);
  expect("what fits the limit runs", gpuad::synchronize().ok() && v0_bar.host() != std::vector<double>(n, 0.0));
  gpuad::limit_stack(~size_t(0));
}

/// A stack made by hand for a kernel whose need follows from its arguments.
inline void sized_by_hand() {
  array<double> v0(n, 1.0), v0_bar(n, 0.0), h(1, 0.5), h_bar(1, 0.0), v(n, 0.0), v_bar(n, 1.0);
  gpuad::stack stack = gpuad::stack::allocate(dim3(blocks), dim3(block), 9);
  relax_adjoint<<<blocks, block>>>(n, 10, v0, v0_bar, h, h_bar, v, v_bar, stack);
  expect("one slot too few", gpuad::synchronize().code() == gpuad::error::stack_too_small && stack.needed() == 10);
  expect("adds nothing", v0_bar.host() == std::vector<double>(n, 0.0) && v_bar.host() == std::vector<double>(n, 1.0));
  stack.grow();
  relax_adjoint<<<blocks, block>>>(n, 10, v0, v0_bar, h, h_bar, v, v_bar, stack);
  expect("grown, it adds", gpuad::synchronize().ok() && v0_bar.host() != std::vector<double>(n, 0.0));
  stack.free();
}

/// Without waiting, `synchronize` tells.
inline void no_wait() {
  gpuad::detail::stacks.slots_of["until_small_adjoint"] = 64;
  gpuad::limit_stack(2 * blocks * block * 8);
  gpuad::release();
  decay_run run;
  gpuad::launch where{dim3(blocks), dim3(block)};
  where.no_wait = true;
  launch_until_small_adjoint(where, n, stop, run.x, run.x_bar, run.out, run.out_bar);
  expect("not waited for, but not lost", gpuad::synchronize().code() == gpuad::error::stack_too_small);
  gpuad::limit_stack(~size_t(0));
}

/// A later launch on the stream does not hide what an earlier one reports.
inline void no_wait_twice() {
  decay_run small, large;
  gpuad::launch where{dim3(blocks), dim3(block)};
  where.no_wait = true;
  for (decay_run *run : {&small, &large}) {
    gpuad::detail::stacks.slots_of["until_small_adjoint"] = run == &small ? 1 : 1000;
    gpuad::limit_stack(run == &small ? 2 * blocks * block * 8 : ~size_t(0));
    gpuad::release();
    launch_until_small_adjoint(where, n, stop, run->x, run->x_bar, run->out, run->out_bar);
    if (run == &small) // nor does the end of the memory that was kept
      expect("the first is pending", gpuad::detail::stacks.pending.size() == 1);
  }
  expect("what did not fit is reported", gpuad::synchronize().code() == gpuad::error::stack_too_small);
  for (decay_run *run : {&small, &large}) {
    gpuad::detail::stacks.slots_of["until_small_adjoint"] = run == &small ? 1 : 1000;
    gpuad::limit_stack(run == &small ? 2 * blocks * block * 8 : ~size_t(0));
    launch_until_small_adjoint(where, n, stop, run->x, run->x_bar, run->out, run->out_bar);
  }
  expect("on one stream as well", gpuad::synchronize().code() == gpuad::error::stack_too_small);
  expect("and once", gpuad::synchronize().ok());
}

/// What a graph launches later uses memory that is still there, and nobody else's.
inline void captured() {
  gpuad::release();
  std::vector<double> right = ample();
  decay_run run, later;
  gpuad::detail::stacks.slots_of["until_small_adjoint"] = 1000;
  pretend::is_capturing = true;
  launch_until_small_adjoint({dim3(blocks), dim3(block)}, n, stop, run.x, run.x_bar, run.out, run.out_bar);
  array<double> v0(n, 1.0), v0_bar(n, 0.0), h(1, 0.5), h_bar(1, 0.0), v(n, 0.0), v_bar(n, 1.0);
  launch_relax_adjoint({dim3(blocks), dim3(block)}, n, 70, v0, v0_bar, h, h_bar, v, v_bar);
  pretend::is_capturing = false;
  expect("the graph owns no memory", pretend::allocated_in_graph == 0);
  expect("each launch has its own", gpuad::detail::stacks.captured.size() == 2);
  gpuad::detail::kept_memory memory = gpuad::detail::stacks.captured.front();
  expect("and the kept memory is left alone", gpuad::detail::stacks.kept.empty());
  launch_relax_adjoint({dim3(blocks), dim3(block)}, n, 5000, v0, v0_bar, h, h_bar, v, v_bar);
  expect("what runs meanwhile is well", gpuad::synchronize().ok());
  gpuad::stack_memory shape{size_t(blocks), size_t(block), size_t(blocks), 8};
  cudaMemset(memory.marks, 0, shape.marks_bytes()); // as the graph does
  later.by_hand(shape.over(memory.slab, memory.marks, 1000));
  expect("launched again, it is right", gpuad::synchronize().ok() && later.x_bar.host() == right);
  cudaMemset(memory.marks, 0, shape.marks_bytes());
  later.by_hand(shape.over(memory.slab, memory.marks, 2));
  expect("what does not fit is reported then", gpuad::synchronize().code() == gpuad::error::stack_too_small);
  gpuad::release();
  expect("released", gpuad::detail::stacks.captured.empty() && gpuad::detail::stacks.pending.empty());
}

/// Three nested loops of N iterations that carry a value each take 3 N slots, and really those.
inline void slots_add_up() {
  const int trips = 40;
  std::vector<double> right;
  for (size_t slots : {size_t(1000), size_t(3 * trips), size_t(3 * trips - 1)}) {
    array<double> x(decay_run::inputs()), x_bar(n, 0.25), out(n, 7.0), out_bar(n, 1.0);
    gpuad::stack stack = gpuad::stack::allocate(dim3(blocks), dim3(block), slots);
    three_levels_adjoint<<<blocks, block>>>(n, trips, trips, trips, x, x_bar, out, out_bar, stack);
    gpuad::status status = gpuad::synchronize();
    if (right.empty())
      right = x_bar.host();
    bool fits = slots >= 3 * trips;
    expect("three levels take the sum of their trips",
           fits ? status.ok() && x_bar.host() == right : stack.needed() == 3 * trips);
    expect("and add nothing where it is not there", fits || x_bar.untouched());
    stack.free();
  }
}

inline void all() {
  slots_add_up();
  one_slot_too_few();
  launcher_grows();
  blocks_share_places();
  limits();
  sized_by_hand();
  no_wait();
  no_wait_twice();
  captured();
}
} // namespace stack_checks
