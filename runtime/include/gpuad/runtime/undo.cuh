//===- undo.cuh - memory that is overwritten and put back -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An adjoint that has to overwrite memory of its caller keeps the old values, newest
/// last, and puts them back on its way to the start. What does not fit is never written: a thread that runs out of
/// slots stops before the write.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_UNDO_CUH
#define GPUAD_RUNTIME_UNDO_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include "memory.cuh"

#include <cstddef>
#include <cstring>

namespace gpuad {

/// `save` and `restore` for an element of which only the size is known.
template <class Word> __host__ __device__ inline Word save_as(const void *place) {
  Word word;
  memcpy(&word, __builtin_assume_aligned(place, sizeof(Word)), sizeof(Word));
  return word;
}
template <class Word> __host__ __device__ inline void restore_as(void *place, const void *kept) {
  Word word = save_as<Word>(kept);
  memcpy(__builtin_assume_aligned(place, sizeof(Word)), &word, sizeof(Word));
}

/// The old values of what a thread has overwritten, where the adjoint knows the places.
class undo_values {
public:
  undo_values() = default;
  /// Slots at next, next + step, ..., known to be enough.
  __host__ __device__ undo_values(char *next, ptrdiff_t step) : next_(next), step_(step) {}
  template <size_t N>
  __host__ __device__ explicit undo_values(unsigned long long (&slots)[N])
      : undo_values(reinterpret_cast<char *>(slots), sizeof(slots[0])) {}

  /// Keeps what *place holds, which is overwritten next.
  template <class T> __host__ __device__ void keep(const T *place) {
    *reinterpret_cast<T *>(next_) = save(place);
    next_ += step_;
  }
  /// Puts back what was kept last, which was at *place.
  template <class T> __host__ __device__ void put_back(T *place) {
    next_ -= step_;
    restore(place, save(reinterpret_cast<const T *>(next_)));
  }

private:
  char *next_ = nullptr;
  ptrdiff_t step_ = 0;
};

/// What a thread has overwritten, and where: an entry is a pair of slots of 8 bytes.
class undo_log {
public:
  undo_log() = default;
  /// Slots at next, next + step, ...; room for `slots` of them.
  __host__ __device__ undo_log(char *next, ptrdiff_t step, size_t slots) : next_(next), step_(step), slots_(slots) {}
  /// In a local array that is known to be long enough.
  template <size_t N>
  __host__ __device__ explicit undo_log(unsigned long long (&slots)[N])
      : undo_log(reinterpret_cast<char *>(slots), sizeof(slots[0]), N) {}

  /// Keeps what *place holds, which is overwritten next.
  template <class T> __host__ __device__ void keep(T *place) {
    static_assert(sizeof(T) <= 8, "elements are kept one by one");
    unsigned long long where = reinterpret_cast<unsigned long long>(place);
    *word(0) = where | static_cast<unsigned long long>(sizeof(T)) << size_shift;
    *reinterpret_cast<T *>(next_ + step_) = save(place);
    advance();
  }

  /// Puts back what was kept last, which is known to be *place.
  template <class T> __host__ __device__ void put_back(T *place) {
    retreat();
    restore(place, save(reinterpret_cast<const T *>(next_ + step_)));
  }

  /// The start of what `rewind` is to put back in one go.
  __host__ __device__ void mark(unsigned number) {
    *word(0) = number;
    advance();
  }
  /// Puts back all that was kept since the last mark of that number, newest first.
  __host__ __device__ void rewind(unsigned number) {
    for (;;) {
      retreat();
      unsigned long long entry = *word(0);
      if (!put_back_entry(entry) && entry == number)
        return;
    }
  }
  /// Puts back everything.
  __host__ __device__ void rewind_all() {
    while (used_ != 0) {
      retreat();
      put_back_entry(*word(0));
    }
  }

  /// The same for shared memory, which is lost with the block anyway: what does not fit is only counted.
  template <class T> __host__ __device__ void try_keep(T *place) {
    if (used_ + 2 <= slots_)
      keep(place);
    else
      used_ += 2;
  }
  __host__ __device__ void try_mark(unsigned number) {
    if (used_ + 2 <= slots_)
      mark(number);
    else
      used_ += 2;
  }

  /// Whether so many more entries fit. If not, the thread has to stop.
  __host__ __device__ bool has_room(unsigned entries) {
    size_t then = used_ + size_t(entries) * 2;
    if (then <= slots_)
      return true;
    missing_ = then;
    return false;
  }
  __host__ __device__ bool is_stopped() const { return missing_ != 0; }
  /// Slots that were needed up to here.
  __host__ __device__ size_t needed() const { return is_stopped() ? missing_ : used_; }

private:
  static constexpr unsigned size_shift = 56; ///< addresses have fewer bits

  __host__ __device__ unsigned long long *word(ptrdiff_t slot) const {
    return reinterpret_cast<unsigned long long *>(next_ + slot * step_);
  }
  __host__ __device__ void advance() {
    next_ += 2 * step_;
    used_ += 2;
  }
  __host__ __device__ void retreat() {
    next_ -= 2 * step_;
    used_ -= 2;
  }
  /// False: the entry is a mark.
  __host__ __device__ bool put_back_entry(unsigned long long entry) const {
    unsigned bytes = static_cast<unsigned>(entry >> size_shift);
    if (bytes == 0)
      return false;
    void *place = reinterpret_cast<void *>(entry & ((1ull << size_shift) - 1));
    const void *kept = next_ + step_;
    if (bytes == 8)
      restore_as<unsigned long long>(place, kept);
    else if (bytes == 4)
      restore_as<unsigned>(place, kept);
    else if (bytes == 2)
      restore_as<unsigned short>(place, kept);
    else
      restore_as<unsigned char>(place, kept);
    return true;
  }

  char *next_ = nullptr;
  ptrdiff_t step_ = 0;
  size_t slots_ = 0, used_ = 0;
  size_t missing_ = 0; ///< 0: everything fitted
};

} // namespace gpuad

#endif // GPUAD_RUNTIME_UNDO_CUH
