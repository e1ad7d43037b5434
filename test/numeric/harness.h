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
//   in_view<T>(view, count)      (or out_view, through_view) an array behind a view: view(T*) gives what the kernel takes
//   GPUAD_GLOBAL(T, count, role::input, name)
//                                a variable at namespace scope, as `name` with its shadows is found here
//   in<T>(count, {from, to, both_signs, base}, {prototypes...})
//                                which numbers, and what the elements hold besides numbers
//
// What is checked, for two draws of inputs, directions and seeds:
//
// - the tangent's values are the kernel's, its derivatives are the difference quotients of the kernel, and it leaves
//   alone what it only reads, and the shadows of that;
// - <seed, tangent> = <what the adjoint added, direction> + <what it left in the seeds, direction>, where shadows that
//   are added to do not start at zero;
// - the adjoint leaves primal memory as it was, bit for bit, and also what is no number in shadows; a seed is consumed
//   (zero) or left as it was; and running it twice adds twice;
// - a null shadow of an input or output counts as zeros, and leaves all others as they are.
#ifndef GPUAD_TEST_HARNESS_H
#define GPUAD_TEST_HARNESS_H

#include "numeric.cuh"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <tuple>

namespace numeric {

/// The threads of a block, from the command line.
inline int &block_size() {
  static int threads = 32;
  return threads;
}

inline void start(int count, char **arguments) {
  if (count > 1)
    block_size() = std::atoi(arguments[1]);
  if (count > 2)
    setenv("GPUAD_CPU_ORDER", arguments[2], 1); // read at the first call of the CUDA runtime
}

/// One thread for each of n elements, and some more.
inline gpuad::launch cover(int n) {
  return {dim3((n + block_size() - 1) / block_size()), dim3(block_size())};
}

/// Where the floating-point numbers of a type are: of one kind, without gaps, unless specialised.
template <class T> struct layout {
  using scalar = float;
  static std::vector<std::size_t> offsets() {
    std::vector<std::size_t> list;
    for (std::size_t at = 0; at < sizeof(T); at += sizeof(scalar))
      list.push_back(at);
    return list;
  }
};
template <class T> struct layout_of_doubles {
  using scalar = double;
  static std::vector<std::size_t> offsets() {
    std::vector<std::size_t> list;
    for (std::size_t at = 0; at < sizeof(T); at += sizeof(double))
      list.push_back(at);
    return list;
  }
};
template <> struct layout<double> : layout_of_doubles<double> {};
template <> struct layout<double2> : layout_of_doubles<double2> {};
template <> struct layout<double3> : layout_of_doubles<double3> {};

using numbers = std::vector<double>;

/// One parameter of a kernel, with what is known of its values.
class argument {
public:
  virtual ~argument() = default;
  virtual void draw(std::mt19937 &) {}
  /// Fills primal memory: the point, moved along the direction.
  virtual void load(double) {}
  virtual void load_shadow(const numbers &) {}
  virtual numbers primal() const { return {}; }
  virtual numbers shadow() const { return {}; }
  virtual bool primal_untouched() const { return true; }
  virtual bool shadow_gaps_untouched() const { return true; }
  virtual bool is_double() const { return true; }
  /// Which of two shadows is meant from now on, where there are two.
  virtual void use_shadow_of_adjoint(bool) {}
  bool is_active() const { return !direction.empty(); }

  bool written = false;          ///< by the kernel
  bool inactive_written = false; ///< by the kernel and its tangent, and without derivative
  bool may_be_null = false;      ///< its shadow
  bool null_shadow = false;      ///< now
  numbers point, direction, bar; ///< bar: what the shadow holds when the adjoint starts
};

/// Where random numbers lie; with `both_signs` half of them are negated, so that none lies near zero. They are added to
/// `base`, number by number, which may be shorter than the array and then repeats.
struct range {
  double from = 0.5, to = 1.5;
  bool both_signs = false;
  numbers base = {};
};

/// What a kernel does with an array: read only; write, and not read before; anything else.
enum class role { input, output, through };

/// Bytes of a shadow that hold no number.
constexpr unsigned char gap_byte = 0x5a;

/// An active array of T, or one T.
template <class T> class memory : public argument {
public:
  using scalar = typename layout<T>::scalar;

  memory(std::size_t count, role use, range limits, std::vector<T> prototypes) : host(count), drawn(limits) {
    written = use != role::input;
    may_be_null = use != role::through;
    std::memset(static_cast<void *>(host.data()), 0, count * sizeof(T));
    for (std::size_t i = 0; i < count && !prototypes.empty(); ++i)
      host[i] = prototypes[i % prototypes.size()];
    cudaMalloc(&data, count * sizeof(T));
    cudaMalloc(&shadow_data, count * sizeof(T));
    direction.resize(count * offsets.size());
  }
  memory(const memory &) = delete;
  memory &operator=(const memory &) = delete;
  ~memory() override {
    cudaFree(data);
    cudaFree(shadow_data);
  }

  void draw(std::mt19937 &random) override {
    // Multiples of powers of two, so that a step along the direction rounds nothing.
    auto between = [&](double from, double to, double unit) {
      return std::floor((from + (to - from) * (random() / 4294967296.0)) / unit) * unit;
    };
    point.assign(direction.size(), 0);
    bar.assign(direction.size(), 0);
    for (std::size_t k = 0; k < point.size(); ++k) {
      point[k] = between(drawn.from, drawn.to, 1.0 / 1024) * (drawn.both_signs && random() % 2 ? -1 : 1);
      if (!drawn.base.empty())
        point[k] += drawn.base[k % drawn.base.size()];
      direction[k] = between(-1, 1, 1.0 / 64);
      bar[k] = between(-2, 2, 1.0 / 64);
    }
  }
  void load(double step) override {
    numbers values(point.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = point[k] + step * direction[k];
    put(host, values);
    cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  void load_shadow(const numbers &values) override {
    std::vector<T> copy(host.size());
    std::memset(static_cast<void *>(copy.data()), gap_byte, copy.size() * sizeof(T));
    put(copy, values);
    shadow_value = copy[0];
    cudaMemcpy(shadow_data, copy.data(), copy.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  numbers primal() const override { return get(fetch(data)); }
  numbers shadow() const override { return get(fetch(shadow_data)); }
  bool primal_untouched() const override {
    return std::memcmp(fetch(data).data(), host.data(), host.size() * sizeof(T)) == 0;
  }
  bool shadow_gaps_untouched() const override {
    std::vector<T> copy = fetch(shadow_data);
    put(copy, numbers(point.size(), 0.0));
    std::vector<T> blank(host.size());
    std::memset(static_cast<void *>(blank.data()), gap_byte, blank.size() * sizeof(T));
    put(blank, numbers(point.size(), 0.0));
    return std::memcmp(copy.data(), blank.data(), copy.size() * sizeof(T)) == 0;
  }
  bool is_double() const override { return sizeof(scalar) == sizeof(double); }

  T *pointer() const { return data; }
  T *shadow_pointer() const { return null_shadow ? nullptr : shadow_data; }

protected:
  std::vector<T> fetch(const T *from) const {
    std::vector<T> copy(host.size());
    cudaMemcpy(static_cast<void *>(copy.data()), from, copy.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return copy;
  }
  void put(std::vector<T> &to, const numbers &values) const {
    for (std::size_t k = 0; k < values.size(); ++k) {
      scalar number = static_cast<scalar>(values[k]);
      std::memcpy(at(to.data(), k), &number, sizeof number);
    }
  }
  numbers get(const std::vector<T> &from) const {
    numbers values(from.size() * offsets.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      scalar number;
      std::memcpy(&number, at(const_cast<T *>(from.data()), k), sizeof number);
      values[k] = number;
    }
    return values;
  }
  unsigned char *at(T *base, std::size_t k) const {
    return reinterpret_cast<unsigned char *>(base + k / offsets.size()) + offsets[k % offsets.size()];
  }

  std::vector<std::size_t> offsets = layout<T>::offsets();
  std::vector<T> host; ///< what primal memory was filled with
  T shadow_value;      ///< what the shadow's first element was filled with
  T *data = nullptr, *shadow_data = nullptr;
  range drawn;
};

template <class T, class View> class viewed : public memory<T> {
public:
  viewed(std::size_t count, role use, range limits, View make) : memory<T>(count, use, limits, {}), view(make) {}
  auto primal_arguments() const { return std::make_tuple(view(this->pointer())); }
  auto tangent_arguments() const { return std::make_tuple(view(this->pointer()), view(this->shadow_pointer())); }
  auto adjoint_arguments() const { return tangent_arguments(); }

private:
  View view;
};

template <class T> class array_argument : public memory<T> {
public:
  using memory<T>::memory;
  auto primal_arguments() const { return std::make_tuple(this->pointer()); }
  auto tangent_arguments() const { return std::make_tuple(this->pointer(), this->shadow_pointer()); }
  auto adjoint_arguments() const { return tangent_arguments(); }
};

template <class T> class value_argument : public memory<T> {
public:
  value_argument(range limits, std::vector<T> prototypes) : memory<T>(1, role::input, limits, std::move(prototypes)) {}
  auto primal_arguments() const { return std::make_tuple(this->host[0]); }
  auto tangent_arguments() const { return std::make_tuple(this->host[0], this->shadow_value); }
  auto adjoint_arguments() const { return std::make_tuple(this->host[0], this->shadow_pointer()); }
};

/// A variable at namespace scope, which is no parameter, with its two shadows.
template <class T> class global_argument : public memory<T> {
public:
  global_argument(std::size_t count, role use, void *primal, void *dot, void *bar, range limits = {})
      : memory<T>(count, use, limits, {}), dot(static_cast<T *>(dot)), bar(static_cast<T *>(bar)) {
    this->may_be_null = false;
    cudaFree(this->data);
    cudaFree(this->shadow_data);
    this->data = static_cast<T *>(primal);
    this->shadow_data = this->dot;
  }
  ~global_argument() override { this->data = this->shadow_data = nullptr; }
  void use_shadow_of_adjoint(bool adjoint) override { this->shadow_data = adjoint ? bar : dot; }
  auto primal_arguments() const { return std::make_tuple(); }
  auto tangent_arguments() const { return std::make_tuple(); }
  auto adjoint_arguments() const { return std::make_tuple(); }

private:
  T *dot, *bar;
};
template <class S> void *address_of(const S &symbol) {
  void *address = nullptr;
  cudaGetSymbolAddress(&address, symbol);
  return address;
}

template <class T> class plain_argument : public argument {
public:
  explicit plain_argument(T v) : value(v) {}
  auto primal_arguments() const { return std::make_tuple(value); }
  auto tangent_arguments() const { return std::make_tuple(value); }
  auto adjoint_arguments() const { return std::make_tuple(value); }

private:
  T value;
};

template <class T> class constant_argument : public argument {
public:
  explicit constant_argument(std::vector<T> v) : values(std::move(v)) {}
  auto primal_arguments() const { return std::make_tuple(static_cast<T *>(values)); }
  auto tangent_arguments() const { return primal_arguments(); }
  auto adjoint_arguments() const { return primal_arguments(); }
  bool primal_untouched() const override { return values.untouched(); }

private:
  mutable array<T> values;
};

template <class T> class inactive_out_argument : public argument {
public:
  explicit inactive_out_argument(std::size_t count) : count(count) { inactive_written = true; }
  auto primal_arguments() const { return std::make_tuple(static_cast<T *>(*values)); }
  auto tangent_arguments() const { return primal_arguments(); }
  auto adjoint_arguments() const { return primal_arguments(); }
  void load(double) override { values = std::make_unique<array<T>>(std::vector<T>(count)); }
  bool primal_untouched() const override { return values->untouched(); }

private:
  std::size_t count;
  std::unique_ptr<array<T>> values;
};

template <class T> plain_argument<T> plain(T value) {
  return plain_argument<T>(value);
}
template <class T> constant_argument<T> constant(std::vector<T> values) {
  return constant_argument<T>(std::move(values));
}
template <class T> inactive_out_argument<T> inactive_out(std::size_t count) {
  return inactive_out_argument<T>(count);
}
template <class T> value_argument<T> value(range limits = {}, std::vector<T> like = {}) {
  return {limits, std::move(like)};
}
template <class T> array_argument<T> in(std::size_t count, range limits = {}, std::vector<T> like = {}) {
  return {count, role::input, limits, std::move(like)};
}
template <class T> array_argument<T> out(std::size_t count, range limits = {}, std::vector<T> like = {}) {
  return {count, role::output, limits, std::move(like)};
}
template <class T> array_argument<T> through(std::size_t count, range limits = {}, std::vector<T> like = {}) {
  return {count, role::through, limits, std::move(like)};
}
template <class T, class View> viewed<T, View> in_view(View view, std::size_t count, range limits = {}) {
  return {count, role::input, limits, view};
}
template <class T, class View> viewed<T, View> out_view(View view, std::size_t count, range limits = {}) {
  return {count, role::output, limits, view};
}
template <class T, class View> viewed<T, View> through_view(View view, std::size_t count, range limits = {}) {
  return {count, role::through, limits, view};
}

template <class Kernel, class... P> void launch_kernel(Kernel kernel, const gpuad::launch &where, P... parameters) {
  kernel<<<where.grid, where.block, where.shared_bytes, where.stream>>>(parameters...);
}

/// One kernel with its derivatives and arguments; the three functions run them on what the arguments hold now.
class checker {
public:
  checker(const char *kernel, std::vector<argument *> list, std::function<void()> p, std::function<void()> t,
          std::function<void()> a)
      : name(kernel), arguments(std::move(list)), primal(std::move(p)), tangent(std::move(t)), adjoint(std::move(a)) {
    bool exact = true;
    for (argument *each : arguments)
      exact &= each->is_double();
    step = exact ? 1.0 / 1024 : 1.0 / 32;
    difference_tolerance = exact ? 1e-8 : 2e-4;
    rounding_of_differences = exact ? 0 : 2e-5; // a rounding error over the step
    tolerance = exact ? 1e-13 : 1e-5;
  }

  void check(unsigned seed) {
    std::mt19937 random(seed);
    for (argument *each : arguments)
      each->draw(random);
    check_tangent();
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
    std::vector<numbers> values = run_primal(0), far_up = run_primal(step), far_down = run_primal(-step);
    std::vector<numbers> near_up = run_primal(step / 2), near_down = run_primal(-step / 2);
    std::vector<numbers> dots = run_tangent();
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      if (arguments[a]->written) {
        compare("value in the tangent", a, arguments[a]->primal(), values[a], tolerance);
        // Two central differences, and what they say together about a step of zero.
        numbers quotients(values[a].size()), noise(values[a].size());
        for (std::size_t k = 0; k < quotients.size(); ++k) {
          double far = (far_up[a][k] - far_down[a][k]) / (2 * step), near = (near_up[a][k] - near_down[a][k]) / step;
          quotients[k] = (4 * near - far) / 3;
          noise[k] = rounding_of_differences * std::fabs(values[a][k]);
        }
        compare("tangent against differences", a, dots[a], quotients, difference_tolerance, noise);
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
  double step, difference_tolerance, rounding_of_differences, tolerance;
  bool moving = false;
};

/// A kernel of which there is a tangent only, where `adjoint` is null.
template <class Kernel, class Tangent, class Adjoint, class... A>
void check(const char *name, Kernel kernel, Tangent tangent, Adjoint adjoint, const gpuad::launch &where, A &&...list) {
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
  checker one(name, {&list...}, primal_run, tangent_run, adjoint_run);
  one.check(1);
  one.check(2);
}

} // namespace numeric

/// CHECK(kernel, launch, arguments...)
#define GPUAD_CHECK(KERNEL, ...)                                                                                       \
  numeric::check(#KERNEL, KERNEL, launch_##KERNEL##_tangent, launch_##KERNEL##_adjoint, __VA_ARGS__)
/// CHECK_IN(namespace, kernel, launch, arguments...)
#define GPUAD_CHECK_IN(SPACE, KERNEL, ...)                                                                             \
  numeric::check(#SPACE "::" #KERNEL, SPACE::KERNEL, SPACE::launch_##KERNEL##_tangent,                                 \
                 SPACE::launch_##KERNEL##_adjoint, __VA_ARGS__)
#define GPUAD_GLOBAL(T, COUNT, ROLE, NAME)                                                                             \
  numeric::global_argument<T>(COUNT, ROLE, numeric::address_of(NAME), numeric::address_of(NAME##_dot),                 \
                              numeric::address_of(NAME##_bar))
/// CHECK_INSTANCE(kernel, (template, arguments), launch, arguments...)
#define GPUAD_CHECK_INSTANCE(KERNEL, TARGS, ...)                                                                       \
  numeric::check(#KERNEL #TARGS, KERNEL<GPUAD_INSIDE TARGS>, launch_##KERNEL##_tangent<GPUAD_INSIDE TARGS>,            \
                 launch_##KERNEL##_adjoint<GPUAD_INSIDE TARGS>, __VA_ARGS__)
#define GPUAD_INSIDE(...) __VA_ARGS__
/// A derivative that was differentiated again.
#define GPUAD_CHECK_AGAIN(DERIVATIVE, ...)                                                                             \
  numeric::check(#DERIVATIVE, DERIVATIVE, launch_##DERIVATIVE##_tangent, nullptr, __VA_ARGS__)
/// The same without an adjoint.
#define GPUAD_CHECK_TANGENT_IN(SPACE, KERNEL, ...)                                                                     \
  numeric::check(#SPACE "::" #KERNEL, SPACE::KERNEL, SPACE::launch_##KERNEL##_tangent, nullptr, __VA_ARGS__)

#endif
