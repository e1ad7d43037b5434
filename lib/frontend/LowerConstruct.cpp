//===- LowerConstruct.cpp - what constructors do ----------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constructor sets base classes and members in order, and then runs its body. One that
// is inherited, one of a class inside a function, and the initializers that a class gives
// for members of an aggregate have no function of their own: they are lowered into the
// place that they initialize.
//
//===----------------------------------------------------------------------===//

#include "frontend/Closures.h"
#include "frontend/FunctionLowering.h"

#include "clang/AST/ExprCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

/// A constructor is lowered as a function that returns the object.
void FunctionLowering::beginConstructor(const clang::CXXConstructorDecl &constructor) {
  self = function.makeVar("self", function.returnType);
  self->isThis = true;
  emit(makeDecl(self));
  initializeMembers(constructor, {});
}

/// Of the object that `self` is. `inherited`: what the constructor of a base class is given that the class inherits.
void FunctionLowering::initializeMembers(const clang::CXXConstructorDecl &constructor,
                                         const std::vector<Expr> &inherited) {
  for (const clang::CXXCtorInitializer *initializer : constructor.inits()) {
    const clang::Expr *init = initializer->getInit();
    auto *construct = dyn_cast<clang::CXXConstructExpr>(init->IgnoreImplicit());
    bool leavesAlone = construct && construct->getNumArgs() == 0 && construct->getConstructor()->isTrivial() &&
                       !construct->requiresZeroInitialization();
    if (leavesAlone)
      continue;
    if (auto *base = dyn_cast<clang::CXXInheritedCtorInitExpr>(init->IgnoreImplicit())) {
      Callee callee = makeCallee(*base->getConstructor(), nullptr);
      initializeBase(init, makeCall(std::move(callee), inherited, typeOf(init), rangeOf(init)));
    } else if (initializer->isDelegatingInitializer()) {
      emit(makeAssign(makeRef(self), wholeValue(init), rangeOf(init)));
    } else if (initializer->isBaseInitializer()) {
      initializeBase(init, nullptr);
    } else {
      const clang::FieldDecl *field = initializer->getMember();
      std::optional<unsigned> index =
          field && isRecord(self->type) ? fieldIndex(self->type, pass.types.nameOf(*field)) : std::nullopt;
      if (field && pass.types.isTransparent(*field) && initializeInside(*init))
        continue;
      if (!index)
        emitText(init, "the initialization of this member");
      else
        assignElements(makeMember(makeRef(self), *index), wholeValue(init), init);
    }
  }
}

/// A transparent field: its own fields are the object's.
bool FunctionLowering::initializeInside(const clang::Expr &init) {
  auto *list = dyn_cast<clang::InitListExpr>(init.IgnoreImplicit());
  const clang::CXXRecordDecl *record = list ? list->getType()->getAsCXXRecordDecl() : nullptr;
  if (!record || record->getNumBases() != 0)
    return false;
  unsigned k = 0;
  for (const clang::FieldDecl *field : record->fields()) {
    std::optional<unsigned> index = fieldIndex(self->type, pass.types.nameOf(*field));
    if (!index || k >= list->getNumInits())
      return false;
    const clang::Expr *value = list->getInit(k++);
    assignElements(makeMember(makeRef(self), *index), wholeValue(value), value);
  }
  return true;
}

/// The fields of a base class are among the object's own. `made`: its object, where that is known.
void FunctionLowering::initializeBase(const clang::Expr *init, Expr made) {
  Type base = typeOf(init);
  std::optional<unsigned> first = firstFieldOf(base, self->type);
  if (!first)
    return emitText(init, "the initialization of a base class");
  if (base->record->fields.empty())
    return;
  Expr value = temporary(made ? made : wholeValue(init), "base", rangeOf(init));
  for (unsigned i = 0; i < base->record->fields.size(); ++i)
    assignElements(makeMember(makeRef(self), *first + i), makeMember(value, i), init);
}

/// An array is not assigned, its elements are.
void FunctionLowering::assignElements(const Expr &place, const Expr &value, const clang::Expr *from) {
  if (!isArray(place->type))
    return emit(makeAssign(place, value, rangeOf(from)));
  constexpr uint64_t LongestList = 64;
  auto *list = llvm::dyn_cast<InitExpr>(value.get());
  if (!place->type->extent || *place->type->extent > LongestList)
    return emitText(from, "the initialization of this array");
  for (uint64_t i = 0; i < *place->type->extent; ++i) {
    Expr index = intLit(static_cast<int64_t>(i)), element = makeIndex(place, index);
    Expr given = !list                       ? makeIndex(value, index)
                 : i < list->elements.size() ? list->elements[i]
                                             : zeroOf(element->type);
    assignElements(element, given, from);
  }
}

/// {a, b, c}, where initializers of the class read members that are set before.
Expr FunctionLowering::aggregateInPlace(const std::vector<const clang::Expr *> &written, const Type &type,
                                        const clang::Expr *e) {
  Var *made = function.makeVar(uniqueName("made"), withConst(type, false)), *outer = self;
  emit(makeDecl(made, nullptr, rangeOf(e)));
  for (unsigned i = 0; i < type->record->fields.size(); ++i) {
    Expr place = makeMember(makeRef(made), i);
    bool isOfClass = i < written.size() && isa<clang::CXXDefaultInitExpr>(written[i]);
    self = isOfClass ? made : outer;
    assignElements(place, i < written.size() ? wholeValue(written[i]) : zeroOf(place->type), e);
  }
  self = outer;
  return makeRef(made, rangeOf(e));
}

/// Whether a constructor is lowered into the place where an object is made.
static bool isInPlace(const clang::CXXConstructorDecl &constructor) {
  if (constructor.isInheritingConstructor())
    return true;
  const clang::FunctionDecl *definition = constructor.getDefinition();
  return constructor.getParent()->isLocalClass() && definition && definition->getBody() &&
         leavesList(listOf(definition->getBody())) == Leaves::AtEnd;
}

Expr FunctionLowering::constructInPlace(const clang::CXXConstructExpr &e, const Type &type) {
  const clang::CXXConstructorDecl *constructor = e.getConstructor();
  if (!isInPlace(*constructor) || !type->record->hasDefaultConstructor)
    return nullptr;
  auto *definition = llvm::cast<clang::CXXConstructorDecl>(constructor->getDefinition());
  bool isInherited = constructor->isInheritingConstructor();
  std::vector<const clang::Expr *> written(e.arguments().begin(), e.arguments().end());
  std::vector<Expr> args = operands(written);
  Var *made = function.makeVar(uniqueName("made"), withConst(type, false)), *outer = self;
  emit(makeDecl(made, nullptr, rangeOf(&e)));
  for (unsigned i = 0; i < args.size() && !isInherited; ++i)
    bindParameter(*definition->getParamDecl(i), args[i], *written[i]);
  self = made;
  initializeMembers(*definition, args);
  if (!isInherited)
    lowerList(listOf(definition->getBody()));
  self = outer;
  return makeRef(made, rangeOf(&e));
}

} // namespace gpuad::frontend
