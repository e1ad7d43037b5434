//===- SourceMap.cpp ------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/SourceMap.h"

#include "clang/Lex/Lexer.h"

namespace gpuad::frontend {

static std::shared_ptr<const std::string> fileName(const clang::SourceManager &manager, clang::FileID file) {
  if (clang::OptionalFileEntryRef entry = manager.getFileEntryRefForID(file))
    return std::make_shared<const std::string>(entry->getName());
  return std::make_shared<const std::string>(manager.getBufferOrFake(file).getBufferIdentifier());
}

SourceRange makeRange(const clang::SourceManager &manager, clang::SourceLocation begin, unsigned length) {
  SourceRange made;
  if (begin.isInvalid())
    return made;
  auto [file, offset] = manager.getDecomposedLoc(manager.getExpansionLoc(begin));
  made.file = fileName(manager, file);
  made.line = manager.getLineNumber(file, offset);
  made.column = manager.getColumnNumber(file, offset);
  made.offset = offset;
  made.length = length;
  return made;
}

SourceRange SourceMap::range(clang::SourceRange range) const {
  SourceRange made;
  if (range.isInvalid())
    return made;
  auto [file, offset] = manager.getDecomposedLoc(manager.getExpansionLoc(range.getBegin()));
  std::shared_ptr<const std::string> &name = names[file];
  if (!name)
    name = fileName(manager, file);
  made.file = name;
  made.line = manager.getLineNumber(file, offset);
  made.column = manager.getColumnNumber(file, offset);
  made.offset = offset;
  clang::SourceLocation last = manager.getExpansionRange(range.getEnd()).getEnd();
  auto [lastFile, lastOffset] = manager.getDecomposedLoc(last);
  unsigned tokenLength = clang::Lexer::MeasureTokenLength(last, manager, preprocessor.getLangOpts());
  if (lastFile == file && lastOffset + tokenLength >= offset)
    made.length = lastOffset + tokenLength - offset;
  return made;
}

std::optional<std::string> SourceMap::text(clang::SourceRange range) const {
  clang::CharSourceRange chars = clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(range), manager,
                                                                 preprocessor.getLangOpts());
  if (chars.isInvalid())
    return std::nullopt;
  return clang::Lexer::getSourceText(chars, manager, preprocessor.getLangOpts()).str();
}

std::optional<std::string> SourceMap::expansionText(clang::SourceRange range) const {
  if (range.isInvalid())
    return std::nullopt;
  clang::CharSourceRange whole = manager.getExpansionRange(range);
  return text(whole.getAsRange());
}

bool SourceMap::aliveAtEnd(llvm::StringRef name, clang::SourceLocation insideDefinition) const {
  const clang::IdentifierInfo *identifier = preprocessor.getIdentifierInfo(name);
  const clang::MacroInfo *macro = preprocessor.getMacroInfo(identifier);
  if (!macro || !macro->isObjectLike() || macro->isBuiltinMacro())
    return false;
  return !manager.isBeforeInTranslationUnit(insideDefinition, macro->getDefinitionLoc()) &&
         !manager.isBeforeInTranslationUnit(macro->getDefinitionEndLoc(), insideDefinition);
}

std::optional<std::string> SourceMap::constantMacro(clang::SourceRange range) const {
  clang::SourceLocation begin = range.getBegin(), end = range.getEnd();
  const clang::LangOptions &language = preprocessor.getLangOpts();
  std::optional<std::string> name;
  // Outward through nested macros, as long as each expansion is nothing but the range.
  while (begin.isMacroID() && end.isMacroID() && manager.getFileID(begin) == manager.getFileID(end)) {
    const clang::SrcMgr::ExpansionInfo &info = manager.getSLocEntry(manager.getFileID(begin)).getExpansion();
    if (info.isMacroArgExpansion() || info.isFunctionMacroExpansion())
      break;
    clang::SourceLocation outerBegin, outerEnd;
    if (!clang::Lexer::isAtStartOfMacroExpansion(begin, manager, language, &outerBegin) ||
        !clang::Lexer::isAtEndOfMacroExpansion(end, manager, language, &outerEnd))
      break;
    std::string candidate = clang::Lexer::getImmediateMacroName(begin, manager, language).str();
    if (!aliveAtEnd(candidate, manager.getSpellingLoc(begin)))
      break;
    name = std::move(candidate);
    clang::CharSourceRange expansion = manager.getImmediateExpansionRange(begin);
    begin = expansion.getBegin();
    end = expansion.getEnd();
  }
  return name;
}

bool SourceMap::inMainFile(clang::SourceLocation location) const {
  return location.isValid() && manager.isWrittenInMainFile(manager.getExpansionLoc(location));
}

bool SourceMap::inSystemHeader(clang::SourceLocation location) const {
  return location.isInvalid() || manager.isInSystemHeader(manager.getExpansionLoc(location));
}

} // namespace gpuad::frontend
