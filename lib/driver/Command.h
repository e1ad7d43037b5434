//===- Command.h - one call of gpuad-translate ------------------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What happens around translate(): several inputs, output names, writing, exit
/// statuses. Diagnostics go to standard error.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_DRIVER_COMMAND_H
#define GPUAD_DRIVER_COMMAND_H

#include "gpuad/Options.h"

namespace gpuad {

/// 0 done, 1 the input was refused, 2 bad usage.
enum class ExitStatus { Done, Refused, BadUsage };

struct Command {
  Options options; ///< `input` is filled in for each of `inputs`
  std::vector<std::string> inputs;
  DiagnosticFormat format = DiagnosticFormat::Text;
  bool checkRules = false;
  bool showProgress = false; ///< standard error is a terminal
};

/// Options that cannot go together, in words; empty when all is well.
std::string findContradiction(const Command &command);

/// Says on standard error what was wrong with the call.
ExitStatus reportBadUsage(const std::string &problem);

ExitStatus run(const Command &command);

} // namespace gpuad

#endif // GPUAD_DRIVER_COMMAND_H
