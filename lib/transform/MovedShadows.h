//===- MovedShadows.h - shadows that no static memory is left for -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform. Static shared memory ends at 48 KB. Where arrays and their
/// shadows are more, the shadows lie in dynamic shared memory, behind what the primal has
/// of it.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_MOVEDSHADOWS_H
#define GPUAD_TRANSFORM_MOVEDSHADOWS_H

#include "ir/Function.h"

#include <vector>

namespace gpuad::transform {

constexpr uint64_t MostStaticShared = 48 * 1024;
/// What a block can have on the largest GPU.
constexpr uint64_t MostShared = 227 * 1024;

/// At least so many bytes.
uint64_t bytesOf(const ir::Type &type);
/// What these arrays take together, as generated code works it out.
ir::Expr roomFor(const std::vector<ir::Type> &arrays);
/// The array behind those in `before`.
ir::Expr shadowInDynamic(const ir::Type &array, ir::Var *sharedBytes, const std::vector<ir::Type> &before);
/// Returns unless the launch has room for them.
ir::Stmt returnUnlessRoom(const std::string &kernel, ir::Var *sharedBytes, const std::vector<ir::Type> &moved);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_MOVEDSHADOWS_H
