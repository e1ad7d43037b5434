// What the test programs share: they check numbers themselves, say what is wrong, and end with 1.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static int failures = 0;

#define CHECK(CONDITION)                                                                                               \
  do {                                                                                                                 \
    if (!(CONDITION)) {                                                                                                \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #CONDITION);                                                      \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)

#define CHECK_NEAR(GOT, WANT, TOLERANCE)                                                                               \
  do {                                                                                                                 \
    double got_ = double(GOT), want_ = double(WANT);                                                                   \
    if (!(std::fabs(got_ - want_) <= (TOLERANCE) * std::fmax(1.0, std::fabs(want_)))) {                                \
      std::printf("%s:%d: %s is %.17g, right is %.17g\n", __FILE__, __LINE__, #GOT, got_, want_);                      \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)

#define OK(CALL)                                                                                                       \
  do {                                                                                                                 \
    cudaError_t error_ = (CALL);                                                                                       \
    if (error_ != cudaSuccess) {                                                                                       \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #CALL, cudaGetErrorString(error_));                           \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)

// An array in device memory.
template <class T> struct device_array {
  T *data = nullptr;
  size_t size;
  explicit device_array(size_t n) : size(n) { OK(cudaMalloc(&data, n * sizeof(T))); }
  device_array(size_t n, T value) : device_array(std::vector<T>(n, value)) {}
  device_array(const std::vector<T> &values) : device_array(values.size()) {
    OK(cudaMemcpy(data, values.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  device_array(const device_array &) = delete;
  ~device_array() { cudaFree(data); }
  operator T *() { return data; }
  std::vector<T> get() const {
    std::vector<T> values(size);
    OK(cudaMemcpy(values.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
};

inline int verdict() {
  OK(cudaDeviceSynchronize());
  OK(cudaGetLastError());
  std::printf(failures ? "%d failures\n" : "all right\n", failures);
  return failures != 0;
}
