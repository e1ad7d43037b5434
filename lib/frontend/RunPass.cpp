//===- RunPass.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/RunPass.h"

#include "frontend/ModuleFacts.h"
#include "frontend/RequestedInstances.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/AllDiagnostics.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Lexer.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"

namespace gpuad::frontend {

namespace {

/// Turns Clang's errors into ours and drops its warnings.
class ErrorCollector : public clang::DiagnosticConsumer {
public:
  explicit ErrorCollector(PassResult &result) : result(result) {}

  void BeginSourceFile(const clang::LangOptions &options, const clang::Preprocessor *) override { language = &options; }
  void EndSourceFile() override { language = nullptr; }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override {
    clang::DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level == clang::DiagnosticsEngine::Note) {
      if (lastWasError && result.errors.back().notes.size() < 4)
        result.errors.back().notes.push_back(convert(info, Severity::Note));
      return;
    }
    lastWasError = level >= clang::DiagnosticsEngine::Error && info.getID() != clang::diag::fatal_too_many_errors;
    if (!lastWasError)
      return;
    result.errors.push_back(convert(info, Severity::Error));
    if (info.getLocation().isValid() && language) {
      llvm::SmallString<32> buffer;
      const clang::SourceManager &manager = info.getSourceManager();
      result.undeclared.push_back(
          clang::Lexer::getSpelling(manager.getSpellingLoc(info.getLocation()), buffer, manager, *language).str());
    }
  }

private:
  static Diagnostic convert(const clang::Diagnostic &info, Severity severity) {
    Diagnostic made;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    made.severity = severity;
    made.message = text.str();
    if (info.hasSourceManager() && info.getLocation().isValid())
      made.range = makeRange(info.getSourceManager(), info.getLocation(), 1);
    return made;
  }

  PassResult &result;
  const clang::LangOptions *language = nullptr;
  bool lastWasError = false;
};

/// Waits for the end of the file: templates are instantiated by then.
class LoweringConsumer : public clang::ASTConsumer {
public:
  LoweringConsumer(clang::CompilerInstance &compiler, DeclTable &table, const PassRequest &request)
      : compiler(compiler), table(table), request(request) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    const clang::SourceManager &manager = compiler.getSourceManager();
    for (const clang::Decl *declaration : group) {
      if (isRequested(*declaration)) {
        requested.push_back(declaration);
        continue;
      }
      clang::SourceLocation location = manager.getExpansionLoc(declaration->getLocation());
      if (manager.isWrittenInMainFile(location))
        inMainFile.push_back(declaration);
      else if (!request.names.empty() && !manager.isInSystemHeader(location))
        inHeaders.push_back(declaration);
    }
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (compiler.getDiagnostics().hasErrorOccurred())
      return;
    std::vector<std::pair<unsigned, const clang::FunctionDecl *>> instances;
    for (const clang::Decl *declaration : requested)
      llvm::append_range(instances, instantiateRequested(compiler.getSema(), *declaration));
    if (compiler.getDiagnostics().hasErrorOccurred())
      return;
    DeclLowering lowering(context, compiler.getPreprocessor(), table, request.isDevice);
    for (const clang::Decl *declaration : inMainFile)
      lowering.lowerTopLevel(declaration);
    for (const clang::Decl *declaration : inHeaders)
      lowering.lowerNamed(declaration, request.names);
    for (auto [number, instance] : instances) {
      ir::Function *function = lowering.functionFor(instance);
      const std::string &name = request.instances[number];
      if (function && !llvm::is_contained(function->requestedAs, name))
        function->requestedAs.push_back(name);
    }
    const auto &origins = lowering.types.origins();
    table.module.typeOrigins.insert(origins.begin(), origins.end());
    if (!request.isDevice)
      collectFacts(context, compiler.getPreprocessor(), table.module);
  }

private:
  clang::CompilerInstance &compiler;
  DeclTable &table;
  const PassRequest &request;
  std::vector<const clang::Decl *> inMainFile, inHeaders, requested;
};

/// Build tools take ".." out of a path as text, which goes wrong behind a link.
std::string withoutParents(const std::string &file) {
  llvm::SmallString<256> real;
  bool resolved = llvm::StringRef(file).contains("..") && !llvm::sys::fs::real_path(file, real);
  return resolved ? std::string(real) : file;
}

/// Remembers every file that was read, for --depfile.
class ReadFiles : public clang::DependencyCollector {
public:
  bool needSystemDependencies() override { return true; }
};

class LoweringAction : public clang::ASTFrontendAction {
public:
  LoweringAction(DeclTable &table, const PassRequest &request) : table(table), request(request) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    compiler.getPreprocessor().AddPragmaHandler(makePragmaHandler(table.pragmas).release()); // which owns it
    files = std::make_shared<ReadFiles>();
    files->attachToPreprocessor(compiler.getPreprocessor()); // made before this call
    return std::make_unique<LoweringConsumer>(compiler, table, request);
  }

  void EndSourceFileAction() override {
    for (const std::string &read : files->getDependencies()) {
      std::string file = withoutParents(read);
      if (file != PreludeName && !llvm::is_contained(table.module.dependencies, file))
        table.module.dependencies.push_back(file);
    }
  }

private:
  DeclTable &table;
  const PassRequest &request;
  std::shared_ptr<ReadFiles> files;
};

} // namespace

PassResult runPass(const PassRequest &request, DeclTable &table) {
  PassResult result;
  ErrorCollector collector(result);
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  std::vector<std::string> command = request.command;
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(PreludeName, 0, llvm::MemoryBuffer::getMemBufferCopy(request.prelude, PreludeName));
  std::map<std::string, std::string> replaced = request.replaced;
  if (!request.instances.empty())
    replaced.try_emplace(table.module.path, table.module.text).first->second += printRequested(request.instances);
  for (const auto &[file, text] : replaced) {
    llvm::SmallString<256> path(file);
    if (!llvm::sys::fs::make_absolute(path))
      memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  }
  overlay->pushOverlay(memory);
  command.push_back("-include");
  command.push_back(PreludeName);
  if (!request.before.empty())
    command.insert(command.end(), {"-include", request.before});
  auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), overlay);
  clang::tooling::ToolInvocation invocation(std::move(command), std::make_unique<LoweringAction>(table, request),
                                            files.get(), std::make_shared<clang::PCHContainerOperations>());
  invocation.setDiagnosticConsumer(&collector);
  if (!invocation.run() && result.errors.empty()) {
    Diagnostic failed;
    failed.message = "Clang stopped without a message";
    result.errors.push_back(std::move(failed));
  }
  return result;
}

} // namespace gpuad::frontend
