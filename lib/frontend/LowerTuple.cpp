//===- LowerTuple.cpp - tuples of the standard library ----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A class whose template arguments are its fields (LibraryClass::elements) is a record like others: get<k>(t) is a
/// member of it, a construction lists its fields, an assignment of another such class goes field by field, and one to
/// a tuple of references that is made there assigns to what these name.
///
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;

static bool isElementClass(const Type &type) {
  return isRecord(type) && !type->record->fields.empty() && type->record->isOfFields;
}

/// get<k>(t), where that is how the field is reached.
Expr FunctionLowering::elementOfCall(const clang::CallExpr &e, const clang::FunctionDecl &callee) {
  const clang::TemplateArgumentList *arguments = callee.getTemplateSpecializationArgs();
  Type type = e.getNumArgs() == 1 ? typeOf(e.getArg(0)) : nullptr;
  bool isGet = type && isElementClass(type) && arguments && arguments->size() > 0 &&
               arguments->get(0).getKind() == clang::TemplateArgument::Integral;
  if (!isGet)
    return nullptr;
  uint64_t k = arguments->get(0).getAsIntegral().getZExtValue();
  const std::vector<Field> &fields = type->record->fields;
  if (k >= fields.size() || fields[k].accessor != pass.qualifiedName(callee) + "<" + std::to_string(k) + ">")
    return nullptr;
  return makeMember(Visit(e.getArg(0)), unsigned(k), rangeOf(&e));
}

static bool isConvertible(const Type &from, const Type &to) {
  return sameType(from, to) || (isScalar(from) && isScalar(to));
}

/// An object of such a class that is made of its elements, or of those of another one; null where it is made in
/// another way.
Expr FunctionLowering::lowerElements(const clang::CXXConstructExpr &e, const Type &type) {
  if (!isElementClass(type))
    return nullptr;
  const std::vector<Field> &fields = type->record->fields;
  std::vector<Expr> elements;
  Type other = e.getNumArgs() == 1 ? typeOf(e.getArg(0)) : nullptr;
  if (other && isElementClass(other)) {
    // Decided before anything is lowered, which may have effects.
    const std::vector<Field> &given = other->record->fields;
    bool fits = given.size() == fields.size() && llvm::all_of(llvm::zip(given, fields), [](const auto &both) {
                  return isConvertible(std::get<0>(both).type, std::get<1>(both).type);
                });
    if (!fits)
      return nullptr;
    elements = elementsOf(Visit(e.getArg(0)), "values", rangeOf(&e));
  } else if (e.getNumArgs() == fields.size() && llvm::all_of(llvm::zip(e.arguments(), fields), [&](const auto &both) {
               return isConvertible(typeOf(std::get<0>(both)), std::get<1>(both).type);
             })) {
    elements = operands(std::vector<const clang::Expr *>(e.arg_begin(), e.arg_end()));
  } else if (e.getNumArgs() != 0) {
    return nullptr;
  }
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = convert(elements[i], fields[i].type);
  return makeInit(std::move(elements), type, true, rangeOf(&e));
}

/// The fields of a value, which is named where it is none yet.
std::vector<Expr> FunctionLowering::elementsOf(const Expr &value, const std::string &name, const SourceRange &range) {
  bool isPlace = value->kind == ExprKind::Ref || value->kind == ExprKind::Member || value->kind == ExprKind::Init;
  Expr held = isPlace ? value : temporary(value, name, range);
  std::vector<Expr> elements;
  auto *init = llvm::dyn_cast<InitExpr>(held.get());
  for (unsigned i = 0; i < held->type->record->fields.size(); ++i)
    elements.push_back(init && i < init->elements.size() ? init->elements[i] : makeMember(held, i, range));
  return elements;
}

/// tie(a, b) = t: the places, in order; none where the object is not made so.
static std::vector<const clang::Expr *> tiedPlaces(const clang::Expr *object, DeclLowering &pass) {
  auto *call = dyn_cast<clang::CallExpr>(object->IgnoreImplicit());
  const clang::CXXRecordDecl *record = call ? call->getType()->getAsCXXRecordDecl() : nullptr;
  const LibraryClass *library = record ? pass.types.libraryClass(*record) : nullptr;
  auto *instance = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (!library || library->elements.empty() || !instance || instance->getTemplateArgs().size() != 1)
    return {};
  const clang::TemplateArgument &pack = instance->getTemplateArgs()[0];
  bool isOfReferences = pack.getKind() == clang::TemplateArgument::Pack && pack.pack_size() == call->getNumArgs() &&
                        llvm::all_of(pack.pack_elements(), [](const clang::TemplateArgument &one) {
                          return one.getKind() == clang::TemplateArgument::Type &&
                                 one.getAsType()->isLValueReferenceType() &&
                                 !one.getAsType()->getPointeeType()->isRecordType();
                        });
  if (!isOfReferences)
    return {};
  return std::vector<const clang::Expr *>(call->arg_begin(), call->arg_end());
}

/// An assignment that an operator of such a class does; null where it is none of these.
Expr FunctionLowering::assignElements(const clang::CXXOperatorCallExpr &e) {
  if (e.getOperator() != clang::OO_Equal || e.getNumArgs() != 2 || !isElementClass(typeOf(e.getArg(1))))
    return nullptr;
  std::vector<const clang::Expr *> tied = tiedPlaces(e.getArg(0), pass);
  Type target = typeOf(e.getArg(0));
  size_t count = tied.empty() ? isElementClass(target) ? target->record->fields.size() : 0 : tied.size();
  if (count == 0 || count != typeOf(e.getArg(1))->record->fields.size())
    return nullptr;
  SourceRange range = rangeOf(&e);
  if (tied.empty()) {
    Expr value = Visit(e.getArg(1)), place = Visit(e.getArg(0));
    if (sameType(value->type, place->type)) {
      emit(makeAssign(place, value, range));
      return place;
    }
    std::vector<Expr> elements = elementsOf(temporary(value, "values", range), "values", range);
    for (unsigned i = 0; i < count; ++i)
      emit(makeAssign(makeMember(place, i), convert(elements[i], place->type->record->fields[i].type), range));
    return place;
  }
  // What is assigned may be made of what is assigned to.
  Expr value = Visit(e.getArg(1));
  std::vector<Expr> elements = elementsOf(value, "values", range);
  if (value->kind == ExprKind::Init)
    for (Expr &element : elements)
      element = temporary(element, "value", range);
  for (unsigned i = 0; i < count; ++i) {
    Expr place = Visit(tied[i]);
    emit(makeAssign(place, convert(elements[i], place->type), range));
  }
  return value;
}

/// A call that is one of these; null: it is none.
Expr FunctionLowering::lowerTupleCall(const clang::CallExpr &e, const clang::FunctionDecl &callee) {
  auto *operation = dyn_cast<clang::CXXOperatorCallExpr>(&e);
  return operation ? assignElements(*operation) : elementOfCall(e, callee);
}

} // namespace gpuad::frontend
