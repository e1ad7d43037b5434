//===- ResolveHead.h - what a HEAD names ------------------------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_RESOLVEHEAD_H
#define GPUAD_TRANSFORM_RESOLVEHEAD_H

#include "transform/Plan.h"

namespace gpuad::transform {

/// The function that a HEAD names, or all instances of the template that it names.
/// Empty after reporting that there is none, or that there are several.
std::vector<ir::Function *> resolveFunction(const ir::Module &module, const Head &head, const std::string &text,
                                            const SourceRange &range, DiagnosticSink &sink);

/// Whether derivatives of both share a name: they are instances of one template.
bool areOneTemplate(const ir::Function &a, const ir::Function &b);

/// Fills the dependents and independents of a request; all floating-point parameters
/// when the HEAD lists none. False after reporting what is wrong.
bool resolveLists(const ir::Module &module, const Head &head, Request &request, const SourceRange &range,
                  DiagnosticSink &sink);

/// "saxpy_adjoint", "call_tangent" for operator(), or OTHER_adjoint.
std::string derivativeName(const ir::Function &primal, const Head &head, ir::DerivativeMode mode);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_RESOLVEHEAD_H
