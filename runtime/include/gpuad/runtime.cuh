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

/// Before the shadow of a variable at namespace scope. Files that are linked on the device
/// share it where they share the variable.
#if defined(GPUAD_TRANSLATING)
#define GPUAD_SHADOW __attribute__((annotate("gpuad:generated")))
#elif defined(__CUDACC_RDC__)
#define GPUAD_SHADOW inline
#else
#define GPUAD_SHADOW
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
