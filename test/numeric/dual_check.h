// Runs the primal on dual numbers: makes the arguments of its second compilation (dual.h) out of those of the first.
#ifndef GPUAD_TEST_DUAL_CHECK_H
#define GPUAD_TEST_DUAL_CHECK_H

#include "arguments.h"

namespace numeric {

/// What a kernel on dual numbers left in the arrays that it writes: values and derivatives, for each argument.
struct dual_result {
  bool is_known = true; ///< false where an argument has no counterpart, such as a view
  std::vector<numbers> values, dots;
};

class dual_run {
public:
  ~dual_run() {
    for (void *each : allocated)
      cudaFree(each);
  }

  /// One argument as the parameter type P of the kernel on dual numbers.
  template <class P, class T> P pass(memory<T> &from) {
    numbers both(2 * from.point.size());
    for (std::size_t k = 0; k < from.point.size(); ++k) {
      both[2 * k] = from.point[k];
      both[2 * k + 1] = from.direction[k];
    }
    std::size_t each = layout<T>::offsets().size() * 2 * sizeof(double);
    if constexpr (std::is_pointer_v<P>) {
      if (sizeof(std::remove_pointer_t<P>) != each)
        return unknown<P>();
      double *data = copy(both);
      if (from.written)
        results.push_back({&from, data, both.size()});
      return reinterpret_cast<P>(data);
    } else if constexpr (std::is_trivially_copyable_v<P>) {
      P value;
      if (sizeof(P) != each)
        return unknown<P>();
      std::memcpy(static_cast<void *>(&value), both.data(), sizeof(P));
      return value;
    }
    return unknown<P>();
  }
  template <class P, class T, class View> P pass(viewed<T, View> &) { return unknown<P>(); }
  template <class P, class T> P pass(plain_argument<T> &from) {
    if constexpr (std::is_constructible_v<P, T>)
      return P(from.get());
    if constexpr (std::is_empty_v<P> && std::is_empty_v<T>)
      return P();
    return unknown<P>();
  }
  template <class P, class T> P pass(constant_argument<T> &from) { return passConstant<P>(from.host(), from.get()); }
  template <class P, class T> P pass(inactive_out_argument<T> &from) {
    if constexpr (std::is_same_v<P, T *>) {
      from.load(0);
      return from.get();
    }
    return passConstant<P>(std::vector<T>(from.size()), static_cast<T *>(nullptr));
  }

  dual_result take(const std::vector<argument *> &list) {
    dual_result result;
    result.is_known = is_known;
    for (const argument *each : list) {
      result.values.emplace_back();
      result.dots.emplace_back();
      for (const written &one : results)
        if (one.which == each) {
          numbers both(one.count);
          cudaMemcpy(both.data(), one.data, one.count * sizeof(double), cudaMemcpyDeviceToHost);
          for (std::size_t k = 0; k < one.count; k += 2) {
            result.values.back().push_back(both[k]);
            result.dots.back().push_back(both[k + 1]);
          }
        }
    }
    return result;
  }

  bool is_known = true;

private:
  struct written {
    const argument *which;
    double *data;
    std::size_t count;
  };

  template <class P> P unknown() {
    is_known = false;
    std::remove_cv_t<P> nothing;
    std::memset(static_cast<void *>(&nothing), 0, sizeof nothing);
    return nothing;
  }
  double *copy(const numbers &both) {
    double *data = nullptr;
    cudaMalloc(&data, both.size() * sizeof(double) + 1);
    cudaMemcpy(data, both.data(), both.size() * sizeof(double), cudaMemcpyHostToDevice);
    allocated.push_back(data);
    return data;
  }
  template <class P, class T> P passConstant(const std::vector<T> &values, T *data) {
    if constexpr (std::is_same_v<P, T *> || std::is_same_v<P, const T *>)
      return data;
    if constexpr (std::is_pointer_v<P> && (std::is_floating_point_v<T> || !std::is_arithmetic_v<T>)) {
      using scalar = typename layout<T>::scalar;
      std::vector<std::size_t> offsets = layout<T>::offsets();
      if (sizeof(std::remove_pointer_t<P>) == offsets.size() * 2 * sizeof(double)) {
        numbers both;
        for (const T &each : values)
          for (std::size_t at : offsets) {
            scalar number;
            std::memcpy(&number, reinterpret_cast<const unsigned char *>(&each) + at, sizeof number);
            both.insert(both.end(), {double(number), 0});
          }
        return reinterpret_cast<P>(copy(both));
      }
    }
    return unknown<P>();
  }

  std::vector<void *> allocated;
  std::vector<written> results;
};

/// Runs `kernel`, which takes one parameter for each argument.
template <class... P, class... A>
dual_result run_dual(void (*kernel)(P...), gpuad::launch where, const std::vector<argument *> &list, A &...each) {
  static_assert(sizeof...(P) == sizeof...(A), "one argument for each parameter");
  dual_run run;
  std::tuple<P...> passed{run.pass<P>(each)...};
  where.shared_bytes *= 4; // a dual number takes as much as four floats
  if (run.is_known)
    std::apply([&](auto... p) { kernel<<<where.grid, where.block, where.shared_bytes, where.stream>>>(p...); }, passed);
  return run.take(list);
}

} // namespace numeric

#endif
