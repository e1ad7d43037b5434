//===- CompileCommand.cpp --------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/CompileCommand.h"

#include "frontend/FlagText.h"
#include "frontend/FlagTranslation.h"
#include "frontend/Toolkit.h"
#include "support/BuildConfig.h"
#include "support/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace gpuad::frontend {

/// The user's flags, from wherever they come.
static std::optional<DatabaseEntry> userFlags(const Options &options, DiagnosticSink &sink) {
  DatabaseEntry typed;
  typed.words = options.compilerFlags;
  typed.directory = options.flagsFolder;
  if (options.hasCompilerFlags || !options.compilerFlags.empty())
    return typed;
  std::string database;
  if (options.databaseFolder.empty()) {
    database = findDatabase(options.input);
    if (database.empty())
      return typed;
  } else {
    llvm::SmallString<256> path(options.databaseFolder);
    if (!llvm::sys::path::filename(path).ends_with(".json"))
      llvm::sys::path::append(path, "compile_commands.json");
    database = path.str().str();
  }
  llvm::Expected<std::optional<DatabaseEntry>> entry = findInDatabase(database, options.input);
  if (!entry) {
    diag::report(sink, diag::Id::BadFlags, {}, llvm::toString(entry.takeError()));
    return std::nullopt;
  }
  if (*entry)
    return **entry;
  if (options.databaseFolder.empty())
    return typed; // a database that was only found need not know the file
  diag::report(sink, diag::Id::BadFlags, {}, "'" + database + "' has no entry for '" + options.input + "'");
  return std::nullopt;
}

/// The value of the last flag of that name among Clang's flags, joined to it or as the
/// next word, taken out of them.
static std::string takeValue(std::vector<std::string> &flags, llvm::StringRef name) {
  std::string value;
  for (size_t i = 0; i < flags.size();) {
    llvm::StringRef rest = flags[i];
    bool apart = rest == name && i + 1 < flags.size();
    if (!apart && !(rest.consume_front(name) && rest.consume_front("="))) {
      ++i;
      continue;
    }
    value = apart ? flags[i + 1] : rest.str();
    flags.erase(flags.begin() + i, flags.begin() + i + (apart ? 2 : 1));
  }
  return value;
}

/// The flags that find headers; false when some are nowhere.
static bool addHeaders(const Options &options, std::vector<std::string> &flags, DiagnosticSink &sink) {
  std::string resources = takeValue(flags, "-resource-dir");
  if (resources.empty())
    resources = options.resourceDir.empty() ? ClangResourceDir : options.resourceDir;
  if (!llvm::sys::fs::is_directory(resources + "/include/cuda_wrappers")) {
    diag::report(sink, diag::Id::NoClangHeaders, {}, resources);
    return false;
  }
  flags.insert(flags.end(), {"-resource-dir", resources});
  std::string fromFlags = takeValue(flags, "--cuda-path");
  const std::string &given = options.cudaPath.empty() ? fromFlags : options.cudaPath;
  if (!llvm::is_contained(flags, "-nocudainc")) {
    std::string toolkit = findToolkit(given);
    if (toolkit.empty()) {
      diag::report(sink, diag::Id::NoToolkit, {},
                   given.empty() ? "no CUDA toolkit was found" : "'" + given + "' is not the folder of a CUDA toolkit");
      return false;
    }
    flags.push_back("--cuda-path=" + toolkit);
    if (std::string cccl = toolkit + "/include/cccl"; llvm::sys::fs::is_directory(cccl))
      flags.insert(flags.end(), {"-isystem", cccl});
  }
  // Without libdevice Clang does not look at the toolkit's version, and takes an old one.
  if (llvm::is_contained(flags, "-nocudalib"))
    flags.insert(flags.end(), {"-Xclang", "-target-sdk-version=12.8"});
  if (std::string own = findOwnHeaders(); !own.empty())
    flags.insert(flags.end(), {"-isystem", own});
  // omp.h, which nvcc finds with its host compiler.
  if (std::string host = findCompilerHeaders(); !host.empty() && !llvm::is_contained(flags, "-nocudainc"))
    flags.insert(flags.end(), {"-idirafter", host});
  return true;
}

std::optional<CompileCommand> makeCompileCommand(const Options &options, DiagnosticSink &sink) {
  std::optional<DatabaseEntry> user = userFlags(options, sink);
  if (!user)
    return std::nullopt;
  TranslatedFlags translated = translateFlags(user->words, user->directory);
  if (!translated.error.empty()) {
    diag::report(sink, diag::Id::BadFlags, {}, translated.error);
    return std::nullopt;
  }
  for (const std::string &flag : translated.dropped)
    diag::report(sink, diag::Id::UnknownFlag, {}, flag);

  std::vector<std::string> common = {"-x",
                                     "cuda",
                                     "-fsyntax-only",
                                     "-w",
                                     "-Wno-register",
                                     "-Wno-narrowing",
                                     "-fgpu-rdc",
                                     "-Wno-unknown-cuda-version",
                                     "-fno-caret-diagnostics",
                                     "-DGPUAD_TRANSLATING"};
  common.insert(common.end(), translated.flags.begin(), translated.flags.end());
  if (!addHeaders(options, common, sink))
    return std::nullopt;
  common.push_back(options.input);

  std::string architecture = "sm_80";
  if (!options.architectures.empty())
    architecture = options.architectures.front();
  else if (!translated.architectures.empty())
    architecture = translated.architectures.front();
  CompileCommand made;
  made.device = {"clang++", "--cuda-device-only", "--cuda-gpu-arch=" + architecture};
  made.host = {"clang++", "--cuda-host-only"};
  made.device.insert(made.device.end(), common.begin(), common.end());
  made.host.insert(made.host.end(), common.begin(), common.end());
  return made;
}

} // namespace gpuad::frontend
