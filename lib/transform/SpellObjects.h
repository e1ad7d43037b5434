//===- SpellObjects.h - objects as generated code can write them -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_SPELLOBJECTS_H
#define GPUAD_TRANSFORM_SPELLOBJECTS_H

#include "ir/Derivative.h"
#include "support/Diagnostics.h"

namespace gpuad::transform {

/// Rewrites what C++ does not let everybody write, or reads otherwise than it is meant:
///
/// - a list of fields, of a class that has constructors, becomes a variable whose fields
///   are assigned;
/// - zero, of a class whose constructors may set something else, is `gpuad::zero<T>()`, and
///   so starts a variable of a class without a default constructor;
/// - private methods of classes that say GPUAD_FRIEND are called through functions of
///   `gpuad::access`, which the derivative lists.
void spellObjects(ir::Derivative &derivative, const std::string &internalNamespace, DiagnosticSink &sink);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_SPELLOBJECTS_H
