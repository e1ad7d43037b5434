//===- runtime.cuh - what generated code includes -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The runtime of gpuad: CUDA C++17, headers only, nothing to link. All state is in
/// inline host variables, so there is one of it in a program.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_CUH
#define GPUAD_RUNTIME_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

// Short names that people have macros of, defined before they include this.
#pragma push_macro("A")
#undef A
#pragma push_macro("B")
#undef B
#pragma push_macro("C")
#undef C
#pragma push_macro("I")
#undef I
#pragma push_macro("N")
#undef N
#pragma push_macro("T")
#undef T
#pragma push_macro("V")
#undef V
#pragma push_macro("a")
#undef a
#pragma push_macro("b")
#undef b
#pragma push_macro("d")
#undef d
#pragma push_macro("h")
#undef h
#pragma push_macro("k")
#undef k
#pragma push_macro("l")
#undef l
#pragma push_macro("n")
#undef n
#pragma push_macro("r")
#undef r
#pragma push_macro("s")
#undef s
#pragma push_macro("w")
#undef w
#pragma push_macro("x")
#undef x
#pragma push_macro("y")
#undef y
#pragma push_macro("z")
#undef z
#pragma push_macro("min")
#undef min
#pragma push_macro("max")
#undef max

#include "runtime/accumulate.cuh"
#include "runtime/classes.cuh"
#include "runtime/group.cuh"
#include "runtime/launch.cuh"
#include "runtime/math.cuh"
#include "runtime/memory.cuh"
#include "runtime/picks.cuh"
#include "runtime/record.cuh"
#include "runtime/records.cuh"
#include "runtime/stack.cuh"
#include "runtime/status.cuh"
#include "runtime/sums.cuh"
#include "runtime/tiles.cuh"

#include <type_traits>

namespace gpuad {
/// Specialized in generated code, for classes that say GPUAD_FRIEND.
template <class T> struct access;
} // namespace gpuad

namespace gpuad {
/// Whether two templates are one: what template template parameters are compared by.
template <template <class...> class A, template <class...> class B> inline constexpr bool is_same_template = false;
template <template <class...> class A> inline constexpr bool is_same_template<A, A> = true;
} // namespace gpuad

#pragma pop_macro("A")
#pragma pop_macro("B")
#pragma pop_macro("C")
#pragma pop_macro("I")
#pragma pop_macro("N")
#pragma pop_macro("T")
#pragma pop_macro("V")
#pragma pop_macro("a")
#pragma pop_macro("b")
#pragma pop_macro("d")
#pragma pop_macro("h")
#pragma pop_macro("k")
#pragma pop_macro("l")
#pragma pop_macro("n")
#pragma pop_macro("r")
#pragma pop_macro("s")
#pragma pop_macro("w")
#pragma pop_macro("x")
#pragma pop_macro("y")
#pragma pop_macro("z")
#pragma pop_macro("min")
#pragma pop_macro("max")

/// Before the shadow of a variable at namespace scope. Files that are linked on the device
/// share it where they share the variable; GPUAD_STATIC_SHADOW is for those of one file.
#if defined(GPUAD_TRANSLATING)
#define GPUAD_SHADOW __attribute__((annotate("gpuad:generated")))
#define GPUAD_STATIC_SHADOW static GPUAD_SHADOW
#elif defined(__CUDACC_RDC__)
#define GPUAD_SHADOW inline
#define GPUAD_STATIC_SHADOW static
#else
#define GPUAD_SHADOW
#define GPUAD_STATIC_SHADOW static
#endif

/// Around generated functions: a second translation leaves them alone where no HEAD
/// names them.
#if defined(GPUAD_TRANSLATING)
#define GPUAD_GENERATED_BEGIN                                                                                          \
  _Pragma("clang attribute push(__attribute__((annotate(\"gpuad:generated\"))), apply_to = function)")
#define GPUAD_GENERATED_END _Pragma("clang attribute pop")
#else
#define GPUAD_GENERATED_BEGIN
#define GPUAD_GENERATED_END
#endif

#endif // GPUAD_RUNTIME_CUH
