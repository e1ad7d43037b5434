//===- HeaderFile.h - derivatives for other files ----------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_HEADERFILE_H
#define GPUAD_EMIT_HEADERFILE_H

#include "ir/Derivative.h"

namespace gpuad::emit {

/// The contents of --header: the public derivatives and launchers that another file can
/// use, declared, and in front of them what their parameters need.
std::string printHeader(const ir::Module &module, std::vector<ir::Derivative> &derivatives,
                        const std::string &headerPath);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_HEADERFILE_H
