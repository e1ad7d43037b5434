//===- records.cuh - what loops record for their reverse -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The device side of the adstack. A launch has one slab of memory for all its
/// threads, slot-major: slot s of neighbouring threads lies in neighbouring words.
/// A kernel counts what it needs before its reverse sweep starts, all threads of a
/// block together; a block that needs more than there is adds nothing.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_RECORDS_CUH
#define GPUAD_RUNTIME_RECORDS_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include "undo.cuh"

#include <cuda_runtime.h>

#include <type_traits>

namespace gpuad {

/// The values of one variable, one for each iteration of the loop that records it.
template <class T> class records {
public:
  records() = default;
  __host__ __device__ records(char *first, ptrdiff_t step, ptrdiff_t room) : first_(first), step_(step), room_(room) {}

  /// The value of iteration k, which is known to fit.
  __device__ T &operator[](size_t k) const {
    return *reinterpret_cast<T *>(first_ + static_cast<ptrdiff_t>(k) * step_);
  }

  /// Keeps the value of iteration k. What does not fit goes to the thread's spare
  /// slot, without a branch: the thread goes on counting what it needs.
  __device__ void put(size_t k, T value) const {
    ptrdiff_t at = static_cast<ptrdiff_t>(k) * step_;
    *reinterpret_cast<T *>(first_ + (at < room_ ? at : room_)) = value;
  }

private:
  char *first_;    ///< may lie behind the spare slot: nothing fits
  ptrdiff_t step_; ///< bytes from one iteration's value to the next
  ptrdiff_t room_; ///< bytes from first_ to the spare slot
};

/// What the first run of a thread decided by numbers that may be rounded otherwise when they are worked out again:
/// conditions, of one bit each, and counts. Kept in the order in which they are decided.
class decisions {
public:
  decisions() = default;
  /// Words at first, first + step, ...; those beyond `room` go to the spare slot in front of the first.
  __host__ __device__ decisions(char *first, ptrdiff_t step, ptrdiff_t room)
      : first_(first), step_(step), room_(room) {}
  template <size_t N>
  __host__ __device__ explicit decisions(unsigned (&words)[N])
      : decisions(reinterpret_cast<char *>(words), sizeof(unsigned), N) {}

  /// The next decision, in the bits from `place` on.
  template <class T> __host__ __device__ void append(int place, T decision) const {
    put(place, width<T>(), bits_of(decision), true);
  }

  /// The next so many bits, all zero: decisions that are kept in any order, if at all.
  __host__ __device__ void open(int place, int bits) const {
    for (int done = 0; done < bits; done += 32)
      put(place + done, bits - done < 32 ? bits - done : 32, 0, true);
  }
  template <class T> __host__ __device__ void keep(int place, T decision) const {
    put(place, width<T>(), bits_of(decision), false);
  }

  /// The decision that was kept there.
  template <class T> __host__ __device__ T was(int place) const {
    unsigned long long bits = word(place / 32) >> place % 32;
    for (int done = 32 - place % 32; done < width<T>(); done += 32)
      bits |= static_cast<unsigned long long>(word((place + done) / 32)) << done;
    return static_cast<T>(bits & mask<T>());
  }

private:
  template <class T> static constexpr __host__ __device__ int width() {
    return std::is_same<T, bool>::value ? 1 : int(8 * sizeof(T));
  }
  template <class T> static constexpr __host__ __device__ unsigned long long mask() {
    return ~0ull >> (64 - width<T>());
  }
  template <class T> static __host__ __device__ unsigned long long bits_of(T decision) {
    return static_cast<unsigned long long>(decision) & mask<T>();
  }
  __host__ __device__ unsigned &word(int number) const {
    ptrdiff_t at = number < room_ ? number : -1;
    return *reinterpret_cast<unsigned *>(first_ + at * step_);
  }
  /// `isNext`: nothing has been put there and behind it.
  __host__ __device__ void put(int place, int width, unsigned long long bits, bool isNext) const {
    int number = place / 32, shift = place % 32;
    unsigned old = isNext ? shift != 0 ? word(number) & ((1u << shift) - 1u) : 0u : word(number);
    word(number) = old | static_cast<unsigned>(bits << shift);
    for (int done = 32 - shift; done < width; done += 32) {
      ++number;
      word(number) = (isNext ? 0u : word(number)) | static_cast<unsigned>(bits >> done);
    }
  }

  char *first_ = nullptr;
  ptrdiff_t step_ = 0, room_ = 0;
};

/// Iterations between two checkpoints of a loop that runs `trips` times: `states`
/// checkpoints are enough then; 0: about as many as iterations between them.
template <class T> __host__ __device__ T segment_length(T trips, T states) {
  if (trips <= 1)
    return 1;
  if (states > 0)
    return (trips - 1) / states + 1;
  T root = T(0), bit = T(1);
  while (bit <= trips / bit / 4)
    bit *= 2;
  for (; bit > 0; bit /= 2) // the square root, bit by bit
    if (root + bit <= trips / (root + bit))
      root += bit;
  return root;
}

namespace detail {

/// What the blocks of a launch tell the host, in device memory.
struct stack_report {
  unsigned long long need = 0; ///< slots: the largest number that did not fit
  unsigned unfinished = 0;     ///< blocks that added nothing, because they did not fit
  unsigned stopped = 0;        ///< threads that stopped before they knew what they need: more than `need`
};

} // namespace detail

/// The memory that the threads of a launch record into. Launchers make it; whoever
/// launches an adjoint by hand makes one with `stack::allocate`. A plain handle:
/// copies speak of the same memory.
class stack {
public:
  /// Memory for a launch of that configuration with room for `slots` values of
  /// `bytes_per_slot` (4 or 8; the comment above a kernel tells) in each thread. All
  /// blocks are taken as not done. Freed by `free`.
  static stack allocate(dim3 grid, dim3 block, size_t slots, unsigned bytes_per_slot = 8,
                        cudaStream_t stream = nullptr);
  /// After a launch whose blocks did not all fit: room for what they need. Launching
  /// again then completes the missing blocks, and only those.
  void grow();
  /// Slots that the last launch needed and did not have; 0: everything fitted.
  size_t needed() const;
  /// All blocks are to be done again: before the next use of the kernel.
  void restart();
  void free();

  // What follows is for generated code. All threads of a block call `enter`, `fits`
  // and `leave` together.

  /// Begins a kernel of which every thread needs `need` slots. False: it does not fit.
  __device__ bool enter(size_t need) {
    if (need <= slots_) {
      take_place();
      return true;
    }
    if (is_first_thread()) {
      atomicMax(&report_->need, static_cast<unsigned long long>(need));
      atomicAdd(&report_->unfinished, 1u);
    }
    return false;
  }

  /// Begins a kernel that counts what it needs. False: an earlier launch has done this block.
  __device__ bool enter() {
    if (done_[block_number()])
      return false;
    take_place();
    return true;
  }

  /// The same in the tangent of an adjoint, where each record has its tangent in the same
  /// slot of another stack.
  template <class... Need> __device__ bool enter_with(stack &tangents, Need... need) {
    slots_ = tangents.slots_ = slots_ < tangents.slots_ ? slots_ : tangents.slots_;
    bool is_entered = enter(need...);
    tangents.place_ = place_;
    return is_entered;
  }
  /// Where a launch gives each slot twice the bytes of a record: the second half of all slots.
  __host__ __device__ stack second_half() const {
    stack half = *this;
    half.bytes_ += row_ / 2;
    return half;
  }

  /// Between the sweeps: whether the need of every thread of the block was met. The
  /// block is done then, as nothing after it can fail.
  __device__ bool fits(size_t need) {
    bool is_any_over = is_over_anywhere(need > slots_, need);
    if (is_any_over)
      leave();
    return !is_any_over;
  }

  /// The same for a kernel that has overwritten memory. Where it does not fit, that is
  /// put back.
  __device__ bool fits(size_t need, undo_log &undo) {
    undo_log none;
    return fits_with(none, need, undo);
  }

  /// The same in the tangent of an adjoint, which has overwritten tangents as well.
  __device__ bool fits_with(undo_log &tangents, size_t need, undo_log &undo) {
    size_t most = need > undo.needed() ? need : undo.needed();
    if (undo.is_stopped())
      atomicAdd(&report_->stopped, 1u);
    bool is_any_over = is_over_anywhere(most > slots_ || undo.is_stopped(), most * share_);
    if (is_any_over) {
      undo.rewind_all();
      tangents.rewind_all();
      leave();
    }
    return !is_any_over;
  }

  /// The same where it was shared memory alone.
  __device__ bool fits_shared(size_t need, const undo_log &undo) {
    size_t most = need > undo.needed() ? need : undo.needed();
    bool is_any_over = is_over_anywhere(most > slots_, most * share_);
    if (is_any_over)
      leave();
    return !is_any_over;
  }

  /// Ends the kernel: the block's place in the slab may be used by another one.
  __device__ void leave() {
    if (blocks_ >= blocks_of_grid())
      return;
    __syncthreads();
    if (is_first_thread()) {
      __threadfence();
      atomicExch(&taken_[shared_place()], 0u);
    }
  }

  /// Where the thread keeps what it decides: from the last slot down.
  template <unsigned SlotBytes> __device__ gpuad::decisions decisions() const {
    return gpuad::decisions(slot<SlotBytes>(slots_ - 1), -static_cast<ptrdiff_t>(row_), static_cast<ptrdiff_t>(slots_));
  }

  /// Where the thread keeps what it overwrites: behind all that its loops record, and so many slots of decisions.
  /// All are known to fit.
  __device__ undo_log undo(size_t decided = 0) const {
    return undo_log(slot(slots_ - 1 - decided), -static_cast<ptrdiff_t>(row_), slots_);
  }

  template <unsigned SlotBytes> __device__ gpuad::undo_values undo_values(size_t decided = 0) const {
    return gpuad::undo_values(slot<SlotBytes>(slots_ - 1 - decided), -static_cast<ptrdiff_t>(row_));
  }

  /// The same where only the run knows the length of both: each gets half of the slots.
  __device__ undo_log undo_half() {
    size_t all = slots_;
    share_ = 2;
    slots_ = all / 2;
    return undo_log(slot(all), -static_cast<ptrdiff_t>(row_), slots_); // from the spare slot of the whole down
  }

  /// The slots first, first + step, first + 2 step ... of this thread.
  template <class T, unsigned SlotBytes = (sizeof(T) < 4 ? 4 : sizeof(T))>
  __device__ records<T> claim(size_t first, size_t step = 1) const {
    ptrdiff_t row = static_cast<ptrdiff_t>(row_), room = static_cast<ptrdiff_t>(slots_) - static_cast<ptrdiff_t>(first);
    return records<T>(slot<SlotBytes>(first), static_cast<ptrdiff_t>(step) * row, room * row);
  }

private:
  friend struct stack_memory;

  static __device__ bool is_first_thread() { return threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0; }
  static __device__ size_t blocks_of_grid() { return size_t(gridDim.x) * gridDim.y * gridDim.z; }
  static __device__ size_t block_number() {
    return blockIdx.x + size_t(gridDim.x) * (blockIdx.y + size_t(gridDim.y) * blockIdx.z);
  }

  template <unsigned SlotBytes = 8> __device__ char *slot(size_t number) const {
    size_t threads_of_block = size_t(blockDim.x) * blockDim.y * blockDim.z;
    size_t thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return bytes_ + number * row_ + (place_ * threads_of_block + thread) * SlotBytes;
  }

  /// Whether some thread of the block needs more than there is. All threads call it.
  __device__ bool is_over_anywhere(bool is_over, size_t need) {
    if (is_over)
      atomicMax(&report_->need, static_cast<unsigned long long>(need));
    bool is_any_over = __syncthreads_or(is_over);
    if (is_first_thread()) {
      if (is_any_over)
        atomicAdd(&report_->unfinished, 1u);
      else
        done_[block_number()] = 1;
    }
    return is_any_over;
  }

  /// The block's place, where places are shared: kept here, it takes no register of each thread up to the end.
  static __device__ unsigned long long &shared_place() {
    __shared__ unsigned long long place;
    return place;
  }

  /// A place in the slab. Grids that are larger than what runs at once share places:
  /// there are as many as blocks can run at the same time, so one is free.
  __device__ void take_place() {
    place_ = block_number();
    if (blocks_ >= blocks_of_grid())
      return;
    unsigned long long &place = shared_place();
    if (is_first_thread()) {
      unsigned long long at = place_ % blocks_;
      while (atomicExch(&taken_[at], 1u) != 0u)
        at = at + 1 == blocks_ ? 0 : at + 1;
      __threadfence();
      place = at;
    }
    __syncthreads();
    place_ = place;
  }

  char *bytes_ = nullptr;                  ///< (slots_ + 1) rows; the last one is of spare slots
  detail::stack_report *report_ = nullptr; ///< device memory
  unsigned *taken_ = nullptr;              ///< one for each place: a block is in it
  unsigned char *done_ = nullptr;          ///< one for each block of the grid
  size_t slots_ = 0;                       ///< of each thread, without the spare one
  size_t row_ = 0;                         ///< bytes from one slot to the next
  size_t blocks_ = 0;                      ///< places in the slab
  size_t place_ = 0;                       ///< of this block
  unsigned share_ = 1;                     ///< times slots_: what the launch gave
};

} // namespace gpuad

#endif // GPUAD_RUNTIME_RECORDS_CUH
