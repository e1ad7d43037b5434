//===- GlobalShadows.h - shadows at namespace scope ----------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A __constant__ or __device__ variable that is active has a shadow of the same type in
/// the same namespace: coef_bar or coef_dot, one for all derivatives of the file.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_GLOBALSHADOWS_H
#define GPUAD_TRANSFORM_GLOBALSHADOWS_H

#include "ir/Derivative.h"
#include "support/Diagnostics.h"

#include <map>

namespace gpuad::transform {

class GlobalShadows {
public:
  explicit GlobalShadows(ir::Module &module) : module(module) {}

  /// The shadow of a variable that the function uses; null after reporting that it can have none.
  ir::Var *shadowOf(ir::Var *global, ir::DerivativeMode mode, const ir::Function &user, DiagnosticSink &sink);

private:
  ir::Module &module;
  std::map<std::pair<ir::Var *, ir::DerivativeMode>, ir::Var *, ir::InOrder> known;
};

/// Whether the variable is one at namespace scope of the device.
bool isDeviceGlobal(const ir::Var *var);

/// "::physics::coef".
std::string qualifiedNameOf(const ir::Var &global);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_GLOBALSHADOWS_H
