//===- RequestedInstances.h - instances that HEADs name ------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A HEAD may name an instance of a template that the file does not use. The file is
/// read with lines behind its end that name what is asked for, and Clang then makes
/// the bodies.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_REQUESTEDINSTANCES_H
#define GPUAD_FRONTEND_REQUESTEDINSTANCES_H

#include "clang/AST/Decl.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace gpuad::frontend {

/// The last name of what a HEAD names: "step" of "physics::step<float>(y)/(x)".
std::string headName(llvm::StringRef head);

/// What attributes in the source ask for.
std::vector<std::string> headsInSource(llvm::StringRef source);

/// The instances that the HEADs name: "physics::step<float>".
std::vector<std::string> requestedInstances(const std::vector<std::string> &heads);

/// The variables at namespace scope in the lists of a HEAD, without namespaces.
std::vector<std::string> globalsOfHead(llvm::StringRef head);

/// One line for each, to be put behind the source.
std::string printRequested(const std::vector<std::string> &instances);

/// Whether the declaration is made of those lines.
bool isRequested(const clang::Decl &declaration);

/// Has Clang make the definitions that the declaration asks for, and gives them with
/// their numbers among the instances that were printed.
std::vector<std::pair<unsigned, const clang::FunctionDecl *>> instantiateRequested(clang::Sema &sema,
                                                                                   const clang::Decl &declaration);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_REQUESTEDINSTANCES_H
