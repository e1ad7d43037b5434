// Checks the derivatives of a kernel against each other and against the kernel itself, on random numbers.
//
//   numeric::start(argc, argv);              // usage: PROGRAM BLOCK [ascending|descending|shuffle:SEED]
//   GPUAD_CHECK(saxpy, numeric::cover(n), plain(n), value<float>(), in<float>(n), through<float>(n));
//   return numeric::verdict();
//
// The arguments describe the parameters of the kernel in their order:
//
//   plain(v), constant(values)   inactive, by value or an array
//   inactive_out<T>(count)       an array without derivative that is overwritten, such as integers
//   value<T>()                   active, by value: the adjoint adds into its shadow
//   in<T>(count)                 an active array that is only read: the adjoint adds into its shadow
//   out<T>(count)                one that is overwritten and not read: its shadow is the seed
//   through<T>(count)            any other that is written; its shadow cannot be left out
//   in_view<T>(view, count)      (or out_view, through_view) an array behind a view: view(T*) gives what the kernel
//   takes in<T>(count, {from, to, both_signs, base}, {prototypes...})
//                                which numbers, and what the elements hold besides numbers
//
// What is checked, for two draws of inputs, directions and seeds:
//
// - the tangent's values are the kernel's, its derivatives are the difference quotients of the kernel, and it leaves
//   alone what it only reads, and the shadows of that;
// - values and derivatives are those of the kernel's own text on dual numbers, where the program names it (dual.h);
// - <seed, tangent> = <what the adjoint added, direction> + <what it left in the seeds, direction>, where shadows that
//   are added to do not start at zero;
// - the adjoint leaves primal memory as it was, bit for bit, and also what is no number in shadows; a seed is consumed
//   (zero) or left as it was; and running it twice adds twice;
// - a null shadow of an input or output counts as zeros, and leaves all others as they are.
//
// A program that is compiled with GPUAD_AGAIN includes derivatives that were differentiated once more (second.py), and
// compares the tangent of the adjoint with difference quotients of the adjoint instead; with GPUAD_TWICE the tangent of
// the tangent with those of the tangent as well.
#ifndef GPUAD_TEST_HARNESS_H
#define GPUAD_TEST_HARNESS_H

#include "dual.h"
#include "dual_check.h"

#include <functional>

// The tangents of a kernel's adjoint and tangent. second.py defines GPUAD_WITHOUT_SECOND_kernel for one that has none.
#ifdef GPUAD_AGAIN
#include GPUAD_AGAIN
#define GPUAD_SECOND_OF(SPACE, KERNEL)                                                                                 \
  numeric::second_of(GPUAD_PICK_SECOND(GPUAD_WITHOUT_SECOND_##KERNEL, SPACE launch_##KERNEL##_adjoint_tangent, ),      \
                     GPUAD_TWICE_OF(SPACE, KERNEL))
#define GPUAD_PICK_SECOND(...) GPUAD_TAKE_SECOND(__VA_ARGS__)
#define GPUAD_TAKE_SECOND(FIRST, TAKEN, ...) TAKEN
#else
#define GPUAD_SECOND_OF(SPACE, KERNEL) nullptr
#endif
#ifdef GPUAD_TWICE
#define GPUAD_TWICE_OF(SPACE, KERNEL)                                                                                  \
  GPUAD_PICK_SECOND(GPUAD_WITHOUT_SECOND_##KERNEL, SPACE launch_##KERNEL##_tangent_tangent, )
#else
#define GPUAD_TWICE_OF(SPACE, KERNEL) nullptr
#endif

namespace numeric {

#ifdef GPUAD_AGAIN
constexpr bool is_again = true;
#else
constexpr bool is_again = false;
#endif

/// Launchers of the tangents of an adjoint and of a tangent; null: there is none.
template <class Second, class Twice> struct second_of {
  second_of(Second of_adjoint, Twice of_tangent) : of_adjoint(of_adjoint), of_tangent(of_tangent) {}
  Second of_adjoint;
  Twice of_tangent;
};
struct no_second {
  std::nullptr_t of_adjoint, of_tangent;
};
inline no_second seconds_of(std::nullptr_t) {
  return {};
}
template <class Second, class Twice> second_of<Second, Twice> seconds_of(second_of<Second, Twice> both) {
  return both;
}

template <class Kernel, class... P> void launch_kernel(Kernel kernel, const gpuad::launch &where, P... parameters) {
  kernel<<<where.grid, where.block, where.shared_bytes, where.stream>>>(parameters...);
}

/// A kernel that is run by its launcher, which gives it a stack.
template <class Launcher> struct launched {
  Launcher launcher;
};
template <class Launcher, class... P>
void launch_kernel(launched<Launcher> kernel, const gpuad::launch &where, P... parameters) {
  kernel.launcher(where, parameters...);
}

/// One kernel with its derivatives and arguments; the three functions run them on what the arguments hold now.
class checker {
public:
  checker(const char *kernel, std::vector<argument *> list, std::function<void()> p, std::function<void()> t,
          std::function<void()> a, std::function<dual_result()> d, std::function<void()> s, std::function<void()> w)
      : name(kernel), arguments(std::move(list)), primal(std::move(p)), tangent(std::move(t)), adjoint(std::move(a)),
        dual(std::move(d)), second(std::move(s)), twice(std::move(w)) {
    bool exact = true;
    for (argument *each : arguments)
      exact &= each->is_double();
    step = exact ? 1.0 / 1024 : 1.0 / 32;
    difference_tolerance = exact ? 1e-8 : 2e-4;
    rounding_of_differences = exact ? 0 : 2e-5; // a rounding error over the step
    tolerance = exact ? 1e-13 : 1e-5;
    dual_tolerance = exact ? 1e-12 : 5e-5;
  }

  void check(unsigned seed) {
    std::mt19937 random(seed);
    for (argument *each : arguments)
      each->draw(random);
    if (second)
      check_second();
    if (twice)
      check_twice_tangent();
    if (is_again)
      return;
    check_tangent();
    if (dual)
      check_dual();
    if (adjoint) {
      check_adjoint();
      check_twice();
    }
    for (argument *each : arguments)
      if (each->is_active() && each->may_be_null)
        check_null(each);
  }

private:
  void wrong(const std::string &what) {
    std::printf("WRONG: %s: %s\n", name, what.c_str());
    ++failures();
  }
  /// The kernel and its derivatives ran, and ran well.
  void expect_ok(const char *what) {
    gpuad::status status = gpuad::synchronize();
    if (status.ok())
      return;
    wrong(std::string(what) + ": " + status.message());
    if (status.code() == gpuad::error::cuda) // nothing runs after it
      std::exit(verdict());
  }
  void load(double along) {
    for (argument *each : arguments)
      each->load(along);
  }
  template <class Get> std::vector<numbers> all(Get get) const {
    std::vector<numbers> list;
    for (argument *each : arguments)
      list.push_back(get(*each));
    return list;
  }
  std::vector<numbers> run_primal(double along) {
    load(along);
    primal();
    expect_ok("primal");
    return all([](argument &each) { return each.written ? each.primal() : numbers(); });
  }
  std::vector<numbers> run_tangent(const argument *zero = nullptr) {
    load(0);
    for (argument *each : arguments)
      each->use_shadow_of_adjoint(false);
    for (argument *each : arguments)
      if (each->is_active())
        each->load_shadow(each == zero ? numbers(each->direction.size(), 0.0) : each->direction);
    tangent();
    expect_ok("tangent");
    return all([](argument &each) { return each.written ? each.shadow() : numbers(); });
  }
  std::vector<numbers> run_adjoint(const argument *zero = nullptr) {
    load(0);
    for (argument *each : arguments)
      each->use_shadow_of_adjoint(true);
    for (argument *each : arguments)
      if (each->is_active())
        each->load_shadow(each == zero ? numbers(each->bar.size(), 0.0) : each->bar);
    adjoint();
    expect_ok("adjoint");
    return all([](argument &each) { return each.is_active() ? each.shadow() : numbers(); });
  }

  void compare(const std::string &what, std::size_t which, const numbers &got, const numbers &right, double allowed,
               const numbers &noise = {}) {
    for (std::size_t k = 0; k < right.size(); ++k)
      if (!(std::fabs(got[k] - right[k]) <= allowed * (1 + std::fabs(right[k])) + (noise.empty() ? 0 : noise[k]))) {
        char text[200];
        std::snprintf(text, sizeof text, "%s: number %zu of parameter %zu is %.9g, right is %.9g", what.c_str(), k,
                      which, got[k], right[k]);
        return wrong(text);
      }
  }

  void check_tangent() {
    std::vector<numbers> values = run_primal(0), dots = run_tangent();
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      if (arguments[a]->written) {
        compare("value in the tangent", a, arguments[a]->primal(), values[a], tolerance);
        moving |= std::any_of(dots[a].begin(), dots[a].end(), [](double dot) { return dot != 0; });
      } else {
        if (!arguments[a]->inactive_written && !arguments[a]->primal_untouched())
          wrong("the tangent changed parameter " + std::to_string(a));
        if (arguments[a]->is_active())
          compare("shadow of an input after the tangent", a, arguments[a]->shadow(), arguments[a]->direction, 0);
      }
      if (arguments[a]->is_active() && !arguments[a]->shadow_gaps_untouched())
        wrong("the tangent wrote into the gaps of the shadow of parameter " + std::to_string(a));
    }
    if (!moving)
      wrong("every tangent is zero: this checks nothing");
    compare_quotients("tangent", dots, values, [&](double along) { return run_primal(along); }, step);
  }

  void check_dual() {
    dual_result right = dual();
    expect_ok("kernel on dual numbers");
    if (!right.is_known) {
      std::printf("%s is not compared with dual numbers\n", name);
      return;
    }
    std::vector<numbers> dots = run_tangent();
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      if (right.dots[a].empty())
        continue;
      compare("value against dual numbers", a, arguments[a]->primal(), right.values[a], dual_tolerance);
      compare("tangent against dual numbers", a, dots[a], right.dots[a], dual_tolerance);
    }
  }

  void check_adjoint() {
    std::vector<numbers> dots = run_tangent(), bars = run_adjoint();
    double left = 0, right = 0, size = 0;
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      argument &each = *arguments[a];
      if (!each.primal_untouched())
        wrong("the adjoint changed parameter " + std::to_string(a));
      if (!each.is_active())
        continue;
      if (!each.shadow_gaps_untouched())
        wrong("the adjoint wrote into the gaps of the shadow of parameter " + std::to_string(a));
      for (std::size_t k = 0; k < each.direction.size(); ++k) {
        double into = each.written ? each.bar[k] * dots[a][k] : 0;
        double out = (each.written ? bars[a][k] : bars[a][k] - each.bar[k]) * each.direction[k];
        left += into;
        right += out;
        size += std::fabs(into) + std::fabs(bars[a][k] * each.direction[k]);
      }
    }
    if (!(std::fabs(left - right) <= tolerance * (1 + size))) {
      char text[200];
      std::snprintf(text, sizeof text, "<seed, tangent> is %.12g, <adjoint, direction> is %.12g, off by %.2g of %.4g",
                    left, right, left - right, size);
      wrong(text);
    }
  }

  /// Seeds that are set again, and everything else left as the first run left it.
  void check_twice() {
    std::vector<numbers> once = run_adjoint();
    for (std::size_t a = 0; a < arguments.size(); ++a)
      if (arguments[a]->written) {
        if (arguments[a]->may_be_null) // overwritten, and not read before
          for (std::size_t k = 0; k < once[a].size(); ++k)
            if (once[a][k] != 0 && once[a][k] != arguments[a]->bar[k])
              return wrong("the adjoint made " + std::to_string(once[a][k]) + " of a seed, parameter " +
                           std::to_string(a));
        arguments[a]->load_shadow(arguments[a]->bar);
      }
    adjoint();
    expect_ok("the adjoint, run twice");
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      numbers right = once[a];
      if (arguments[a]->is_active() && !arguments[a]->written)
        for (std::size_t k = 0; k < right.size(); ++k)
          right[k] += once[a][k] - arguments[a]->bar[k];
      if (arguments[a]->is_active())
        compare("the adjoint run twice", a, arguments[a]->shadow(), right, tolerance);
    }
  }

  /// Everything moved along its direction.
  void load_along(double along, bool isAdjoint) {
    load(along);
    for (argument *each : arguments) {
      each->use_shadow_of_adjoint(isAdjoint);
      numbers moved = each->bar;
      for (std::size_t k = 0; k < moved.size(); ++k)
        moved[k] += along * each->bar_direction[k];
      if (each->is_active())
        each->load_shadow(moved);
    }
  }
  /// What the adjoint leaves in the shadows there.
  std::vector<numbers> run_adjoint_along(double along) {
    load_along(along, true);
    adjoint();
    expect_ok("adjoint");
    return all([](argument &each) { return each.is_active() ? each.shadow() : numbers(); });
  }
  void load_second(bool isAdjoint) {
    load_along(0, isAdjoint);
    for (argument *each : arguments)
      if (each->is_active())
        each->load_tangents();
  }

  /// Third derivatives are larger.
  double length_of_second() const { return rounding_of_differences == 0 ? step / 4 : step; }

  void check_second() {
    std::vector<numbers> values = run_adjoint_along(0);
    load_second(true);
    second();
    expect_ok("tangent of the adjoint");
    std::vector<numbers> got = all([](argument &each) { return each.is_active() ? each.shadow_tangent() : numbers(); });
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      if (!arguments[a]->primal_untouched())
        wrong("the tangent of the adjoint changed parameter " + std::to_string(a));
      if (!arguments[a]->is_active())
        continue;
      compare("tangent of the primal behind that of the adjoint", a, arguments[a]->primal_tangent(),
              arguments[a]->direction, 0);
      compare("value in the tangent of the adjoint", a, arguments[a]->shadow(), values[a], tolerance);
    }
    compare_quotients(
        "tangent of the adjoint", got, values, [&](double along) { return run_adjoint_along(along); },
        length_of_second());
  }

  /// What the tangent gives where everything has moved along its direction: values, and behind them tangents.
  std::vector<numbers> run_tangent_along(double along) {
    load_along(along, false);
    tangent();
    expect_ok("tangent");
    std::vector<numbers> given = all([](argument &each) { return each.written ? each.primal() : numbers(); });
    for (argument *each : arguments)
      given.push_back(each->written ? each->shadow() : numbers());
    return given;
  }

  void check_twice_tangent() {
    std::vector<numbers> values = run_tangent_along(0);
    load_second(false);
    twice();
    expect_ok("tangent of the tangent");
    std::vector<numbers> got = all([](argument &each) { return each.written ? each.primal_tangent() : numbers(); });
    for (std::size_t a = 0, count = arguments.size(); a < count; ++a) {
      got.push_back(arguments[a]->written ? arguments[a]->shadow_tangent() : numbers());
      if (!arguments[a]->written)
        continue;
      compare("value in the tangent of the tangent", a, arguments[a]->primal(), values[a], tolerance);
      compare("tangent in the tangent of the tangent", a, arguments[a]->shadow(), values[count + a], tolerance);
    }
    compare_quotients(
        "tangent of the tangent", got, values, [&](double along) { return run_tangent_along(along); },
        length_of_second());
  }

  template <class Run> static std::vector<numbers> central(const Run &run, double length) {
    std::vector<numbers> up = run(length), down = run(-length);
    for (std::size_t a = 0; a < up.size(); ++a)
      for (std::size_t k = 0; k < up[a].size(); ++k)
        up[a][k] = (up[a][k] - down[a][k]) / (2 * length);
    return up;
  }

  /// Two central differences, and what they say together about a step of zero; a third one where these do not agree
  /// with `got`, with a rounding error over a shorter step.
  template <class Run>
  void compare_quotients(const std::string &what, const std::vector<numbers> &got, const std::vector<numbers> &values,
                         const Run &run, double length) {
    std::vector<numbers> far = central(run, length), near = central(run, length / 2), nearest;
    for (std::size_t a = 0; a < values.size(); ++a) {
      numbers quotients(values[a].size()), noise(values[a].size());
      bool agrees = true;
      for (std::size_t k = 0; k < quotients.size(); ++k) {
        quotients[k] = (4 * near[a][k] - far[a][k]) / 3;
        noise[k] = rounding_of_differences * std::fabs(values[a][k]);
        double allowed = difference_tolerance * (1 + std::fabs(quotients[k])) + noise[k];
        agrees &= std::fabs(got[a][k] - quotients[k]) <= allowed;
      }
      if (!agrees && nearest.empty())
        nearest = central(run, length / 4);
      for (std::size_t k = 0; k < quotients.size() && !agrees; ++k) {
        quotients[k] = (64 * nearest[a][k] - 20 * near[a][k] + far[a][k]) / 45;
        noise[k] *= 2;
      }
      compare(what + " against differences", a % arguments.size(), got[a], quotients, difference_tolerance, noise);
    }
  }

  void check_null(argument *one) {
    std::vector<numbers> bars, other_bars, dots = run_tangent(one), other_dots;
    if (adjoint)
      bars = run_adjoint(one);
    one->null_shadow = true;
    if (adjoint)
      other_bars = run_adjoint(one);
    other_dots = run_tangent(one);
    one->null_shadow = false;
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      if (arguments[a] != one && adjoint)
        compare("adjoint beside a null shadow", a, other_bars[a], bars[a], tolerance);
      if (arguments[a] != one)
        compare("tangent beside a null shadow", a, other_dots[a], dots[a], tolerance);
    }
  }

  const char *name;
  std::vector<argument *> arguments;
  std::function<void()> primal, tangent, adjoint;
  std::function<dual_result()> dual;
  std::function<void()> second, twice; ///< the tangents of the adjoint and of the tangent
  double step, difference_tolerance, rounding_of_differences, tolerance, dual_tolerance;
  bool moving = false;
};

/// A kernel of which there is a tangent only, where `adjoint` is null, and that is not compared with dual numbers,
/// where `dual` is null.
template <class Kernel, class Tangent, class Adjoint, class Dual, class Second, class... A>
void check(const char *name, Kernel kernel, Tangent tangent, Adjoint adjoint, Dual dual, Second again,
           const gpuad::launch &where, A &&...list) {
  auto seconds = seconds_of(again);
  auto primal_run = [&] {
    std::apply([&](auto... p) { launch_kernel(kernel, where, p...); }, std::tuple_cat(list.primal_arguments()...));
  };
  auto tangent_run = [&] {
    std::apply([&](auto... p) { tangent(where, p...); }, std::tuple_cat(list.tangent_arguments()...));
  };
  std::function<void()> adjoint_run;
  if constexpr (!std::is_same_v<Adjoint, std::nullptr_t>)
    adjoint_run = [&] {
      std::apply([&](auto... p) { adjoint(where, p...); }, std::tuple_cat(list.adjoint_arguments()...));
    };
  std::vector<argument *> arguments{&list...};
  std::function<dual_result()> dual_run;
  if constexpr (!std::is_same_v<Dual, std::nullptr_t>)
    dual_run = [&] { return run_dual(dual, where, arguments, list...); };
  std::function<void()> second_run, twice_run;
  if constexpr (!std::is_same_v<decltype(seconds.of_adjoint), std::nullptr_t>)
    second_run = [&] {
      std::apply([&](auto... p) { seconds.of_adjoint(where, p...); }, std::tuple_cat(list.second_arguments()...));
    };
  if constexpr (!std::is_same_v<decltype(seconds.of_tangent), std::nullptr_t>)
    twice_run = [&] {
      std::apply([&](auto... p) { seconds.of_tangent(where, p...); }, std::tuple_cat(list.twice_arguments()...));
    };
  checker one(name, arguments, primal_run, tangent_run, adjoint_run, dual_run, second_run, twice_run);
  one.check(1);
  one.check(2);
}
/// Without a tangent of the adjoint.
template <class Kernel, class Tangent, class Adjoint, class Dual, class... A>
void check(const char *name, Kernel kernel, Tangent tangent, Adjoint adjoint, Dual dual, const gpuad::launch &where,
           A &&...list) {
  check(name, kernel, tangent, adjoint, dual, nullptr, where, std::forward<A>(list)...);
}

} // namespace numeric

/// CHECK(kernel, launch, arguments...)
#define GPUAD_CHECK(KERNEL, ...)                                                                                       \
  numeric::check(#KERNEL, KERNEL, launch_##KERNEL##_tangent, launch_##KERNEL##_adjoint, GPUAD_DUAL_OF(KERNEL),         \
                 GPUAD_SECOND_OF(, KERNEL), __VA_ARGS__)
/// CHECK_IN(namespace, kernel, launch, arguments...)
#define GPUAD_CHECK_IN(SPACE, KERNEL, ...)                                                                             \
  numeric::check(#SPACE "::" #KERNEL, SPACE::KERNEL, SPACE::launch_##KERNEL##_tangent,                                 \
                 SPACE::launch_##KERNEL##_adjoint, GPUAD_DUAL_OF(SPACE::KERNEL), GPUAD_SECOND_OF(SPACE::, KERNEL),     \
                 __VA_ARGS__)
#ifdef GPUAD_AGAIN
#define GPUAD_SHADOW_TANGENT_OF(NAME) numeric::address_of(NAME##_bar_dot)
#else
#define GPUAD_SHADOW_TANGENT_OF(NAME) nullptr
#endif
#define GPUAD_GLOBAL(T, COUNT, ROLE, NAME)                                                                             \
  numeric::global_argument<T>(COUNT, ROLE, numeric::address_of(NAME), numeric::address_of(NAME##_dot),                 \
                              numeric::address_of(NAME##_bar), GPUAD_SHADOW_TANGENT_OF(NAME))
/// CHECK_INSTANCE(kernel, (template, arguments), launch, arguments...)
#define GPUAD_CHECK_INSTANCE(KERNEL, TARGS, ...)                                                                       \
  numeric::check(#KERNEL #TARGS, KERNEL<GPUAD_INSIDE TARGS>, launch_##KERNEL##_tangent<GPUAD_INSIDE TARGS>,            \
                 launch_##KERNEL##_adjoint<GPUAD_INSIDE TARGS>, nullptr, nullptr, __VA_ARGS__)
#define GPUAD_INSIDE(...) __VA_ARGS__
/// A derivative that was differentiated again.
#define GPUAD_CHECK_AGAIN(DERIVATIVE, ...)                                                                             \
  numeric::check(#DERIVATIVE, DERIVATIVE, launch_##DERIVATIVE##_tangent, nullptr, nullptr, nullptr, __VA_ARGS__)
/// One that records.
#define GPUAD_CHECK_AGAIN_LAUNCHED(DERIVATIVE, ...)                                                                    \
  numeric::check(#DERIVATIVE, numeric::launched<decltype(&launch_##DERIVATIVE)>{launch_##DERIVATIVE},                  \
                 launch_##DERIVATIVE##_tangent, nullptr, nullptr, nullptr, __VA_ARGS__)
/// The same without an adjoint.
#define GPUAD_CHECK_TANGENT_IN(SPACE, KERNEL, ...)                                                                     \
  numeric::check(#SPACE "::" #KERNEL, SPACE::KERNEL, SPACE::launch_##KERNEL##_tangent, nullptr,                        \
                 GPUAD_DUAL_OF(SPACE::KERNEL), nullptr, __VA_ARGS__)

#endif
