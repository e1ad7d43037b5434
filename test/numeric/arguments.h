// The arguments of a kernel that a numeric test checks: what they hold, how they are passed, what is known of them.
// harness.h says how they are written.
#ifndef GPUAD_TEST_ARGUMENTS_H
#define GPUAD_TEST_ARGUMENTS_H

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
  /// The tangents of the argument and of its shadow, for the tangent of an adjoint.
  virtual void load_tangents() {}
  virtual numbers primal() const { return {}; }
  virtual numbers shadow() const { return {}; }
  virtual numbers shadow_tangent() const { return {}; }
  /// What the tangent of an adjoint left in the tangent of the argument.
  virtual numbers primal_tangent() const { return direction; }
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
  numbers bar_direction;         ///< along which that moves
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
    cudaFree(dot_data);
    cudaFree(bar_dot_data);
  }

  void draw(std::mt19937 &random) override {
    // Multiples of powers of two, so that a step along the direction rounds nothing.
    auto between = [&](double from, double to, double unit) {
      return std::floor((from + (to - from) * (random() / 4294967296.0)) / unit) * unit;
    };
    point.assign(direction.size(), 0);
    bar.assign(direction.size(), 0);
    bar_direction.assign(direction.size(), 0);
    for (std::size_t k = 0; k < point.size(); ++k) {
      point[k] = between(drawn.from, drawn.to, 1.0 / 1024) * (drawn.both_signs && random() % 2 ? -1 : 1);
      if (!drawn.base.empty())
        point[k] += drawn.base[k % drawn.base.size()];
      direction[k] = between(-1, 1, 1.0 / 64);
      bar[k] = between(-2, 2, 1.0 / 64);
      bar_direction[k] = bar[k] > 0 ? 0.75 - bar[k] / 2 : bar[k] / 4 - 0.25; // drawn like everything else
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
  void load_tangents() override {
    auto fill = [&](T *&to, const numbers &values) {
      std::vector<T> copy(host.size());
      put(copy, values);
      if (!to)
        cudaMalloc(&to, copy.size() * sizeof(T));
      cudaMemcpy(to, copy.data(), copy.size() * sizeof(T), cudaMemcpyHostToDevice);
      return copy[0];
    };
    dot_value = fill(dot_data, direction);
    bar_dot_value = fill(bar_dot_data, bar_direction);
  }
  numbers primal() const override { return get(fetch(data)); }
  numbers shadow() const override { return get(fetch(shadow_data)); }
  numbers shadow_tangent() const override { return get(fetch(bar_dot_data)); }
  numbers primal_tangent() const override { return get(fetch(dot_data)); }
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
  T dot_value, bar_dot_value;
  T *data = nullptr, *shadow_data = nullptr, *dot_data = nullptr, *bar_dot_data = nullptr;
  range drawn;
};

template <class T, class View> class viewed : public memory<T> {
public:
  viewed(std::size_t count, role use, range limits, View make) : memory<T>(count, use, limits, {}), view(make) {}
  auto primal_arguments() const { return std::make_tuple(view(this->pointer())); }
  auto tangent_arguments() const { return std::make_tuple(view(this->pointer()), view(this->shadow_pointer())); }
  auto adjoint_arguments() const { return tangent_arguments(); }
  auto second_arguments() const {
    return std::make_tuple(view(this->data), view(this->dot_data), view(this->shadow_data), view(this->bar_dot_data));
  }
  auto twice_arguments() const { return second_arguments(); }

private:
  View view;
};

template <class T> class array_argument : public memory<T> {
public:
  using memory<T>::memory;
  auto primal_arguments() const { return std::make_tuple(this->pointer()); }
  auto tangent_arguments() const { return std::make_tuple(this->pointer(), this->shadow_pointer()); }
  auto adjoint_arguments() const { return tangent_arguments(); }
  auto second_arguments() const {
    return std::make_tuple(this->data, this->dot_data, this->shadow_data, this->bar_dot_data);
  }
  auto twice_arguments() const { return second_arguments(); }
};

template <class T> class value_argument : public memory<T> {
public:
  value_argument(range limits, std::vector<T> prototypes) : memory<T>(1, role::input, limits, std::move(prototypes)) {}
  auto primal_arguments() const { return std::make_tuple(this->host[0]); }
  auto tangent_arguments() const { return std::make_tuple(this->host[0], this->shadow_value); }
  auto adjoint_arguments() const { return std::make_tuple(this->host[0], this->shadow_pointer()); }
  auto second_arguments() const {
    return std::make_tuple(this->host[0], this->dot_value, this->shadow_data, this->bar_dot_data);
  }
  auto twice_arguments() const {
    return std::make_tuple(this->host[0], this->dot_value, this->shadow_value, this->bar_dot_value);
  }
};

/// A variable at namespace scope, which is no parameter, with its two shadows.
template <class T> class global_argument : public memory<T> {
public:
  global_argument(std::size_t count, role use, void *primal, void *dot, void *bar, void *bar_dot, range limits = {})
      : memory<T>(count, use, limits, {}), dot(static_cast<T *>(dot)), bar(static_cast<T *>(bar)) {
    if (bar_dot) { // of an adjoint that was differentiated again
      this->dot_data = this->dot;
      this->bar_dot_data = static_cast<T *>(bar_dot);
    }
    this->may_be_null = false;
    cudaFree(this->data);
    cudaFree(this->shadow_data);
    this->data = static_cast<T *>(primal);
    this->shadow_data = this->dot;
  }
  ~global_argument() override { this->data = this->shadow_data = this->dot_data = this->bar_dot_data = nullptr; }
  void use_shadow_of_adjoint(bool adjoint) override { this->shadow_data = adjoint ? bar : dot; }
  auto primal_arguments() const { return std::make_tuple(); }
  auto tangent_arguments() const { return std::make_tuple(); }
  auto adjoint_arguments() const { return std::make_tuple(); }
  auto second_arguments() const { return std::make_tuple(); }
  auto twice_arguments() const { return second_arguments(); }

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
  auto second_arguments() const { return std::make_tuple(value); }
  auto twice_arguments() const { return second_arguments(); }

  T get() const { return value; }

private:
  T value;
};

template <class T> class constant_argument : public argument {
public:
  explicit constant_argument(std::vector<T> v) : values(std::move(v)) {}
  auto primal_arguments() const { return std::make_tuple(static_cast<T *>(values)); }
  auto tangent_arguments() const { return primal_arguments(); }
  auto adjoint_arguments() const { return primal_arguments(); }
  auto second_arguments() const { return primal_arguments(); }
  auto twice_arguments() const { return second_arguments(); }
  bool primal_untouched() const override { return values.untouched(); }
  T *get() const { return values; }
  std::vector<T> host() const { return values.host(); }

private:
  mutable array<T> values;
};

template <class T> class inactive_out_argument : public argument {
public:
  explicit inactive_out_argument(std::size_t count) : count(count) { inactive_written = true; }
  auto primal_arguments() const { return std::make_tuple(static_cast<T *>(*values)); }
  auto tangent_arguments() const { return primal_arguments(); }
  auto adjoint_arguments() const { return primal_arguments(); }
  auto second_arguments() const { return primal_arguments(); }
  auto twice_arguments() const { return second_arguments(); }
  void load(double) override { values = std::make_unique<array<T>>(std::vector<T>(count)); }
  bool primal_untouched() const override { return values->untouched(); }
  T *get() const { return *values; }
  std::size_t size() const { return count; }

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

} // namespace numeric

#endif
