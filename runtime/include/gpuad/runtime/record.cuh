//===- record.cuh - what only the primal's own run knows -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Results of atomics depend on which thread came first, so an adjoint cannot find them
/// again. The augmented form of a kernel is the kernel, which keeps them in a record on
/// the way; the adjoint reads them there, each thread its own, in the order in which it
/// got them.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_RECORD_CUH
#define GPUAD_RUNTIME_RECORD_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include "launch.cuh"
#include "stack.cuh"
#include "status.cuh"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gpuad {

namespace detail {

/// What a launch tells the host about its record, in device memory.
struct record_report {
  unsigned long long need = 0; ///< results of one thread: the largest number that did not fit
  unsigned differs = 0;        ///< results that an adjoint asked for and that nobody kept
};

} // namespace detail

/// A record as kernels see it: a plain handle. Each thread has its own results in it.
class record_view {
public:
  /// Keeps a value that this thread got, behind those that it has kept before.
  template <class T> __device__ T keep(T value) {
    static_assert(sizeof(T) <= 8, "a slot holds 8 bytes");
    if (next_ < slots_) {
      *reinterpret_cast<T *>(slot(next_)) = value;
      counts_[thread()] = next_ + 1u;
    } else if (report_) {
      atomicMax(&report_->need, next_ + 1ull);
    }
    ++next_;
    return value;
  }

  /// What this thread kept as number k.
  template <class T> __device__ T kept(size_t k) const {
    if (k < counts_[thread()])
      return *reinterpret_cast<const T *>(slot(k));
    atomicAdd(&report_->differs, 1u);
    return T();
  }

  /// Keeps a number, or its bits, that this thread offers to a maximum or minimum at `place`;
  /// gives it on. It takes two slots.
  template <class T, class V> __device__ V offer(const T *place, V value) {
    static_assert(sizeof(V) == sizeof(T) && (sizeof(T) == 4 || sizeof(T) == 8), "a float or a double, or its bits");
    unsigned at = next_;
    keep(value);
    keep(place);
    if (at + 1u < slots_)
      offers_[at * threads_ + thread()] = sizeof(T);
    return value;
  }

  /// Whether what this thread offered as number k was picked.
  __device__ bool won(size_t k) const { return kept<bool>(k); }

  /// When all threads of the launch are done: compares what they offered with what was picked.
  __device__ void settle(size_t thread) const {
    for (size_t k = 0; k + 1 < counts_[thread]; ++k) {
      size_t at = k * threads_ + thread;
      if (offers_[at] == 0)
        continue;
      const void *place = *reinterpret_cast<void *const *>(bytes_ + (at + threads_) * 8u);
      char *offered = bytes_ + at * 8u;
      bool is_picked = offers_[at] == 4
                           ? *static_cast<const unsigned *>(place) == *reinterpret_cast<const unsigned *>(offered)
                           : *static_cast<const unsigned long long *>(place) ==
                                 *reinterpret_cast<const unsigned long long *>(offered);
      *reinterpret_cast<bool *>(offered) = is_picked;
      offers_[at] = 0; // once
    }
  }

  /// Whether a launch of this shape has filled it, and everything fitted.
  __device__ bool is_complete() const { return report_ && threads_ == threads_of_launch() && report_->need <= slots_; }

private:
  friend class record;

  static __device__ size_t threads_of_block() { return size_t(blockDim.x) * blockDim.y * blockDim.z; }
  static __device__ size_t threads_of_launch() { return threads_of_block() * gridDim.x * gridDim.y * gridDim.z; }
  static __device__ size_t thread() {
    size_t block = blockIdx.x + size_t(gridDim.x) * (blockIdx.y + size_t(gridDim.y) * blockIdx.z);
    return block * threads_of_block() + threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  /// Slot-major: neighbouring threads touch neighbouring words.
  __device__ char *slot(size_t k) const { return bytes_ + (k * threads_ + thread()) * 8u; }

  char *bytes_ = nullptr;
  unsigned char *offers_ = nullptr; ///< one for each slot: the size of a number that was offered, else 0
  unsigned *counts_ = nullptr;      ///< one for each thread: how many results it kept
  detail::record_report *report_ = nullptr;
  size_t slots_ = 0;   ///< of each thread
  size_t threads_ = 0; ///< of the launch
  unsigned next_ = 0;  ///< of this thread
};

class record;

namespace detail {

struct record_pool {
  std::mutex guard;
  std::vector<record *> open; ///< filled by a launch whose need only the run knew
  std::map<std::string, size_t> slots_of;
};
inline record_pool recorded;

} // namespace detail

/// Memory for what an augmented kernel keeps. Made empty; `launch_f_augmented` sizes and
/// fills it, `launch_f_adjoint` reads it. Kernels that are launched by hand take `view()`.
class record {
public:
  record() = default;
  record(record &&other) noexcept { *this = std::move(other); }
  record &operator=(record &&other) noexcept {
    if (this == &other)
      return *this;
    free();
    std::lock_guard<std::mutex> lock(detail::recorded.guard);
    for (record *&one : detail::recorded.open)
      if (one == &other)
        one = this;
    view_ = std::exchange(other.view_, record_view());
    memory_ = std::exchange(other.memory_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
    kernel_ = std::move(other.kernel_);
    stream_ = other.stream_;
    blocks_ = other.blocks_;
    reported_ = other.reported_;
    return *this;
  }
  record(const record &) = delete;
  record &operator=(const record &) = delete;
  ~record() { free(); }

  /// What kernels take.
  record_view view() const { return view_; }

  /// Results of a thread that it holds.
  size_t slots() const { return view_.slots_; }

  /// Results of a thread that the last launch had: more than `slots()` if they did not fit.
  /// Waits for the device.
  size_t needed() const {
    detail::record_report told = report();
    return std::max<size_t>(told.need, view_.slots_);
  }

  /// Room for `slots` results in each thread of such a launch, and nothing kept yet. False,
  /// and reported: there is no memory.
  bool reserve(const launch &where, const char *kernel, size_t slots) {
    size_t threads = detail::volume(where.grid) * detail::volume(where.block);
    size_t counts = detail::rounded(threads * sizeof(unsigned));
    size_t head = detail::rounded(sizeof(detail::record_report)) + counts + detail::rounded(threads * slots);
    size_t wanted = head + threads * slots * 8;
    if (wanted > bytes_) {
      cudaFree(memory_);
      memory_ = nullptr;
      bytes_ = 0;
      cudaError_t failure = detail::is_capturing(where.stream) ? detail::allocate_outside_capture(&memory_, wanted)
                                                               : cudaMalloc(&memory_, wanted);
      if (failure != cudaSuccess) {
        cudaGetLastError();
        view_ = record_view();
        gpuad::report(error::record_too_small, std::string(kernel) + ": the device has no memory for a record of " +
                                                   std::to_string(wanted) + " bytes. Nothing was run");
        return false;
      }
      bytes_ = wanted;
    }
    char *at = static_cast<char *>(memory_);
    view_.report_ = reinterpret_cast<detail::record_report *>(at);
    view_.counts_ = reinterpret_cast<unsigned *>(at + detail::rounded(sizeof(detail::record_report)));
    view_.offers_ = reinterpret_cast<unsigned char *>(view_.counts_) + counts;
    view_.bytes_ = at + head;
    view_.slots_ = slots;
    view_.threads_ = threads;
    cudaMemsetAsync(memory_, 0, head, where.stream);
    kernel_ = kernel;
    stream_ = where.stream;
    blocks_ = detail::volume(where.grid);
    reported_ = 0;
    return true;
  }

  /// Behind an augmented kernel with atomics that pick numbers: finds out whose were picked.
  /// Launchers call it.
  void settle(cudaStream_t stream = nullptr) const;

  /// Whether a launch of that shape has filled it; if not, that is reported.
  bool serves(const launch &where, const char *kernel) const {
    if (view_.report_ && blocks_ == detail::volume(where.grid) &&
        view_.threads_ == blocks_ * detail::volume(where.block))
      return true;
    gpuad::report(
        error::record_too_small,
        std::string(kernel) +
            (view_.report_ ? ": its record was filled by a launch of another shape" : ": its record is empty") +
            "; run the augmented kernel first, with the same grid and block. Nothing was added");
    return false;
  }

  // What follows is for the runtime.

  /// What the launches on the stream said; reported once.
  void check() {
    detail::record_report told = report();
    if (told.need > view_.slots_ && told.need != reported_)
      gpuad::report(error::record_too_small,
                    kernel_ + ": a thread has " + std::to_string(told.need) +
                        " results to keep, and the record holds " + std::to_string(view_.slots_) +
                        ". The primal's results are complete; an adjoint over this record adds nothing. Set the "
                        "arguments back and run it again with the same record, which is enlarged");
    if (told.differs != 0)
      gpuad::report(error::record_too_small, "an adjoint asked for results that " + kernel_ +
                                                 " did not keep: it was called with other "
                                                 "arguments. The shadows it adds to are wrong");
    reported_ = told.need;
  }
  cudaStream_t stream() const { return stream_; }

private:
  detail::record_report report() const {
    detail::record_report told;
    if (view_.report_)
      cudaMemcpy(&told, view_.report_, sizeof told, cudaMemcpyDeviceToHost);
    return told;
  }
  void free() {
    {
      std::lock_guard<std::mutex> lock(detail::recorded.guard);
      std::vector<record *> &open = detail::recorded.open;
      if (auto at = std::find(open.begin(), open.end(), this); at != open.end()) {
        check(); // nothing is lost silently
        open.erase(at);
      }
    }
    cudaFree(memory_);
    view_ = record_view();
    memory_ = nullptr;
    bytes_ = 0;
  }

  record_view view_;
  void *memory_ = nullptr;
  size_t bytes_ = 0; ///< allocated
  std::string kernel_;
  cudaStream_t stream_ = nullptr;
  size_t blocks_ = 0;
  unsigned long long reported_ = 0; ///< what the user was told
};

namespace detail {

/// Asks the records of the stream, or all of them, whether everything fitted.
inline void report_records(cudaStream_t stream, bool of_all) {
  std::lock_guard<std::mutex> lock(recorded.guard);
  for (record *one : recorded.open)
    if (of_all || one->stream() == stream)
      one->check();
}

inline void open_record(record &kept) {
  std::lock_guard<std::mutex> lock(recorded.guard);
  if (std::find(recorded.open.begin(), recorded.open.end(), &kept) == recorded.open.end())
    recorded.open.push_back(&kept);
}

} // namespace detail

namespace detail {
template <class View> __global__ void settle_offers(View view, size_t threads) {
  size_t thread = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (thread < threads)
    view.settle(thread);
}
} // namespace detail

inline void record::settle(cudaStream_t stream) const {
  if (view_.threads_ > 0)
    detail::settle_offers<<<unsigned((view_.threads_ + 127) / 128), 128, 0, stream>>>(view_, view_.threads_);
}

/// Launches an augmented kernel of which every thread keeps at most `slots` results.
template <class Run>
inline void run_augmented(const launch &where, const char *name, record &kept, size_t slots, const Run &run) {
  if (!kept.reserve(where, name, slots))
    return;
  detail::open_record(kept);
  run(kept.view());
  report_launch(name);
}

/// The same where only the run knows how many. What does not fit is reported by
/// `synchronize`; the next launch with the record then has room for it.
template <class Run> inline void run_augmented(const launch &where, const char *name, record &kept, const Run &run) {
  size_t known = 16;
  {
    std::lock_guard<std::mutex> lock(detail::recorded.guard);
    size_t &remembered = detail::recorded.slots_of[name];
    remembered = std::max(remembered, kept.needed());
    known = std::max(known, remembered);
  }
  run_augmented(where, name, kept, known, run);
}

} // namespace gpuad

#endif // GPUAD_RUNTIME_RECORD_CUH
