//===- Derivative.h - a derivative on its way to the output ----- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the transforms hand to emit: a derivative function with all that its
/// declaration, its launcher and the comment above it need.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_DERIVATIVE_H
#define GPUAD_IR_DERIVATIVE_H

#include "ir/Module.h"

#include <map>

namespace gpuad::ir {

/// Forward mode computes tangents, reverse mode adjoints. The augmented form of a kernel
/// is the kernel itself, which keeps for its adjoint what only its run knows.
enum class DerivativeMode { Tangent, Adjoint, Augmented };

/// What a parameter of a derivative is.
/// Nothing that a record holds has a tangent; a tangent takes a second one all the same, as it
/// takes one beside all that an adjoint is given.
enum class ParamRole { Primal, Shadow, ReturnSeed, SharedBytes, Stack, StackTangent, Record, RecordTangent };

struct DerivativeParam {
  Var *var = nullptr;
  ParamRole role = ParamRole::Primal;
  unsigned primalIndex = 0; ///< Primal, Shadow: the parameter of the primal it belongs to
  /// Shadow: the derivative flows through this argument (it is both read and
  /// written), so a null pointer is an error that the launcher reports.
  bool mustNotBeNull = false;
};

/// The stack memory of a kernel whose loops record.
struct StackNeed {
  /// Slots that a thread needs, as the host works it out before the launch: over the
  /// kernel's parameters and the launch's shape. Null: the kernel counts.
  Expr slots;
  unsigned bytesPerSlot = 4;
};

/// The record of an augmented kernel, and of the adjoint that reads it.
struct RecordNeed {
  bool holdsOffers = false; ///< threads offer numbers, of which one is picked
  /// Values that a thread keeps at most, as StackNeed::slots. Null: only the run knows.
  Expr slots;
};

struct Derivative {
  DerivativeMode mode = DerivativeMode::Adjoint;
  const Function *primal = nullptr;
  std::unique_ptr<Function> function;  ///< named, with parameters and body
  std::vector<DerivativeParam> params; ///< in the order of function->params
  std::string comment;                 ///< the lines above the definition, without slashes
  bool isPublic = true;                ///< asked for by a HEAD; otherwise internal linkage in namespace gpuad_FILE
  bool needsLauncher = false;          ///< kernels
  bool mayLackRegisters = false;       ///< in a block as large as the primal's can be: there is a variant with a bound
  /// Pointer parameters that must not be the same array: the kernel returns at once
  /// when they are, and the launcher reports it.
  std::vector<std::pair<Var *, Var *>> mustDiffer;
  std::map<std::string, FunctionKind> openedMethods; ///< private, and called through gpuad::access
  std::optional<StackNeed> stack;                    ///< none: no stack parameter
  std::vector<Type> movedShared;                     ///< arrays in dynamic shared memory, besides the primal's
  std::optional<RecordNeed> record;                  ///< none: no record parameter
  /// Variables at namespace scope that are active, with their shadows.
  std::vector<std::pair<const Var *, const Var *>> globals;
};

} // namespace gpuad::ir

#endif // GPUAD_IR_DERIVATIVE_H
