//===- gpuad.h - asking for derivatives in the source ----------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Macros for the code that is to be differentiated. The translator reads them; for
/// every other compiler they are empty:
///
///     GPUAD_ADJOINT("(y)/(a,x)") __global__ void saxpy(int n, float a, const float *x, float *y);
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_GPUAD_H
#define GPUAD_GPUAD_H

namespace gpuad {
/// What generated code reaches private members through: see GPUAD_FRIEND.
template <class Friend> struct access;
} // namespace gpuad

#if defined(GPUAD_TRANSLATING)
/// Asks for the adjoint of the function that follows: dependents and independents,
/// "(y)/(a,x)", or "" for every floating-point parameter.
#define GPUAD_ADJOINT(HEAD) __attribute__((annotate("gpuad:adjoint:" HEAD)))
/// Asks for the tangent of the function that follows.
#define GPUAD_TANGENT(HEAD) __attribute__((annotate("gpuad:tangent:" HEAD)))
/// Says that the function that follows is a derivative of another one, written by hand.
#define GPUAD_DERIVATIVE_OF(...) __attribute__((annotate("gpuad:derivative-of:" #__VA_ARGS__)))
#else
#define GPUAD_ADJOINT(HEAD)
#define GPUAD_TANGENT(HEAD)
#define GPUAD_DERIVATIVE_OF(...)
#endif

/// In a class: lets the derivatives of its methods use its private members.
#define GPUAD_FRIEND template <class> friend struct ::gpuad::access

#endif // GPUAD_GPUAD_H
