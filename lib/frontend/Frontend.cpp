//===- Frontend.cpp --------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Frontend.h"

#include "frontend/CompileCommand.h"
#include "frontend/Fragment.h"
#include "frontend/LaunchBrackets.h"
#include "frontend/ModuleFacts.h"
#include "frontend/Prelude.h"
#include "frontend/RequestedInstances.h"
#include "frontend/RunPass.h"
#include "support/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

namespace gpuad::frontend {

static void reportErrors(std::vector<Diagnostic> &errors, DiagnosticSink &sink) {
  for (Diagnostic &error : errors) {
    Diagnostic reported = diag::make(diag::Id::CompileError, error.range, error.message);
    reported.notes = std::move(error.notes);
    sink.report(std::move(reported));
  }
}

/// Joins the brackets of launches in the headers where Clang stumbled; false when none
/// was changed.
static bool joinBracketsIn(const std::vector<Diagnostic> &errors, std::map<std::string, std::string> &replaced) {
  bool any = false;
  for (const Diagnostic &error : errors) {
    if (!error.range.isValid() || replaced.count(*error.range.file))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(*error.range.file);
    std::optional<std::string> joined = buffer ? joinLaunchBrackets((*buffer)->getBuffer()) : std::nullopt;
    if (!joined)
      continue;
    replaced[*error.range.file] = std::move(*joined);
    any = true;
  }
  return any;
}

/// Takes out the requested instances that Clang found wrong; false when there is none.
/// Resolving the HEAD says what is wrong with it.
static bool dropWrongRequests(const std::vector<Diagnostic> &errors, const DeclTable &table, PassRequest &request) {
  std::set<unsigned> lines; // behind the file
  unsigned last = 1 + unsigned(llvm::StringRef(table.module.text).count('\n'));
  for (const Diagnostic &error : errors)
    if (error.range.isValid() && *error.range.file == table.module.path &&
        error.range.offset > table.module.text.size() && error.range.line > last)
      lines.insert(error.range.line - last - 1);
  size_t before = request.instances.size();
  for (unsigned line : llvm::reverse(lines))
    if (line < request.instances.size())
      request.instances.erase(request.instances.begin() + line);
  return request.instances.size() != before;
}

/// Runs one pass; again, with declarations before the file, while what Clang does not
/// know are names that the translation will make.
static bool runUntilKnown(PassRequest &request, std::set<std::string> &generated, DeclTable &table,
                          DiagnosticSink &sink) {
  for (;;) {
    PassResult result = runPass(request, table);
    if (result.errors.empty())
      return true;
    if (dropWrongRequests(result.errors, table, request))
      continue;
    size_t before = generated.size();
    for (const std::string &name : result.undeclared)
      if (isGeneratedName(name) || request.shadows.count(name))
        generated.insert(name);
    // gpuad::launch where only gpuad.h was included: the rest of the runtime is missing.
    for (const Diagnostic &error : result.errors) {
      llvm::StringRef text = table.module.text;
      if (error.range.isValid() && *error.range.file == table.module.path &&
          text.take_front(error.range.offset).ends_with("gpuad::"))
        generated.insert("gpuad");
    }
    if (generated.size() == before && !joinBracketsIn(result.errors, request.replaced)) {
      reportErrors(result.errors, sink);
      return false;
    }
    request.prelude = makePrelude(table.module.text, {generated.begin(), generated.end()});
  }
}

static bool runBothPasses(const CompileCommand &command, const Options &options, const std::optional<Fragment> &context,
                          const LibraryFacts &library, ir::Module &module, DiagnosticSink &sink) {
  DeclTable table(module);
  table.library = library;
  std::set<std::string> generated;
  PassRequest request;
  request.isDevice = true;
  std::vector<std::string> heads = headsInSource(module.text);
  for (const RequestText &asked : options.requests) {
    heads.push_back(asked.head);
    request.names.insert(headName(asked.head));
  }
  request.instances = requestedInstances(heads);
  for (const std::string &head : heads)
    for (const std::string &global : globalsOfHead(head)) {
      request.names.insert(global);
      request.shadows.insert({global + "_bar", global + "_dot"});
    }
  request.command = command.device;
  request.prelude = makePrelude(module.text, {});
  if (std::optional<std::string> joined = joinLaunchBrackets(module.text))
    request.replaced[module.path] = std::move(*joined);
  if (context) {
    llvm::SmallString<256> includer(context->includer);
    (void)llvm::sys::fs::make_absolute(includer);
    request.before = includer.str().str();
    request.replaced[request.before] = context->before;
  }
  if (!runUntilKnown(request, generated, table, sink))
    return false;
  request.isDevice = false;
  request.command = command.host;
  return runUntilKnown(request, generated, table, sink) && table.pragmas.reportTo(sink);
}

/// Reads the file by itself or, where that fails, as the file beside it does that
/// includes it.
static std::optional<ir::Module> readModule(const CompileCommand &command, const Options &options,
                                            const LibraryFacts &library, const std::string &text,
                                            DiagnosticSink &sink) {
  auto fresh = [&] {
    ir::Module module;
    module.path = options.input;
    module.text = text;
    return module;
  };
  CollectingSink found, unused;
  auto reportFound = [&] {
    for (Diagnostic &diagnostic : found.diagnostics)
      sink.report(std::move(diagnostic));
  };
  if (ir::Module module = fresh(); runBothPasses(command, options, std::nullopt, library, module, found)) {
    reportFound();
    return module;
  }
  if (std::optional<Fragment> context = findIncluder(options.input))
    if (ir::Module module = fresh(); runBothPasses(command, options, context, library, module, unused))
      return module;
  reportFound();
  return std::nullopt;
}

std::optional<ir::Module> lowerFile(const Options &options, const LibraryFacts &library, DiagnosticSink &sink) {
  auto buffer = llvm::MemoryBuffer::getFile(options.input, /*IsText=*/false);
  if (!buffer) {
    diag::report(sink, diag::Id::UnreadableInput, {}, options.input, buffer.getError().message());
    return std::nullopt;
  }
  std::optional<CompileCommand> command = makeCompileCommand(options, sink);
  if (!command)
    return std::nullopt;
  std::optional<ir::Module> module = readModule(*command, options, library, (*buffer)->getBuffer().str(), sink);
  if (!module)
    return std::nullopt;
  module->includeOffset = findIncludeOffset(module->text);
  sortFunctions(*module);
  return module;
}

} // namespace gpuad::frontend
