//===- Conversion.h - what C++ converts by itself --------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The usual arithmetic conversions of C++ over IR types, so that the printer knows
/// which implicit casts it may leave out.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_CONVERSION_H
#define GPUAD_EMIT_CONVERSION_H

#include "ir/Expr.h"

namespace gpuad::emit {

/// bool, integers, float, double, long double: what the built-in conversions are
/// about. Half types are classes to C++.
bool isArithmetic(const ir::Type &type);

/// Every value of `from` is one of `to`.
bool keepsValue(const ir::Type &from, const ir::Type &to);

/// Integral promotion.
ir::Type promoted(const ir::Type &type);

/// The type in which `a op b` is computed; null when one is not arithmetic.
ir::Type commonType(const ir::Type &a, const ir::Type &b);

/// The type that C++ gives to a literal of this spelling; `declared` when the
/// spelling says nothing (a macro or enumerator).
ir::Type literalType(const std::string &spelling, const ir::Type &declared);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_CONVERSION_H
