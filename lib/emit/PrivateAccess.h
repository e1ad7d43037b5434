//===- PrivateAccess.h - private members in derivatives ----------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_PRIVATEACCESS_H
#define GPUAD_EMIT_PRIVATEACCESS_H

#include "ir/Derivative.h"

namespace gpuad::emit {

/// Derivatives are no members of the user's classes: what is private goes through
/// gpuad::access, a friend of classes that say GPUAD_FRIEND. Rewrites such members,
/// and gives the specializations of gpuad::access that they need.
std::string openPrivateMembers(std::vector<ir::Derivative> &derivatives);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_PRIVATEACCESS_H
