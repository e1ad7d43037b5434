//===- Config.h - the project's .gpuad.yaml --------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Requests, rules and settings of a project. docs/configuration.md describes the
/// file; what the command line says takes precedence.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_CONFIG_CONFIG_H
#define GPUAD_CONFIG_CONFIG_H

#include "gpuad/Diagnostic.h"
#include "gpuad/Options.h"

namespace gpuad::config {

/// The nearest .gpuad.yaml in the folder of `input` or above it; empty: none.
std::string findConfigFile(const std::string &input);

/// Reads options.configFile, or the file found upward from options.input, and
/// merges it into `options`; sets options.configFile to the file that was read
/// (empty: there is none). False after reporting what is wrong with it.
bool loadConfig(Options &options, DiagnosticSink &sink);

} // namespace gpuad::config

#endif // GPUAD_CONFIG_CONFIG_H
