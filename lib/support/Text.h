//===- Text.h - pieces of C++ text ------------------------------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_SUPPORT_TEXT_H
#define GPUAD_SUPPORT_TEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace gpuad {

/// The parts between commas that stand in no bracket, blanks around them removed.
std::vector<std::string> splitAtCommas(llvm::StringRef text);

} // namespace gpuad

#endif // GPUAD_SUPPORT_TEXT_H
