//===- ModuleFacts.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/ModuleFacts.h"

#include "frontend/RunPass.h"
#include "ir/Walk.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace gpuad::frontend {

static void collectNames(const clang::DeclContext &scope, const clang::SourceManager &manager, bool userOnly,
                         llvm::StringSet<> &names) {
  for (const clang::Decl *declaration : scope.decls()) {
    if (manager.getBufferName(manager.getExpansionLoc(declaration->getLocation())) == PreludeName)
      continue;
    if (userOnly && manager.isInSystemHeader(manager.getExpansionLoc(declaration->getLocation())))
      continue;
    if (auto *named = llvm::dyn_cast<clang::NamedDecl>(declaration))
      if (named->getIdentifier())
        names.insert(named->getName());
    // Names of the library's namespaces do not clash with anything; those of the user's do.
    if (auto *space = llvm::dyn_cast<clang::NamespaceDecl>(declaration))
      collectNames(*space, manager, true, names);
    else if (auto *linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(declaration))
      collectNames(*linkage, manager, userOnly, names);
  }
}

/// The tokens that a macro stands for, apart by blanks.
static std::string valueOf(const clang::MacroInfo &macro, const clang::Preprocessor &preprocessor) {
  std::string value;
  for (const clang::Token &token : macro.tokens())
    value += (value.empty() ? "" : " ") + preprocessor.getSpelling(token);
  return value;
}

void collectFacts(const clang::ASTContext &context, const clang::Preprocessor &preprocessor, ir::Module &module) {
  const clang::SourceManager &manager = context.getSourceManager();
  for (const auto &entry : preprocessor.macros(/*IncludeExternalMacros=*/false)) {
    const clang::MacroInfo *macro = preprocessor.getMacroInfo(entry.first);
    if (!macro)
      continue;
    llvm::StringRef name = entry.first->getName();
    if (name == "GPUAD_TRANSLATING" || name == "__CUDA_ARCH_LIST__")
      continue; // given by gpuad and by Clang's driver, not by the user
    module.macroNames.push_back(entry.first->getName().str());
    llvm::StringRef file = manager.getBufferName(manager.getSpellingLoc(macro->getDefinitionLoc()));
    bool isGiven = file == "<command line>" || manager.isWrittenInCommandLineFile(macro->getDefinitionLoc());
    if (isGiven)
      module.commandLineMacros.push_back(entry.first->getName().str());
    if (macro->isObjectLike() && (isGiven || manager.isInMainFile(macro->getDefinitionLoc())))
      module.macroValues[entry.first->getName().str()] = valueOf(*macro, preprocessor);
  }
  llvm::sort(module.macroNames);
  llvm::sort(module.commandLineMacros);
  llvm::StringSet<> names;
  collectNames(*context.getTranslationUnitDecl(), manager, false, names);
  for (const auto &name : names)
    module.takenNames.push_back(name.getKey().str());
  llvm::sort(module.takenNames);
}

namespace {

/// Reads raw tokens, directive by directive.
class DirectiveReader {
public:
  explicit DirectiveReader(const std::string &text)
      : text(text), lexer(clang::SourceLocation(), language(), text.data(), text.data(), text.data() + text.size()) {
    next();
  }
  bool atDirective() const { return token.is(clang::tok::hash) && token.isAtStartOfLine(); }
  unsigned offset() const { return begin; }
  /// Consumes a directive and gives its name.
  std::string read() {
    next();
    std::string name =
        token.is(clang::tok::raw_identifier) && !token.isAtStartOfLine() ? token.getRawIdentifier().str() : "";
    while (!token.is(clang::tok::eof) && !token.isAtStartOfLine())
      next();
    return name;
  }

private:
  static clang::LangOptions language() {
    clang::LangOptions options;
    options.CPlusPlus = options.LineComment = true;
    return options;
  }
  void next() {
    lexer.LexFromRawLexer(token);
    begin = lexer.getBufferLocation() - text.data() - token.getLength();
  }

  const std::string &text;
  clang::Lexer lexer;
  clang::Token token;
  unsigned begin = 0;
};

} // namespace

unsigned findIncludeOffset(const std::string &text) {
  DirectiveReader reader(text);
  unsigned depth = 0, outermost = 0;
  while (reader.atDirective()) {
    unsigned offset = reader.offset();
    std::string name = reader.read();
    if (llvm::StringRef(name).starts_with("include") || name == "import")
      return depth ? outermost : offset;
    if (llvm::StringRef(name).starts_with("if") && depth++ == 0)
      outermost = offset;
    else if (name == "endif" && depth)
      --depth;
  }
  // The first token of code: what is conditional before it may be the whole file.
  return depth ? outermost : reader.offset();
}

using Order = std::vector<const ir::Function *>;

static void visitCallees(const ir::Function *function, llvm::DenseMap<const ir::Function *, bool> &seen, Order &order) {
  if (!seen.try_emplace(function, true).second)
    return;
  if (function->body) {
    auto visit = [&](const ir::Callee &callee) {
      if (callee.function)
        visitCallees(callee.function, seen, order);
    };
    ir::forEachExprIn(function->body, [&](const ir::Expr &e) {
      if (auto *call = llvm::dyn_cast<ir::CallExpr>(e.get()))
        visit(call->callee);
    });
    ir::forEachStmt(function->body, [&](const ir::Stmt &s) {
      if (auto *launch = llvm::dyn_cast<ir::LaunchStmt>(s.get()))
        visit(launch->callee);
    });
  }
  order.push_back(function);
}

void sortFunctions(ir::Module &module) {
  llvm::DenseMap<const ir::Function *, bool> seen;
  Order order;
  for (const std::unique_ptr<ir::Function> &function : module.functions)
    visitCallees(function.get(), seen, order);
  llvm::DenseMap<const ir::Function *, size_t> position;
  for (size_t i = 0; i < order.size(); ++i)
    position[order[i]] = i;
  std::vector<std::unique_ptr<ir::Function>> sorted(module.functions.size());
  for (std::unique_ptr<ir::Function> &function : module.functions)
    sorted[position[function.get()]] = std::move(function);
  module.functions = std::move(sorted);
}

} // namespace gpuad::frontend
