//===- RunPass.h - one run of Clang over the file --------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parses the file for one side and lowers what that side gives to the module.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_RUNPASS_H
#define GPUAD_FRONTEND_RUNPASS_H

#include "frontend/DeclLowering.h"
#include "gpuad/Diagnostic.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gpuad::frontend {

/// The virtual file that holds PassRequest::prelude.
inline constexpr const char *PreludeName = "/gpuad/prelude.h";

/// One side's command line and what is to be put before the file.
struct PassRequest {
  bool isDevice = true;
  std::vector<std::string> command;
  llvm::StringSet<> names;                     ///< functions to lower also when a header of the user's has them
  std::string prelude;                         ///< declarations put before the file
  std::map<std::string, std::string> replaced; ///< file -> what is read in its place
  std::vector<std::string> instances;          ///< of templates, named behind the main file
  std::set<std::string> shadows;               ///< names of variables that the translation may define
  std::string before;                          ///< a file read before the main one; mostly empty
};

struct PassResult {
  std::vector<Diagnostic> errors;
  std::vector<std::string> undeclared; ///< identifiers at which an error stands
};

PassResult runPass(const PassRequest &request, DeclTable &table);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_RUNPASS_H
