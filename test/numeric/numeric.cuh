// Helpers of the numeric tests: arrays on the device, and comparisons that count what is wrong.
#ifndef GPUAD_TEST_NUMERIC_CUH
#define GPUAD_TEST_NUMERIC_CUH

#include <cmath>
#include <cstdio>
#include <cstring>
#include <gpuad/runtime.cuh>
#include <vector>

namespace numeric {

inline int &failures() {
  static int count = 0;
  return count;
}

/// The exit status of a test program: every comparison held, and the device is well.
inline int verdict() {
  gpuad::status status = gpuad::synchronize();
  if (!status.ok()) {
    std::printf("%s\n", status.message().c_str());
    ++failures();
  }
  gpuad::release();
  std::printf(failures() ? "%d WRONG\n" : "all right\n", failures());
  return failures() ? 1 : 0;
}

inline void expect(const char *what, bool holds) {
  if (!holds) {
    std::printf("WRONG: %s\n", what);
    ++failures();
  }
}

inline void expect_near(const char *what, std::size_t index, double got, double right, double tolerance = 1e-5) {
  if (!(std::fabs(got - right) <= tolerance * (1 + std::fabs(right)))) {
    std::printf("WRONG: %s[%zu] is %.9g, right is %.9g\n", what, index, got, right);
    ++failures();
  }
}

/// An array in device memory that remembers what it was filled with.
template <class T> class array {
public:
  explicit array(std::vector<T> values) : filled(std::move(values)) {
    cudaMalloc(&data, filled.size() * sizeof(T));
    cudaMemcpy(data, filled.data(), filled.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  array(std::size_t count, T value) : array(std::vector<T>(count, value)) {}
  array(const array &) = delete;
  array &operator=(const array &) = delete;
  ~array() { cudaFree(data); }

  operator T *() { return data; }

  std::vector<T> host() const {
    std::vector<T> values(filled.size());
    cudaMemcpy(values.data(), data, values.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }

  /// Bit for bit what it was filled with.
  bool untouched() const {
    std::vector<T> values = host();
    return std::memcmp(values.data(), filled.data(), values.size() * sizeof(T)) == 0;
  }
  void expect_untouched(const char *name) const {
    if (!untouched()) {
      std::printf("WRONG: %s was changed\n", name);
      ++failures();
    }
  }

  void expect_near(const char *name, const std::vector<double> &right, double tolerance = 1e-5) const {
    std::vector<T> values = host();
    expect("as many values as expected", values.size() == right.size());
    for (std::size_t i = 0; i < right.size() && i < values.size(); ++i)
      numeric::expect_near(name, i, values[i], right[i], tolerance);
  }

private:
  T *data = nullptr;
  std::vector<T> filled;
};

} // namespace numeric

#endif
