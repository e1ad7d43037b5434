//===- status.cuh - how trouble is reported -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_STATUS_CUH
#define GPUAD_RUNTIME_STATUS_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include <cuda_runtime.h>

#include <mutex>
#include <string>
#include <utility>

namespace gpuad {

/// What went wrong.
enum class error {
  none,
  cuda,             ///< an error of the CUDA runtime or of a kernel
  stack_too_small,  ///< a kernel records more than its stack holds
  shared_too_small, ///< a kernel was launched with too little dynamic shared memory
  missing_shadow,   ///< a null shadow where the derivative flows through the argument
  aliased,          ///< equal arrays where the derivative was made for different ones
  record_too_small, ///< a record does not hold what the primal had to keep
  launch_shape      ///< a launch with more dimensions than its kernel looks at
};

/// The outcome of everything since the last `synchronize`.
class status {
public:
  status() = default;
  status(error code, std::string message) : code_(code), message_(std::move(message)) {}

  /// Nothing went wrong; then cudaGetLastError() is cudaSuccess, too.
  bool ok() const { return code_ == error::none; }
  /// The first thing that went wrong.
  error code() const { return code_; }
  /// One line for each thing that went wrong: which kernel, and what to do. Empty when ok.
  const std::string &message() const { return message_; }

private:
  error code_ = error::none;
  std::string message_;
};

namespace detail {

struct error_log {
  std::mutex guard;
  error first = error::none;
  std::string lines;
  unsigned count = 0;
};
inline error_log errors;

/// More lines than this say nothing new.
inline constexpr unsigned max_logged = 20;

} // namespace detail

/// Keeps an error until the next `synchronize`. Launchers call it.
inline void report(error code, const std::string &line) {
  std::lock_guard<std::mutex> lock(detail::errors.guard);
  if (detail::errors.first == error::none)
    detail::errors.first = code;
  if (++detail::errors.count > detail::max_logged)
    return;
  detail::errors.lines += (detail::errors.lines.empty() ? "" : "\n") + line;
}

/// Launchers call it when a shadow is null through which the derivative flows.
inline void report_missing_shadow(const char *kernel, const char *shadow) {
  report(error::missing_shadow, std::string(kernel) + ": '" + shadow +
                                    "' is null, but the derivative flows through this argument; pass memory of the "
                                    "size and type of its primal (zeros for scratch). Nothing was added");
}

/// Launchers call it when two arrays are one for which the derivative was made to
/// differ; the kernel then adds nothing.
inline void report_aliased(const char *kernel, const char *first, const char *second) {
  report(error::aliased, std::string(kernel) + ": '" + first + "' and '" + second + "' are the same array, but '" +
                             first + "' is read after '" + second +
                             "' was written; pass different arrays, or copy one. Nothing was added");
}

/// Launchers call it after the launch.
inline void report_launch(const char *kernel) {
  cudaError_t failure = cudaGetLastError();
  if (failure != cudaSuccess)
    report(error::cuda,
           std::string("CUDA reports at the launch of ") + kernel + " or before it: " + cudaGetErrorString(failure));
}

namespace detail {

/// All that was reported, with what CUDA says now. Clears it.
inline status collect(cudaError_t failure) {
  cudaError_t last = cudaGetLastError();
  if (failure == cudaSuccess)
    failure = last;
  if (failure != cudaSuccess)
    report(error::cuda, std::string("CUDA reports: ") + cudaGetErrorString(failure));
  std::lock_guard<std::mutex> lock(errors.guard);
  if (errors.count > max_logged)
    errors.lines += "\n... and " + std::to_string(errors.count - max_logged) + " more";
  status outcome(errors.first, std::move(errors.lines));
  errors.first = error::none;
  errors.lines.clear();
  errors.count = 0;
  return outcome;
}

} // namespace detail

} // namespace gpuad

#endif // GPUAD_RUNTIME_STATUS_CUH
