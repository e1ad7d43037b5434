// Launches an adjoint that records with a stack of one slot too few, lets it grow, and launches again: the blocks that
// did not fit have touched nothing, the need is exact, and the end is that of an ample stack.
#ifndef GPUAD_TEST_SMALL_STACK_H
#define GPUAD_TEST_SMALL_STACK_H

#include "harness.h"

namespace small_stack {
using namespace numeric;

/// The adjoint on one draw of its arguments.
template <class Run> class trial {
public:
  trial(const char *kernel, std::vector<argument *> list, const gpuad::launch &shape, Run launch)
      : name(kernel), arguments(std::move(list)), where(shape), run(launch) {
    std::mt19937 random(7);
    for (argument *each : arguments)
      each->draw(random);
  }

  void check() {
    const std::vector<numbers> right = with_slots(ample);
    reset();
    gpuad::stack stack = gpuad::stack::allocate(where.grid, where.block, 0);
    bool fits = try_run(stack);
    std::size_t need = stack.needed();
    stack.free();
    if (fits)
      return compare("of no slots", right);
    reset();
    std::vector<numbers> before = shadows();
    stack = gpuad::stack::allocate(where.grid, where.block, need - 1);
    expect_that("one slot too few is reported", !try_run(stack));
    expect_that("the need is exact", stack.needed() == need);
    if (gpuad::detail::volume(where.grid) == 1)
      expect_that("a block that does not fit adds nothing", shadows() == before);
    stack.grow();
    expect_that("the grown stack is large enough", try_run(stack));
    compare("that grew", right);
    stack.free();
  }

private:
  static constexpr std::size_t ample = 2000;

  void reset() {
    for (argument *each : arguments) {
      each->load(0);
      if (each->is_active())
        each->load_shadow(each->bar);
    }
  }
  /// Whether the stack was large enough. Primal memory is as it was in any case.
  bool try_run(const gpuad::stack &stack) {
    run(stack);
    gpuad::status status = gpuad::synchronize();
    expect_that("no other error", status.ok() || status.code() == gpuad::error::stack_too_small);
    for (argument *each : arguments)
      expect_that("primal memory is untouched", each->primal_untouched());
    return status.ok();
  }
  std::vector<numbers> with_slots(std::size_t slots) {
    reset();
    gpuad::stack stack = gpuad::stack::allocate(where.grid, where.block, slots);
    expect_that("an ample stack is large enough", try_run(stack));
    stack.free();
    return shadows();
  }
  std::vector<numbers> shadows() const {
    std::vector<numbers> list;
    for (argument *each : arguments)
      list.push_back(each->is_active() ? each->shadow() : numbers());
    return list;
  }
  /// Up to the order in which blocks add.
  void compare(const char *which, const std::vector<numbers> &right) {
    std::vector<numbers> got = shadows();
    for (std::size_t a = 0; a < right.size(); ++a)
      for (std::size_t k = 0; k < right[a].size(); ++k)
        expect_near((std::string(name) + ", a stack " + which + ": shadow").c_str(), k, got[a][k], right[a][k],
                    arguments[a]->is_double() ? 1e-13 : 1e-5);
  }
  void expect_that(const char *what, bool holds) {
    expect((std::string(name) + ", small stack: " + what).c_str(), holds);
  }

  const char *name;
  std::vector<argument *> arguments;
  gpuad::launch where;
  Run run;
};

/// Nothing to do for a kernel without a stack.
template <class Adjoint, class... A>
void check(const char *name, Adjoint adjoint, const gpuad::launch &where, A &&...list) {
  std::apply(
      [&](auto... p) {
        if constexpr (std::is_invocable_v<Adjoint, decltype(p)..., gpuad::stack>) {
          auto run = [&](const gpuad::stack &stack) {
            std::apply([&](auto... now) { adjoint<<<where.grid, where.block>>>(now..., stack); },
                       std::tuple_cat(list.adjoint_arguments()...));
          };
          trial<decltype(run)>(name, {&list...}, where, run).check();
        }
      },
      std::tuple_cat(list.adjoint_arguments()...));
}

} // namespace small_stack

#endif
