//===- Main.cpp - the command gpuad-translate -----------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The command line, turned into a Command. No logic: that is in lib/driver.
///
//===----------------------------------------------------------------------===//

#include "driver/Command.h"
#include "support/BuildConfig.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using gpuad::DiagnosticFormat;
using gpuad::Mode;

static cl::OptionCategory category("gpuad-translate options");

static cl::list<std::string> inputs(cl::Positional, cl::desc("FILE.cu..."), cl::cat(category));
static cl::opt<std::string>
    output("o", cl::value_desc("OUT.cu"), cl::cat(category),
           cl::desc("output file, - for standard output; a folder when there are several inputs; "
                    "default: FILE_grad.cu beside the input"));
static cl::list<std::string> adjoints("adjoint", cl::value_desc("HEAD"), cl::cat(category),
                                      cl::desc("make the adjoint (reverse mode) of a function, as 'saxpy(y)/(a,x)'"));
static cl::list<std::string> tangents("tangent", cl::value_desc("HEAD"), cl::cat(category),
                                      cl::desc("make the tangent (forward mode) of a function"));
static cl::opt<std::string> config("config", cl::value_desc("FILE.yaml"), cl::cat(category),
                                   cl::desc("requests, rules and settings; default: the nearest .gpuad.yaml above the "
                                            "input"));
static cl::list<std::string> ruleFiles("rules", cl::value_desc("FILE.yaml"), cl::cat(category),
                                       cl::desc("more derivative rules"));
static cl::opt<std::string> database("p", cl::value_desc("DIR"), cl::cat(category),
                                     cl::desc("take the flags from DIR/compile_commands.json"));
static cl::opt<std::string> cudaPath("cuda-path", cl::value_desc("DIR"), cl::cat(category),
                                     cl::desc("the CUDA toolkit"));
static cl::list<std::string> cudaArch("cuda-arch", cl::value_desc("sm_NN"), cl::cat(category),
                                      cl::desc("architecture for the front end; default: sm_80"));
static cl::opt<std::string> resourceDir("resource-dir", cl::value_desc("DIR"), cl::cat(category),
                                        cl::desc("Clang's builtin headers; default: those of the linked Clang"));
static cl::opt<bool> check("check", cl::cat(category), cl::desc("diagnostics only, writes nothing"));
static cl::opt<bool> checkRules("check-rules", cl::cat(category),
                                cl::desc("compare every derivative rule with differences, and stop"));
static cl::opt<DiagnosticFormat> format("diagnostics-format", cl::cat(category), cl::init(DiagnosticFormat::Text),
                                        cl::desc("form of the diagnostics on standard error"),
                                        cl::values(clEnumValN(DiagnosticFormat::Text, "text", "as clang prints them"),
                                                   clEnumValN(DiagnosticFormat::Json, "json", "one JSON document"),
                                                   clEnumValN(DiagnosticFormat::Sarif, "sarif", "SARIF 2.1.0")));
static cl::opt<std::string> report("report", cl::value_desc("FILE.html"), cl::cat(category),
                                   cl::desc("what was recorded, what was recomputed, how each adjoint is accumulated"));
static cl::opt<std::string> header("header", cl::value_desc("OUT.cuh"), cl::cat(category),
                                   cl::desc("write the declarations of the derivatives"));
static cl::opt<std::string> depfile("depfile", cl::value_desc("FILE"), cl::cat(category),
                                    cl::desc("make-style dependencies of the output"));
static cl::opt<std::string> dumpAfter("dump-after", cl::value_desc("STAGE"), cl::cat(category),
                                      cl::desc("print the internal program after a stage"));
static cl::opt<bool> roundTrip("round-trip", cl::Hidden, cl::cat(category),
                               cl::desc("print every lowered function in place of its own text"));

static void printVersion(llvm::raw_ostream &stream) {
  stream << "gpuad-translate " << gpuad::VersionString << "\n";
}

static gpuad::Command makeCommand(std::vector<std::string> compilerFlags, bool hasCompilerFlags) {
  gpuad::Command command;
  command.inputs.assign(inputs.begin(), inputs.end());
  command.format = format;
  command.checkRules = checkRules;
  command.showProgress = llvm::errs().is_displayed();
  gpuad::Options &options = command.options;
  options.output = output;
  options.header = header;
  options.depfile = depfile;
  options.report = report;
  options.configFile = config;
  options.databaseFolder = database;
  options.cudaPath = cudaPath;
  options.resourceDir = resourceDir;
  options.architectures.assign(cudaArch.begin(), cudaArch.end());
  options.ruleFiles.assign(ruleFiles.begin(), ruleFiles.end());
  for (const std::string &head : tangents)
    options.requests.push_back({Mode::Tangent, head, "--tangent"});
  for (const std::string &head : adjoints)
    options.requests.push_back({Mode::Adjoint, head, "--adjoint"});
  options.compilerFlags = std::move(compilerFlags);
  options.hasCompilerFlags = hasCompilerFlags;
  options.checkOnly = check;
  options.roundTrip = roundTrip;
  options.dumpAfter = dumpAfter;
  return command;
}

int main(int argc, char **argv) {
  llvm::InitLLVM setUp(argc, argv);
  // What follows the first "--" belongs to the compiler, in its own language.
  int own = 0;
  while (own < argc && std::string(argv[own]) != "--")
    ++own;
  bool hasCompilerFlags = own < argc;
  std::vector<std::string> compilerFlags(argv + std::min(own + 1, argc), argv + argc);

  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(printVersion);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (!cl::ParseCommandLineOptions(own, argv, "Differentiates CUDA C++: gpuad-translate foo.cu -o foo_grad.cu\n",
                                   &stream)) {
    llvm::errs() << problem;
    return static_cast<int>(gpuad::ExitStatus::BadUsage);
  }
  gpuad::Command command = makeCommand(std::move(compilerFlags), hasCompilerFlags);
  std::string contradiction = gpuad::findContradiction(command);
  return static_cast<int>(contradiction.empty() ? gpuad::run(command) : gpuad::reportBadUsage(contradiction));
}
