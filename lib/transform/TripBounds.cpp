//===- TripBounds.cpp - loops that are known to be short -----------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/TripBounds.h"

#include "ir/Builder.h"

#include <algorithm>
#include <map>
#include <optional>

namespace gpuad::transform {
using namespace ir;

namespace {
/// What an integer can be.
struct Interval {
  int64_t low, high;
};

/// Beyond this, nothing is called short.
constexpr int64_t Largest = int64_t(1) << 31;

std::optional<Interval> limited(Interval made) {
  if (made.low < -Largest || made.high > Largest || made.low > made.high)
    return std::nullopt;
  return made;
}

class Bounder {
public:
  void visit(Region &region);

private:
  std::optional<Interval> of(const Expr &e) const;
  std::optional<Interval> ofBinary(const BinaryExpr &e) const;
  void bound(LoopItem &loop);

  OrderedMap<const Var, Interval> known;
};

std::optional<Interval> Bounder::ofBinary(const BinaryExpr &e) const {
  std::optional<Interval> a = of(e.lhs), b = of(e.rhs);
  bool isUnsigned = !e.type->isSigned; // may wrap around
  if (e.op == BinaryOp::Rem && b && b->low > 0 && (isUnsigned || (a && a->low >= 0)))
    return Interval{0, b->high - 1};
  if (!a || !b || isUnsigned)
    return std::nullopt;
  switch (e.op) {
  case BinaryOp::Add:
    return limited({a->low + b->low, a->high + b->high});
  case BinaryOp::Sub:
    return limited({a->low - b->high, a->high - b->low});
  case BinaryOp::Mul: {
    int64_t corners[] = {a->low * b->low, a->low * b->high, a->high * b->low, a->high * b->high};
    return limited({*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)});
  }
  case BinaryOp::Div:
    return b->low > 0 && a->low >= 0 ? limited({a->low / b->high, a->high / b->low}) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<Interval> Bounder::of(const Expr &e) const {
  if (!isInteger(e->type))
    return std::nullopt;
  if (auto *lit = llvm::dyn_cast<LitExpr>(e.get())) {
    auto *whole = std::get_if<int64_t>(&lit->value);
    return whole ? limited({*whole, *whole}) : std::nullopt;
  }
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    if (ref->var->constant)
      return limited({*ref->var->constant, *ref->var->constant});
    auto found = known.find(ref->var);
    return found == known.end() ? std::nullopt : std::optional<Interval>(found->second);
  }
  if (auto *minus = llvm::dyn_cast<UnaryExpr>(e.get()); minus && minus->op == UnaryOp::Neg) {
    std::optional<Interval> inner = of(minus->operand);
    return inner ? limited({-inner->high, -inner->low}) : std::nullopt;
  }
  if (auto *cast = llvm::dyn_cast<CastExpr>(e.get())) {
    std::optional<Interval> inner = of(cast->operand);
    bool keeps = inner && (inner->low >= 0 || cast->type->isSigned) && cast->type->bits >= 32;
    return keeps ? inner : std::nullopt;
  }
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  return binary ? ofBinary(*binary) : std::nullopt;
}

/// Bounds the counter of a counted loop and, by it, the number of iterations.
void Bounder::bound(LoopItem &loop) {
  std::optional<Interval> begin = of(loop.begin), end = of(loop.end), step = of(loop.step);
  if (!begin || !end || !step || step->low <= 0)
    return;
  bool isInclusive = loop.compare == BinaryOp::Le || loop.compare == BinaryOp::Ge;
  int64_t last = isInclusive ? 0 : 1;
  int64_t span = loop.stepIsNegative ? begin->high - end->low : end->high - begin->low;
  span += 1 - last;
  if (loop.staticTrips == 0 && span > 0)
    loop.staticTrips = static_cast<uint64_t>((span + step->low - 1) / step->low);
  std::optional<Interval> counter =
      limited(loop.stepIsNegative ? Interval{end->low + last, begin->high} : Interval{begin->low, end->high - last});
  if (counter && loop.compare != BinaryOp::Ne)
    known[loop.iv] = *counter;
}

void Bounder::visit(Region &region) {
  for (auto &item : region.items) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      if (std::optional<Interval> found = of(value->expr))
        known[value->var] = *found;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      visit(branch->thenRegion);
      visit(branch->elseRegion);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      if (loop->isCounted)
        bound(*loop);
      visit(loop->conditionRegion);
      visit(loop->body);
    }
  }
}
} // namespace

void boundTrips(ValueFunction &function) {
  Bounder().visit(function.body);
}

} // namespace gpuad::transform
