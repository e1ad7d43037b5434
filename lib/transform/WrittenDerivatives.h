//===- WrittenDerivatives.h - derivatives that users write --------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// GPUAD_DERIVATIVE_OF(f) in front of f_tangent or f_adjoint: where differentiated code
/// calls f, that function is called, and f is not differentiated.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_WRITTENDERIVATIVES_H
#define GPUAD_TRANSFORM_WRITTENDERIVATIVES_H

#include "ir/Module.h"

namespace gpuad {
class DiagnosticSink;
}

namespace gpuad::transform {

/// Tells the functions of the module of the derivatives that are written for them. Reports
/// those that are none, by name or by signature.
void bindWrittenDerivatives(const ir::Module &module, DiagnosticSink &sink);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_WRITTENDERIVATIVES_H
