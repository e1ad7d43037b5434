//===- TypeOrigins.h - where types come from --------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_TYPEORIGINS_H
#define GPUAD_FRONTEND_TYPEORIGINS_H

#include "ir/Module.h"

#include "clang/AST/Type.h"

namespace gpuad::frontend {

class SourceMap;
class TypeLowering;

/// What another file needs in front of a declaration that names the type: for each class,
/// enumeration and alias in it an #include of the main file, or a declaration of its own.
std::vector<ir::TypeOrigin> originsOf(clang::QualType type, const SourceMap &sources, const TypeLowering &types);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_TYPEORIGINS_H
