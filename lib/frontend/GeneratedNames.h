//===- GeneratedNames.h - calls to what will be generated ------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A file may call the derivatives that gpuad is about to make of it. Clang does not
/// know them yet. When it stumbles over exactly such names, they are declared before
/// the file, as functions that take anything, and the file is read again.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_GENERATEDNAMES_H
#define GPUAD_FRONTEND_GENERATEDNAMES_H

#include <string>
#include <vector>

namespace gpuad::frontend {

/// Whether a name is one that a translation can make: f_adjoint, launch_f_tangent, ...
bool isGeneratedName(const std::string &name);

/// Declarations for these names, and for the namespace of the runtime where the text
/// uses it without including it. Names used as `ns::name` are declared in ns.
std::string declareGenerated(const std::string &text, const std::vector<std::string> &names);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_GENERATEDNAMES_H
