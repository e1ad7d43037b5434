//===- ValueFormCheckpoint.cpp - loops in segments -----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `#pragma gpuad checkpoint(K)`: the loop becomes a nest, K segments of n / K
// iterations. The outer loop records the state at the start of each segment; the
// reverse of a segment runs it again and records its iterations. As slots of a nest
// add up, n states become K + n / K: two-level checkpointing (Griewank and Walther,
// Evaluating Derivatives, 2nd ed., chapter 12).
//
//===----------------------------------------------------------------------===//

#include "transform/ValueFormBuilder.h"

#include "ir/Builder.h"
#include "transform/Counting.h"
#include "transform/RecordPlan.h"

namespace gpuad::transform {
using namespace ir;

/// A variable of the surface code that holds a value made here.
Expr ValueFormBuilder::bindHelper(const Expr &value, const std::string &name) {
  Var *var = owner.makeVar(name, withConst(value->type, false));
  environment[var] = Binding{value, {}};
  return makeRef(var);
}

/// for (k = begin; k < end; k += step) body  ==>
///   for (first = begin; first < end; first += segment * step) {
///     last = min(first + segment * step, end);
///     for (k = first; k < last; k += step) body
///   }
void ValueFormBuilder::buildCheckpointed(LoopSource source, uint64_t states) {
  for (const Stmt &one : source.init)
    statement(one);
  LoopItem counted;
  counted.range = source.range;
  Var *counter = counterOf(source);
  if (!asCounted(source, counter, changesOf(source), counted))
    return refuse(diag::Id::BadPragma, source.range,
                  "the loop behind it has another exit, or a bound that changes while it runs");
  Type type = withConst(counter->type, false);
  counted.begin = environment[counter].value;
  auto literal = [&](uint64_t value) { return makeLit(std::to_string(value), static_cast<int64_t>(value), type); };

  Callee length;
  length.name = length.spelling = SegmentLength;
  Expr trips = makeCast(CastStyle::Functional, tripCount(counted), type);
  Expr segment =
      named(makeCall(length, {trips, literal(states)}, type), "segment", source.range, LoadClass::None, true);
  Expr span = atom(mul(segment, counted.step), "span", source.range);

  // `!=` steps by one towards the end.
  bool down = counted.stepIsNegative;
  BinaryOp compare = counted.compare == BinaryOp::Ne ? (down ? BinaryOp::Gt : BinaryOp::Lt) : counted.compare;
  bool inclusive = compare == BinaryOp::Le || compare == BinaryOp::Ge;
  auto binary = [&](BinaryOp op, const Expr &a, const Expr &b) { return makeBinary(op, a, b, type); };
  Expr end = bindHelper(atom(counted.end, "end", source.range), "end");
  Expr spanHelper = bindHelper(span, "span");
  Var *first = owner.makeVar("first", type), *last = owner.makeVar("last", type);
  Expr left = down ? binary(BinaryOp::Sub, makeRef(first), end) : binary(BinaryOp::Sub, end, makeRef(first));
  Expr bound = binary(down ? BinaryOp::Sub : BinaryOp::Add, makeRef(first), spanHelper);
  if (inclusive)
    bound = binary(down ? BinaryOp::Add : BinaryOp::Sub, bound, literal(1));
  Expr isLast = makeBinary(BinaryOp::Lt, left, spanHelper, boolType());
  Stmt inner =
      makeFor({makeDecl(counter, makeRef(first))}, makeBinary(compare, makeRef(counter), makeRef(last), boolType()),
              source.increment, source.body, source.pragma, source.range);
  mostTripsOf[inner.get()] = segment;
  LoopSource outer;
  outer.range = source.range;
  outer.init = {makeDecl(first, bindHelper(counted.begin, "begin"))};
  outer.condition = makeBinary(compare, makeRef(first), end, boolType());
  outer.increment = {
      makeAssign(makeRef(first), binary(down ? BinaryOp::Sub : BinaryOp::Add, makeRef(first), spanHelper))};
  outer.body = makeBlock({makeDecl(last, makeSelect(isLast, end, bound, type)), inner});
  buildLoop(outer);
  if (!declares(source, counter))
    leaveCounted(counter, counted);
}

} // namespace gpuad::transform
