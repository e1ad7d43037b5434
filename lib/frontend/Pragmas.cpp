//===- Pragmas.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Pragmas.h"

#include "frontend/SourceMap.h"
#include "support/Diagnostics.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSwitch.h"

namespace gpuad::frontend {

namespace {
std::optional<PragmaKind> kindNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<PragmaKind>>(name)
      .Case("record", PragmaKind::Record)
      .Case("recompute", PragmaKind::Recompute)
      .Case("checkpoint", PragmaKind::Checkpoint)
      .Case("alias", PragmaKind::Alias)
      .Default(std::nullopt);
}

/// Checks the arguments; returns what is wrong with them.
std::string problemOf(Pragma &pragma, bool isWellFormed) {
  if (!isWellFormed)
    return "it is written NAME(ARGUMENT, ...)";
  switch (pragma.kind) {
  case PragmaKind::Record:
  case PragmaKind::Recompute:
    return pragma.names.empty() ? "it needs the name of a variable" : "";
  case PragmaKind::Alias:
    return pragma.names.size() != 2 ? "it needs the names of two parameters" : "";
  case PragmaKind::Checkpoint:
    if (pragma.names.empty())
      return "";
    bool isNumber = pragma.names.size() == 1 && !llvm::StringRef(pragma.names[0]).getAsInteger(0, pragma.states);
    return isNumber && pragma.states > 0 ? "" : "it takes one number, how many states are kept";
  }
  return "";
}

class Handler : public clang::PragmaHandler {
public:
  explicit Handler(PragmaTable &table) : PragmaHandler("gpuad"), table(table) {}

  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer, clang::Token &) override {
    clang::Token token;
    preprocessor.LexUnexpandedToken(token);
    Pragma pragma{};
    std::string name = token.is(clang::tok::eod) ? "" : preprocessor.getSpelling(token);
    std::optional<PragmaKind> kind = kindNamed(name);
    bool isWellFormed = readArguments(preprocessor, token, pragma.names);
    pragma.kind = kind.value_or(PragmaKind::Record);
    const clang::SourceManager &manager = preprocessor.getSourceManager();
    clang::SourceLocation begin = manager.getExpansionLoc(introducer.Loc),
                          end = manager.getExpansionLoc(token.getLocation());
    unsigned length = manager.getFileOffset(end) - manager.getFileOffset(begin);
    pragma.range = makeRange(manager, begin, length);
    pragma.problem = kind ? problemOf(pragma, isWellFormed) : "its names are record, recompute, checkpoint and alias";
    table.add(std::move(pragma));
  }

private:
  /// Reads "(a, b)" up to the end of the directive.
  static bool readArguments(clang::Preprocessor &preprocessor, clang::Token &token, std::vector<std::string> &names) {
    std::vector<clang::Token> rest;
    while (token.isNot(clang::tok::eod)) {
      preprocessor.Lex(token);
      if (token.isNot(clang::tok::eod))
        rest.push_back(token);
    }
    if (rest.empty())
      return true;
    bool isClosed = rest.front().is(clang::tok::l_paren) && rest.back().is(clang::tok::r_paren) && rest.size() % 2 == 1;
    for (size_t i = 1; isClosed && i + 1 < rest.size(); ++i) {
      bool isComma = i % 2 == 0;
      isClosed = isComma == rest[i].is(clang::tok::comma);
      if (!isComma)
        names.push_back(preprocessor.getSpelling(rest[i]));
    }
    return isClosed && !names.empty();
  }

  PragmaTable &table;
};

/// Whether the text between a pragma and what it speaks of is as it may be.
bool mayStandBetween(llvm::StringRef text, bool allowDeclaration) {
  clang::Lexer lexer(clang::SourceLocation(), clang::LangOptions(), text.begin(), text.begin(), text.end());
  bool inDirective = false;
  for (clang::Token token; !lexer.LexFromRawLexer(token);) {
    if (token.isAtStartOfLine())
      inDirective = token.is(clang::tok::hash);
    if (inDirective)
      continue;
    if (!allowDeclaration || token.isOneOf(clang::tok::semi, clang::tok::l_brace, clang::tok::r_brace))
      return false;
  }
  return true;
}
} // namespace

void PragmaTable::add(Pragma pragma) {
  for (const Pragma &known : pragmas)
    if (known.range.offset == pragma.range.offset && *known.range.file == *pragma.range.file)
      return;
  pragmas.push_back(std::move(pragma));
}

std::vector<Pragma *> PragmaTable::before(clang::SourceLocation location, const clang::SourceManager &manager,
                                          Gap allowed) {
  std::vector<Pragma *> found;
  if (pragmas.empty() || location.isInvalid())
    return found;
  auto [file, offset] = manager.getDecomposedExpansionLoc(location);
  SourceRange here = makeRange(manager, manager.getExpansionLoc(location), 1);
  llvm::StringRef text = manager.getBufferData(file);
  for (Pragma &pragma : pragmas) {
    unsigned end = pragma.range.offset + pragma.range.length;
    if (!here.isValid() || *pragma.range.file != *here.file || end > offset || offset > text.size())
      continue;
    // The lexer needs a text that ends.
    std::string between = text.slice(end, offset).str();
    if (!mayStandBetween(between, allowed == Gap::Declaration))
      continue;
    pragma.isUsed = true;
    if (pragma.problem.empty())
      found.push_back(&pragma);
  }
  return found;
}

std::vector<Pragma *> PragmaTable::beforeStatement(clang::SourceLocation begin, const clang::SourceManager &manager) {
  return before(begin, manager, Gap::Blank);
}

std::vector<Pragma *> PragmaTable::beforeFunction(clang::SourceLocation name, const clang::SourceManager &manager) {
  return before(name, manager, Gap::Declaration);
}

bool PragmaTable::reportTo(DiagnosticSink &sink) const {
  bool fine = true;
  for (const Pragma &pragma : pragmas) {
    fine &= pragma.problem.empty();
    if (!pragma.problem.empty())
      diag::report(sink, diag::Id::BadPragma, pragma.range, pragma.problem);
    else if (!pragma.isUsed)
      diag::report(sink, diag::Id::UnusedPragma, pragma.range);
  }
  return fine;
}

std::unique_ptr<clang::PragmaHandler> makePragmaHandler(PragmaTable &table) {
  return std::make_unique<Handler>(table);
}

} // namespace gpuad::frontend
