//===- Options.h - Everything a translation can be told ---------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one configuration object. The command line, a .gpuad.yaml and an editor
/// all fill this plain struct; the library has no other switches.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_OPTIONS_H
#define GPUAD_OPTIONS_H

#include <string>
#include <vector>

namespace gpuad {

/// Which derivative a request asks for. Tangent is forward mode, adjoint is
/// reverse mode.
enum class Mode { Tangent, Adjoint };

/// A request as typed: mode, HEAD, and where it stood (for messages).
struct RequestText {
  Mode mode = Mode::Adjoint;
  std::string head;
  std::string origin; ///< "--adjoint", "--tangent", or FILE:LINE of a config file or attribute
};

/// How diagnostics are written.
enum class DiagnosticFormat { Text, Json, Sarif };

struct Options {
  std::string input;                      ///< FILE.cu
  std::string output;                     ///< OUT.cu; empty: FILE_grad.cu beside the input; "-": standard output
  std::string header;                     ///< --header: declarations of the public derivatives; empty: none
  std::string depfile;                    ///< --depfile; empty: none
  std::string report;                     ///< --report; empty: none
  std::string configFile;                 ///< --config; empty: the nearest .gpuad.yaml upward
  std::string databaseFolder;             ///< -p; empty: search upward when no flags are given
  std::string cudaPath;                   ///< --cuda-path; empty: found on the machine
  std::string resourceDir;                ///< Clang's resource folder; empty: the one found at configure time
  std::vector<std::string> architectures; ///< --cuda-arch, e.g. "sm_80"; empty: sm_80
  std::vector<std::string> ruleFiles;     ///< --rules, in order
  std::vector<RequestText> requests;
  std::vector<std::string> compilerFlags; ///< after "--", nvcc's or clang's
  std::string flagsFolder;                ///< which relative paths in them belong to; empty: the working directory
  bool hasCompilerFlags = false;          ///< true when "--" was given, with or without flags
  bool checkOnly = false;                 ///< --check: diagnostics only
  bool roundTrip = false;                 ///< internal: print every lowered function in place of its own text
  std::string dumpAfter;                  ///< --dump-after=STAGE; empty: none
};

} // namespace gpuad

#endif // GPUAD_OPTIONS_H
