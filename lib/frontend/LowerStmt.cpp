//===- LowerStmt.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::cast;
using clang::dyn_cast;
using clang::isa;

FunctionLowering::FunctionLowering(DeclLowering &pass, Function &function) : pass(pass), function(function) {}

void FunctionLowering::lower(const clang::FunctionDecl &definition) {
  wholeBody = definition.getBody();
  facts = scanBody(wholeBody);
  size_t next = 0;
  for (Var *param : function.params) {
    if (param->isThis) {
      self = param;
      continue;
    }
    if (next < definition.getNumParams())
      variables[definition.getParamDecl(next)] = param;
    facts.names.insert(param->name);
    ++next;
  }
  std::vector<Stmt> stmts;
  output = &stmts;
  auto *constructor = dyn_cast<clang::CXXConstructorDecl>(&definition);
  if (constructor)
    beginConstructor(*constructor);
  if (facts.jump) {
    std::string text = verbatim(definition.getBody());
    emit(makeTextStmt(text, "a goto", mentionsIn(definition.getBody()), rangeOf(facts.jump)));
  } else if (auto *body = dyn_cast<clang::CompoundStmt>(definition.getBody())) {
    for (const clang::Stmt *s : body->body())
      lowerStmt(s);
  } else {
    emitText(definition.getBody(), "a function try block");
  }
  if (constructor)
    emit(makeReturn(makeRef(self)));
  followForFunction(definition);
  function.body = makeBlock(std::move(stmts), rangeOf(definition.getBody()));
}

void FunctionLowering::lowerStmt(const clang::Stmt *s) {
  std::vector<Pragma *> pragmas = pass.pragmas.beforeStatement(s->getBeginLoc(), pass.sources.sources());
  pragmas.empty() ? lowerBare(s) : lowerAfterPragmas(s, pragmas);
}

void FunctionLowering::lowerBare(const clang::Stmt *s) {
  if (auto *e = dyn_cast<clang::Expr>(s))
    return discard(e);
  switch (s->getStmtClass()) {
  case clang::Stmt::CompoundStmtClass:
    return emit(blockOf(s));
  case clang::Stmt::NullStmtClass:
    return;
  case clang::Stmt::DeclStmtClass:
    return lowerDeclStmt(*cast<clang::DeclStmt>(s));
  case clang::Stmt::IfStmtClass:
    return lowerIf(*cast<clang::IfStmt>(s));
  case clang::Stmt::ForStmtClass:
    return lowerFor(*cast<clang::ForStmt>(s), hintsWith(""));
  case clang::Stmt::WhileStmtClass:
    return lowerWhile(*cast<clang::WhileStmt>(s));
  case clang::Stmt::DoStmtClass:
    return lowerDo(*cast<clang::DoStmt>(s));
  case clang::Stmt::CXXForRangeStmtClass:
    return lowerRangeFor(*cast<clang::CXXForRangeStmt>(s), hintsWith(""));
  case clang::Stmt::SwitchStmtClass:
    return lowerSwitch(*cast<clang::SwitchStmt>(s));
  case clang::Stmt::ReturnStmtClass:
    return lowerReturn(*cast<clang::ReturnStmt>(s));
  case clang::Stmt::BreakStmtClass:
    return emit(makeBreak(rangeOf(s)));
  case clang::Stmt::ContinueStmtClass:
    return emit(makeContinue(rangeOf(s)));
  case clang::Stmt::LabelStmtClass: // to which no goto leads
    return lowerStmt(cast<clang::LabelStmt>(s)->getSubStmt());
  case clang::Stmt::AttributedStmtClass:
    return lowerAttributed(*cast<clang::AttributedStmt>(s));
  case clang::Stmt::GCCAsmStmtClass:
  case clang::Stmt::MSAsmStmtClass:
    return emitText(s, "inline assembly");
  case clang::Stmt::CXXTryStmtClass:
    return emitText(s, "a try block");
  default:
    return emitText(s, "a statement that gpuad does not know");
  }
}

Stmt FunctionLowering::blockOf(const clang::Stmt *s) {
  std::vector<Stmt> *outer = output, inner;
  output = &inner;
  if (auto *compound = dyn_cast_or_null<clang::CompoundStmt>(s)) {
    for (const clang::Stmt *child : compound->body())
      lowerStmt(child);
  } else if (s) {
    lowerStmt(s);
  }
  output = outer;
  return makeBlock(std::move(inner), s ? rangeOf(s) : SourceRange());
}

/// What is left of `if constexpr`: no block around what declares nothing.
void FunctionLowering::emitChosen(const Stmt &block) {
  const std::vector<Stmt> &stmts = llvm::cast<BlockStmt>(block.get())->stmts;
  if (llvm::any_of(stmts, [](const Stmt &s) { return s->kind == StmtKind::Decl || s->kind == StmtKind::Text; }))
    return emit(block);
  for (const Stmt &s : stmts)
    emit(s);
}

void FunctionLowering::lowerIf(const clang::IfStmt &s) {
  if (s.isConsteval() || staysVerbatim(s.getCond()))
    return emitText(&s, "a condition on library objects");
  std::vector<Stmt> *outer = output, scope;
  bool hasScope = s.getInit() || s.getConditionVariable();
  if (hasScope)
    output = &scope;
  if (s.getInit())
    lowerStmt(s.getInit());
  if (s.getConditionVariable())
    lowerVariable(*s.getConditionVariable());
  // Of an instantiated `if constexpr` only the chosen branch has been checked.
  std::optional<const clang::Stmt *> chosen = s.isConstexpr() && (function.isTemplateInstance || inlined.active)
                                                  ? s.getNondiscardedCase(pass.context)
                                                  : std::nullopt;
  if (chosen) {
    if (*chosen)
      emitChosen(blockOf(*chosen));
  } else {
    Expr condition = Visit(s.getCond());
    Stmt thenBody = blockOf(s.getThen()), elseBody;
    if (s.getElse()) {
      elseBody = blockOf(s.getElse());
      auto *block = llvm::cast<BlockStmt>(elseBody.get());
      bool chain = isa<clang::IfStmt>(s.getElse()) && block->stmts.size() == 1;
      if (chain && block->stmts[0]->kind == StmtKind::If)
        elseBody = block->stmts[0];
    }
    auto made =
        std::make_shared<ir::IfStmt>(*llvm::cast<ir::IfStmt>(makeIf(condition, thenBody, elseBody, rangeOf(&s)).get()));
    made->isConstexpr = s.isConstexpr();
    emit(made);
  }
  output = outer;
  if (hasScope)
    emit(makeBlock(std::move(scope), rangeOf(&s)));
}

void FunctionLowering::lowerReturn(const clang::ReturnStmt &s) {
  if (inlined.active)
    return returnFromClosure(s);
  const clang::Expr *value = s.getRetValue();
  if (!value)
    return emit(makeReturn(nullptr, rangeOf(&s)));
  if (value->getType()->isVoidType()) {
    discard(value);
    return emit(makeReturn(nullptr, rangeOf(&s)));
  }
  if (staysVerbatim(value))
    return emit(makeReturn(textOf(value), rangeOf(&s)));
  emit(makeReturn(Visit(value), rangeOf(&s)));
}

void FunctionLowering::lowerAttributed(const clang::AttributedStmt &s) {
  std::string pragma;
  for (const clang::Attr *attribute : s.getAttrs()) {
    auto *hint = dyn_cast<clang::LoopHintAttr>(attribute);
    if (!hint)
      continue;
    clang::LoopHintAttr::OptionType option = hint->getOption();
    if (option == clang::LoopHintAttr::UnrollCount && hint->getValue()) {
      clang::Expr::EvalResult count;
      if (hint->getValue()->EvaluateAsInt(count, pass.context))
        pragma = "#pragma unroll " + std::to_string(count.Val.getInt().getExtValue());
    } else if (option == clang::LoopHintAttr::Unroll) {
      pragma = hint->getState() == clang::LoopHintAttr::Disable ? "#pragma unroll 1" : "#pragma unroll";
    }
  }
  const clang::Stmt *inner = s.getSubStmt();
  if (auto *loop = dyn_cast<clang::ForStmt>(inner))
    return lowerFor(*loop, hintsWith(pragma));
  if (auto *loop = dyn_cast<clang::CXXForRangeStmt>(inner))
    return lowerRangeFor(*loop, hintsWith(pragma));
  lowerStmt(inner);
}

/// Whether the declared type can be written down again.
static bool isNameable(clang::QualType type) {
  type = type.getNonReferenceType();
  while (type->isArrayType() || type->isPointerType())
    type = type->isPointerType() ? type->getPointeeType() : clang::QualType(type->getArrayElementTypeNoTypeQual(), 0);
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return !record || record->isLambda() || record->getIdentifier() || record->getTypedefNameForAnonDecl();
}

/// What cannot be written down again stays text; what it declares may turn out to be nobody's.
void FunctionLowering::emitDeclarationText(const clang::DeclStmt &s) {
  Stmt made = makeTextStmt(verbatim(&s), "a declaration", mentionsIn(&s), rangeOf(&s));
  auto copy = std::make_shared<TextStmt>(*llvm::cast<TextStmt>(made.get()));
  copy->declaresVars = true;
  for (const clang::Decl *declaration : s.decls()) {
    auto *variable = dyn_cast<clang::VarDecl>(declaration);
    copy->declaresVars &= isa<clang::TagDecl>(declaration) || (variable && variable->hasAttr<clang::CUDASharedAttr>());
    if (variable && copy->declaresVars)
      copy->mentions.push_back(variableFor(variable));
  }
  emit(copy);
}

void FunctionLowering::lowerDeclStmt(const clang::DeclStmt &s) {
  for (const clang::Decl *declaration : s.decls()) {
    auto *variable = dyn_cast<clang::VarDecl>(declaration);
    auto *decomposition = dyn_cast<clang::DecompositionDecl>(declaration);
    if ((decomposition && !canNameParts(*decomposition)) ||
        (variable && (!isNameable(variable->getType()) || variable->getType()->isVariablyModifiedType())))
      return emitDeclarationText(s);
  }
  for (const clang::Decl *declaration : s.decls()) {
    if (auto *variable = dyn_cast<clang::VarDecl>(declaration))
      lowerVariable(*variable);
    else if ((facts.hasLocalText && isa<clang::TypedefNameDecl>(declaration)) ||
             isa<clang::TagDecl, clang::FunctionDecl, clang::UsingDirectiveDecl, clang::NamespaceAliasDecl,
                 clang::UsingDecl>(declaration))
      if (std::optional<std::string> text = pass.sources.text(declaration->getSourceRange())) {
        SourceRange range = pass.sources.range(declaration->getSourceRange());
        Stmt made = makeTextStmt(*text + ";", "a local declaration", {}, range);
        auto copy = std::make_shared<TextStmt>(*llvm::cast<TextStmt>(made.get()));
        copy->isDeclaration = true;
        emit(copy);
      }
  }
}

static Storage storageOf(const clang::VarDecl &variable) {
  if (variable.hasAttr<clang::CUDASharedAttr>())
    return variable.hasExternalStorage() ? Storage::DynamicShared : Storage::Shared;
  return Storage::Local;
}

/// As it is written; of `alignas` Clang knows the place of the word alone.
std::string FunctionLowering::alignmentText(const clang::AlignedAttr &attribute) const {
  std::optional<std::string> text = pass.sources.expansionText(attribute.getRange());
  if (text && llvm::StringRef(*text).contains('('))
    return *text;
  unsigned bits = const_cast<clang::AlignedAttr &>(attribute).getAlignment(pass.context);
  return "alignas(" + std::to_string(bits / pass.context.getCharWidth()) + ")";
}

void FunctionLowering::lowerVariable(const clang::VarDecl &variable) {
  auto *parts = dyn_cast<clang::DecompositionDecl>(&variable);
  if (declaredBefore.erase(&variable))
    return;
  if (beginClosure(variable) || (parts && namePartsOfOthers(*parts)))
    return;
  const clang::Expr *init = variable.getInit();
  SourceRange range = pass.sources.range(variable.getSourceRange());
  Type type = pass.types.lowerDeclared(variable);
  // A reference to a temporary object is that object.
  if (isReference(type) && init && init->IgnoreImplicit()->isPRValue())
    type = elementOf(type);
  Expr value;
  Storage storage = storageOf(variable);
  if (init && storage == Storage::Local) {
    auto *construct = dyn_cast<clang::CXXConstructExpr>(init->IgnoreImplicit());
    bool isDefault = construct && !construct->isListInitialization() && !construct->requiresZeroInitialization() &&
                     construct->getConstructor()->isDefaultConstructor() &&
                     construct->getParenOrBraceRange().isInvalid();
    if (isDefault && (construct->getConstructor()->isTrivial() || !isRecord(type)))
      value = nullptr;
    else if (staysVerbatim(init))
      value = textOf(init);
    else
      value = wholeValue(init);
  }
  Var *var = function.makeVar(declaredName(variable), type, storage);
  var->range = pass.sources.range(variable.getLocation());
  var->isStaticLocal = variable.isStaticLocal() && storage == Storage::Local;
  if (variable.isConstexpr())
    var->type = withConst(var->type, true);
  for (const clang::AlignedAttr *attribute : variable.specific_attrs<clang::AlignedAttr>())
    var->alignment = alignmentText(*attribute);
  variables[&variable] = var;
  emit(makeDecl(var, std::move(value), range));
  if (parts)
    declareHeldParts(*parts);
}

} // namespace gpuad::frontend
