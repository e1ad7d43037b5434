//===- stack.cuh - memory for what loops record -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The host side of the adstack: memory that is kept for the next launch of a
/// stream, bounded by the blocks that can run at once, and the repetition of blocks
/// that did not fit.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_STACK_CUH
#define GPUAD_RUNTIME_STACK_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include "flags.cuh"
#include "launch.cuh"
#include "records.cuh"
#include "status.cuh"

#include <algorithm>
#include <list>
#include <map>
#include <vector>

namespace gpuad {

namespace detail {

inline size_t volume(dim3 d) {
  return size_t(d.x) * d.y * d.z;
}

/// Memory of one stream on one device, kept for the next launch.
struct kept_memory {
  void *slab = nullptr, *marks = nullptr;
  size_t slab_bytes = 0, marks_bytes = 0;
};

/// Whose launch a report is of, and how long it is asked for.
enum class pending_kind {
  unwaited, ///< once: its marks are freed then
  captured, ///< whenever the program synchronizes: graphs are launched again, on any stream
  by_hand   ///< the same, until the stack is freed
};

/// A launch that nobody has waited for.
struct pending_stack {
  std::string kernel;
  cudaStream_t stream;
  stack_report *report;
  pending_kind kind;
  unsigned reported = 0; ///< unfinished blocks that the user knows of
};

struct stack_pool {
  std::mutex guard;
  std::map<std::pair<int, cudaStream_t>, kept_memory> kept;
  std::list<kept_memory> captured;        ///< of launches in graphs, which are launched nobody knows when
  std::map<std::string, size_t> slots_of; ///< what a kernel needed the last time
  std::vector<pending_stack> pending;
  size_t limit = ~size_t(0);
  ~stack_pool();
};
inline stack_pool stacks;

/// The first guess for kernels of which only the run knows the need.
inline constexpr size_t first_slots = 64;

/// What to try after a launch with `slots` slots. A need that is only a lower bound must
/// not be met one by one.
inline size_t next_slots(const stack_report &told, size_t slots) {
  return std::max(size_t(told.need), told.stopped != 0 ? 2 * slots : slots + 1);
}

inline size_t rounded(size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

} // namespace detail

/// Limits the memory that a launch may take for its records, in bytes. A launch that
/// needs more is reported by `synchronize`, with the number.
inline void limit_stack(size_t bytes) {
  std::lock_guard<std::mutex> lock(detail::stacks.guard);
  detail::stacks.limit = bytes;
}

/// Makes stacks out of memory.
struct stack_memory {
  size_t blocks = 0, threads = 0, places = 0; ///< of the grid, of a block, in the slab
  unsigned bytes_per_slot = 8;

  size_t slab_bytes(size_t slots) const { return (slots + 1) * places * threads * bytes_per_slot; }
  size_t marks_bytes() const {
    return detail::rounded(sizeof(detail::stack_report)) + detail::rounded(places * sizeof(unsigned)) + blocks;
  }
  stack over(void *slab, void *marks, size_t slots) const {
    stack made;
    made.bytes_ = static_cast<char *>(slab);
    char *at = static_cast<char *>(marks);
    made.report_ = reinterpret_cast<detail::stack_report *>(at);
    at += detail::rounded(sizeof(detail::stack_report));
    made.taken_ = reinterpret_cast<unsigned *>(at);
    made.done_ = reinterpret_cast<unsigned char *>(at + detail::rounded(places * sizeof(unsigned)));
    made.slots_ = slots;
    made.row_ = slab_bytes(0);
    made.blocks_ = places;
    return made;
  }
  static detail::stack_report *report_of(const stack &s) { return s.report_; }
};

namespace detail {

/// No more blocks of that shape run at once on the current device.
inline size_t resident_blocks(dim3 block) {
  int device = 0, processors = 1, threads = 2048, blocks = 32;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  cudaDeviceGetAttribute(&blocks, cudaDevAttrMaxBlocksPerMultiprocessor, device);
  size_t warps = (volume(block) + 31) / 32;
  size_t each = std::min(size_t(std::max(blocks, 1)), size_t(threads) / (32 * std::max(warps, size_t(1))));
  return size_t(std::max(processors, 1)) * std::max(each, size_t(1));
}

inline bool is_capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream, &state) == cudaSuccess)
    return state != cudaStreamCaptureStatusNone;
  cudaGetLastError(); // the legacy stream, while another one is captured: the launch itself reports it
  return false;
}

/// Memory that no graph owns: what is allocated on a stream under capture belongs to the graph, which frees it.
inline cudaError_t allocate_outside_capture(void **memory, size_t bytes) {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&mode);
  cudaError_t failure = cudaMalloc(memory, bytes);
  cudaThreadExchangeStreamCaptureMode(&mode);
  return failure;
}

/// Makes *memory at least `bytes` long. Contents are lost.
inline cudaError_t reserve(void **memory, size_t *has, size_t bytes, cudaStream_t stream) {
  if (*has >= bytes)
    return cudaSuccess;
  if (is_capturing(stream)) { // the launch has memory of its own, and asks once
    cudaError_t failure = allocate_outside_capture(memory, bytes);
    *has = failure == cudaSuccess ? bytes : 0;
    return failure;
  }
  if (*memory)
    cudaFreeAsync(*memory, stream);
  *memory = nullptr;
  *has = 0;
  cudaError_t failure = cudaMallocAsync(memory, bytes, stream);
  if (failure == cudaSuccess)
    *has = bytes;
  return failure;
}

inline void report_no_memory(const char *kernel, size_t slots, size_t bytes, size_t limit) {
  report(error::stack_too_small, std::string(kernel) + ": needs " + std::to_string(slots) + " slots a thread, " +
                                     std::to_string(bytes) + " bytes in all, for what its loops record" +
                                     (bytes > limit ? ", and gpuad::limit_stack allows " + std::to_string(limit)
                                                    : std::string(", which the device does not have")) +
                                     ". The shadows it adds to are incomplete");
}

inline void report_unfinished(const std::string &kernel, const stack_report &told) {
  if (told.unfinished != 0)
    report(error::stack_too_small, kernel + ": " + std::to_string(told.unfinished) + " blocks need " +
                                       (told.stopped != 0 ? "at least " : "") + std::to_string(told.need) +
                                       " slots a thread and had fewer. They added nothing and left primal memory as "
                                       "it was; grow the stack and launch again to complete them");
}

/// A launch with its memory.
struct stack_launch {
  stack_memory shape;
  kept_memory *memory = nullptr;
  const char *kernel = nullptr;
  cudaStream_t stream = nullptr;

  /// Memory for that many slots; false: there is none, which is reported.
  bool reserve_slots(size_t slots) {
    size_t bytes = shape.slab_bytes(slots);
    cudaError_t failure = cudaErrorMemoryAllocation;
    if (bytes / shape.bytes_per_slot / (slots + 1) == shape.places * shape.threads && bytes <= stacks.limit)
      failure = reserve(&memory->slab, &memory->slab_bytes, bytes, stream);
    if (failure == cudaSuccess)
      return true;
    cudaGetLastError();
    report_no_memory(kernel, slots, bytes, stacks.limit);
    return false;
  }
};

inline bool begin(stack_launch &made, const launch &where, const char *name, unsigned bytes_per_slot) {
  made.kernel = name;
  made.stream = where.stream;
  made.shape.blocks = volume(where.grid);
  made.shape.threads = volume(where.block);
  made.shape.places = std::min(made.shape.blocks, resident_blocks(where.block));
  made.shape.bytes_per_slot = bytes_per_slot;
  int device = 0;
  cudaGetDevice(&device);
  made.memory = is_capturing(where.stream) ? &stacks.captured.emplace_back() : &stacks.kept[{device, where.stream}];
  size_t bytes = made.shape.marks_bytes();
  cudaError_t failure = reserve(&made.memory->marks, &made.memory->marks_bytes, bytes, where.stream);
  if (failure == cudaSuccess)
    failure = cudaMemsetAsync(made.memory->marks, 0, bytes, where.stream);
  if (failure == cudaSuccess)
    return true;
  cudaGetLastError();
  report_no_memory(name, 0, bytes, stacks.limit);
  return false;
}

} // namespace detail

/// Launches a kernel of which every thread needs `slots` slots: known before it runs,
/// so nothing is waited for. Launchers call it; `run(stack)` is the launch.
template <class Run>
inline void run_sized(const launch &where, const char *name, unsigned bytes_per_slot, size_t slots, const Run &run) {
  std::lock_guard<std::mutex> lock(detail::stacks.guard);
  detail::stack_launch made;
  if (!detail::begin(made, where, name, bytes_per_slot) || !made.reserve_slots(slots))
    return;
  run(made.shape.over(made.memory->slab, made.memory->marks, slots));
  report_launch(name);
}

/// Launches a kernel that finds out itself how much it records. Waits for it, and
/// repeats the blocks that did not fit with more memory. With `no_wait`, or while the
/// stream is being captured, it does not wait, and `synchronize` reports.
template <class Run>
inline void run_measured(const launch &where, const char *name, unsigned bytes_per_slot, const Run &run) {
  std::lock_guard<std::mutex> lock(detail::stacks.guard);
  detail::stack_launch made;
  if (!detail::begin(made, where, name, bytes_per_slot))
    return;
  size_t &known = detail::stacks.slots_of[name];
  size_t slots = std::max(known, detail::first_slots);
  // A first guess must not fail where less may do.
  while (slots > 1 && made.shape.slab_bytes(slots) > detail::stacks.limit)
    slots /= 2;
  bool is_captured = detail::is_capturing(where.stream), waits = !where.no_wait && !is_captured;
  for (;;) {
    if (!made.reserve_slots(slots))
      return;
    stack memory = made.shape.over(made.memory->slab, made.memory->marks, slots);
    run(memory);
    report_launch(name);
    detail::stack_report *told = stack_memory::report_of(memory);
    if (!waits) {
      detail::pending_kind kind = is_captured ? detail::pending_kind::captured : detail::pending_kind::unwaited;
      detail::stacks.pending.push_back({name, where.stream, told, kind});
      if (!is_captured) // the next launch takes marks of its own, and leaves these until they are read
        made.memory->marks = nullptr, made.memory->marks_bytes = 0;
      return;
    }
    detail::stack_report result;
    cudaMemcpyAsync(&result, told, sizeof result, cudaMemcpyDeviceToHost, where.stream);
    if (cudaError_t failure = cudaStreamSynchronize(where.stream)) {
      report(error::cuda, std::string("CUDA reports at ") + name + ": " + cudaGetErrorString(failure));
      return;
    }
    if (result.unfinished == 0) {
      known = slots;
      return detail::report_unfinished(name, result);
    }
    slots = detail::next_slots(result, slots);
    cudaMemsetAsync(told, 0, sizeof result, where.stream);
  }
}

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

inline stack stack::allocate(dim3 grid, dim3 block, size_t slots, unsigned bytes_per_slot, cudaStream_t stream) {
  stack_memory shape{detail::volume(grid), detail::volume(block), detail::volume(grid), bytes_per_slot};
  void *slab = nullptr, *marks = nullptr;
  if (cudaMalloc(&slab, shape.slab_bytes(slots)) != cudaSuccess ||
      cudaMalloc(&marks, shape.marks_bytes()) != cudaSuccess) {
    cudaFree(slab);
    cudaGetLastError();
    detail::report_no_memory("gpuad::stack::allocate", slots, shape.slab_bytes(slots), detail::stacks.limit);
    return stack();
  }
  cudaMemset(marks, 0, shape.marks_bytes());
  stack made = shape.over(slab, marks, slots);
  std::lock_guard<std::mutex> lock(detail::stacks.guard);
  detail::stacks.pending.push_back(
      {"a kernel launched with a gpuad::stack", stream, made.report_, detail::pending_kind::by_hand});
  return made;
}

inline size_t stack::needed() const {
  detail::stack_report told;
  cudaMemcpy(&told, report_, sizeof told, cudaMemcpyDeviceToHost);
  return told.need;
}

inline void stack::grow() {
  detail::stack_report told;
  cudaMemcpy(&told, report_, sizeof told, cudaMemcpyDeviceToHost);
  if (told.need <= slots_)
    return;
  size_t slots = detail::next_slots(told, slots_);
  void *slab = nullptr;
  if (cudaMalloc(&slab, (slots + 1) * row_) != cudaSuccess) {
    cudaGetLastError();
    return detail::report_no_memory("gpuad::stack::grow", slots, (slots + 1) * row_, detail::stacks.limit);
  }
  cudaFree(bytes_);
  bytes_ = static_cast<char *>(slab);
  slots_ = slots;
  cudaMemset(report_, 0, sizeof *report_);
  std::lock_guard<std::mutex> lock(detail::stacks.guard);
  for (detail::pending_stack &one : detail::stacks.pending)
    if (one.report == report_)
      one.reported = 0; // what is unfinished after the next launch is news, as many as it be
}

inline void stack::restart() {
  cudaMemset(report_, 0, sizeof *report_);
  cudaMemset(done_, 0, blocks_);
}

inline void stack::free() {
  {
    std::lock_guard<std::mutex> lock(detail::stacks.guard);
    auto &pending = detail::stacks.pending;
    pending.erase(std::remove_if(pending.begin(), pending.end(),
                                 [&](const detail::pending_stack &one) { return one.report == report_; }),
                  pending.end());
  }
  cudaFree(bytes_);
  cudaFree(report_);
  *this = stack();
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

namespace detail {

/// Says which launches of the stream, or of all, did not fit.
inline void report_pending(cudaStream_t stream, bool of_all) {
  std::vector<pending_stack> later;
  for (pending_stack &one : stacks.pending) {
    stack_report told;
    bool is_asked = of_all || one.stream == stream || one.kind == pending_kind::captured;
    if (!is_asked || cudaMemcpy(&told, one.report, sizeof told, cudaMemcpyDeviceToHost) != cudaSuccess) {
      later.push_back(one);
      continue;
    }
    if (told.unfinished != one.reported)
      report_unfinished(one.kernel, told);
    one.reported = told.unfinished;
    if (one.kind == pending_kind::unwaited)
      cudaFree(one.report);
    else
      later.push_back(one);
  }
  stacks.pending = std::move(later);
}

inline void free_kept(stack_pool &pool) {
  auto free_one = [](kept_memory &memory) {
    cudaFree(memory.slab);
    cudaFree(memory.marks);
  };
  for (auto &[where, memory] : pool.kept)
    free_one(memory);
  for (kept_memory &memory : pool.captured)
    free_one(memory);
  for (pending_stack &one : pool.pending)
    if (one.kind == pending_kind::unwaited)
      cudaFree(one.report);
}

} // namespace detail

namespace detail {
inline void report_records(cudaStream_t stream, bool of_all);
}

/// Waits for the stream and says what went wrong since the last call, in any
/// launcher of the program. Clears what it returns.
inline status synchronize(cudaStream_t stream = nullptr) {
  cudaError_t failure = cudaStreamSynchronize(stream);
  if (failure == cudaSuccess) {
    {
      std::lock_guard<std::mutex> lock(detail::stacks.guard);
      detail::report_pending(stream, stream == nullptr);
    }
    detail::report_records(stream, stream == nullptr);
    detail::report_flags();
  }
  return detail::collect(failure);
}

/// Frees the memory that the runtime keeps for the next launch. Waits for what runs. Graphs in which launchers were
/// captured cannot be launched any more.
inline void release() {
  std::lock_guard<std::mutex> lock(detail::stacks.guard);
  detail::stack_pool &pool = detail::stacks;
  if (pool.kept.empty() && pool.captured.empty() && pool.pending.empty())
    return;
  cudaDeviceSynchronize();
  detail::report_pending(nullptr, true);
  detail::free_kept(pool);
  pool.kept.clear();
  pool.captured.clear();
  auto goes = [](const detail::pending_stack &one) { return one.kind != detail::pending_kind::by_hand; };
  pool.pending.erase(std::remove_if(pool.pending.begin(), pool.pending.end(), goes), pool.pending.end());
}

inline detail::stack_pool::~stack_pool() {
  detail::free_kept(*this); // where the driver has gone already, so has the memory
}

} // namespace gpuad

#endif // GPUAD_RUNTIME_STACK_CUH
