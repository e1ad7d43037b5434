//===- TypeText.h - comparing types by their text --------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_TYPETEXT_H
#define GPUAD_TRANSFORM_TYPETEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace gpuad::transform {

/// A parameter type in one spelling: "float const * __restrict__" is "const float*",
/// "unsigned int" is "unsigned"; const of the parameter itself does not count.
std::string normalType(llvm::StringRef text);

/// "float,  4" to "<float, 4>".
std::string normalArguments(llvm::StringRef inside);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_TYPETEXT_H
