//===- VectorSums.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/VectorSums.h"

#include "ir/Builder.h"
#include "transform/RewriteStmts.h"

namespace gpuad::transform {
using namespace ir;

/// The part number `part` of a float2 or float4 in global memory, added to atomically.
static const AccumStmt *sumOfPart(const Stmt &s, unsigned part) {
  auto *accum = llvm::dyn_cast<AccumStmt>(s.get());
  if (!accum || accum->how != AccumHow::GlobalAtomic || accum->mayBeIdle)
    return nullptr;
  auto *member = llvm::dyn_cast<MemberExpr>(accum->place.get());
  if (!member || member->field != part || !isRecord(member->base->type))
    return nullptr;
  const Type &whole = member->base->type;
  bool isWide = whole->record->isVector && isFloating(accum->place->type) && accum->place->type->bits == 32;
  return isWide && (whole->record->fields.size() == 2 || whole->record->fields.size() == 4) ? accum : nullptr;
}

/// The sum of the vector whose parts are added to from `at` on; null: they are not.
static std::shared_ptr<AccumStmt> joined(const std::vector<Stmt> &list, size_t at) {
  const AccumStmt *first = sumOfPart(list[at], 0);
  if (!first)
    return nullptr;
  const Expr &place = llvm::cast<MemberExpr>(first->place.get())->base;
  size_t count = place->type->record->fields.size();
  if (at + count > list.size())
    return nullptr;
  std::vector<Expr> values;
  Expr source; // the vector of which all values are the parts
  for (unsigned part = 0; part < count; ++part) {
    const AccumStmt *sum = sumOfPart(list[at + part], part);
    if (!sum || !equal(llvm::cast<MemberExpr>(sum->place.get())->base, place))
      return nullptr;
    values.push_back(sum->value);
    auto *member = llvm::dyn_cast<MemberExpr>(sum->value.get());
    bool isPart = member && member->field == part && member->base->kind == ExprKind::Ref &&
                  sameType(withConst(member->base->type, false), withConst(place->type, false));
    source = isPart && (part == 0 || (source && equal(source, member->base))) ? member->base : nullptr;
  }
  auto made = std::make_shared<AccumStmt>(*first);
  made->place = place;
  made->value = source ? source : makeInit(values, withConst(place->type, false), true);
  return made;
}

void joinVectorSums(Function &function) {
  function.body = rewriteLists(function.body, [](std::vector<Stmt> list) {
    std::vector<Stmt> made;
    for (size_t at = 0; at < list.size(); ++at) {
      std::shared_ptr<AccumStmt> sum = joined(list, at);
      made.push_back(sum ? Stmt(sum) : list[at]);
      at += sum ? sum->place->type->record->fields.size() - 1 : 0;
    }
    return made;
  });
}

} // namespace gpuad::transform
