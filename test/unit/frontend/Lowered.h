//===- Lowered.h - lowering a few lines of CUDA in a test ------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the front end over text, with the stub headers in place of CUDA's.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TEST_UNIT_FRONTEND_LOWERED_H
#define GPUAD_TEST_UNIT_FRONTEND_LOWERED_H

#include "frontend/Frontend.h"

#include <map>
#include <string>
#include <vector>

namespace gpuad::test {

class Lowered {
public:
  explicit Lowered(const std::string &text, std::vector<std::string> flags = {},
                   const std::map<std::string, std::string> &files = {}, std::vector<std::string> heads = {});
  ~Lowered();

  /// The dump of a function's body, one statement a line, indented by its depth.
  std::string body(const std::string &name) const;
  const ir::Function *function(const std::string &name) const;
  /// What is wrong with the IR of any function, by the verifier.
  std::string problems() const;
  std::string messages() const;

  std::optional<ir::Module> module;
  CollectingSink sink;
  std::string folder;
};

/// Statements in the body of `void f(PARAMETERS)`, lowered as device code.
std::string lowerBody(const std::string &parameters, const std::string &statements);

} // namespace gpuad::test

#endif // GPUAD_TEST_UNIT_FRONTEND_LOWERED_H
