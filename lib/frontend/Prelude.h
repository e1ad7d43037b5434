//===- Prelude.h - what is declared before the file -------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Clang's CUDA headers lack a few intrinsics that nvcc has; they are declared here.
///
/// A file may also call the derivatives that gpuad is about to make of it. Clang does
/// not know them yet. When it stumbles over exactly such names, they are declared
/// before the file, as functions that take anything, and the file is read again.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_PRELUDE_H
#define GPUAD_FRONTEND_PRELUDE_H

#include <string>
#include <vector>

namespace gpuad::frontend {

/// Whether a name is one that a translation can make: f_adjoint, launch_f_tangent, ...
bool isGeneratedName(const std::string &name);

/// The declarations: of the missing intrinsics, of the generated `names` that the text
/// uses (as `ns::name`: in ns), and of the runtime where it is used but not included.
std::string makePrelude(const std::string &text, const std::vector<std::string> &names);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_PRELUDE_H
