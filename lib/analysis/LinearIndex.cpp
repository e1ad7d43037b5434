//===- LinearIndex.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/LinearIndex.h"

#include "ir/Builder.h"

#include <algorithm>
#include <numeric>

namespace gpuad::analysis {
using namespace ir;

const Expr &stripWidening(const Expr &e) {
  const Expr *inner = &e;
  while (auto *cast = llvm::dyn_cast<CastExpr>(inner->get())) {
    const Type &from = cast->operand->type;
    if (!isInteger(cast->type) || !isInteger(from) || cast->type->bits < from->bits)
      break;
    inner = &cast->operand;
  }
  return *inner;
}

namespace {
constexpr int64_t Largest = int64_t(1) << 31; ///< of a constant, so that no product of two overflows

class Reader {
public:
  explicit Reader(llvm::function_ref<Expr(Var *)> definition) : definition(definition) {}

  std::vector<std::pair<Expr, int64_t>> terms;
  int64_t offset = 0;
  bool isTooLarge = false;

  void read(const Expr &given, int64_t factor, unsigned depth = 0);

private:
  void term(const Expr &e, int64_t factor);

  llvm::function_ref<Expr(Var *)> definition;
};

std::optional<int64_t> constantOf(const Expr &e) {
  auto *lit = llvm::dyn_cast<LitExpr>(stripWidening(e).get());
  auto *value = lit ? std::get_if<int64_t>(&lit->value) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

void Reader::term(const Expr &e, int64_t factor) {
  auto known = std::find_if(terms.begin(), terms.end(), [&](const auto &one) { return equal(one.first, e); });
  if (known == terms.end())
    terms.push_back({e, factor});
  else if ((known->second += factor) == 0)
    terms.erase(known);
}

void Reader::read(const Expr &given, int64_t factor, unsigned depth) {
  constexpr unsigned Deepest = 32;
  const Expr &e = stripWidening(given);
  isTooLarge |= std::abs(factor) > Largest || std::abs(offset) > Largest || depth > Deepest;
  if (isTooLarge)
    return;
  if (auto value = constantOf(e)) {
    isTooLarge |= std::abs(*value) > Largest;
    offset += isTooLarge ? 0 : factor * *value;
    return;
  }
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    Expr made = definition(ref->var);
    return made ? read(made, factor, depth + 1) : term(e, factor);
  }
  if (auto *minus = llvm::dyn_cast<UnaryExpr>(e.get()); minus && minus->op == UnaryOp::Neg)
    return read(minus->operand, -factor, depth + 1);
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!binary)
    return term(e, factor);
  if (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub) {
    read(binary->lhs, factor, depth + 1);
    return read(binary->rhs, binary->op == BinaryOp::Add ? factor : -factor, depth + 1);
  }
  if (binary->op == BinaryOp::Mul)
    for (auto [constant, other] :
         {std::pair(constantOf(binary->lhs), binary->rhs), std::pair(constantOf(binary->rhs), binary->lhs)})
      if (constant) {
        isTooLarge |= std::abs(*constant) > Largest;
        return isTooLarge ? void() : read(other, factor * *constant, depth + 1);
      }
  term(e, factor);
}
} // namespace

bool LinearIndex::hasTermsOf(const LinearIndex &other) const {
  return terms.size() == other.terms.size() && std::all_of(terms.begin(), terms.end(), [&](const auto &mine) {
           return std::any_of(other.terms.begin(), other.terms.end(), [&](const auto &one) {
             return one.second == mine.second && equal(one.first, mine.first);
           });
         });
}

std::optional<LinearIndex> linearIndex(const Expr &index, llvm::function_ref<Expr(Var *)> definition) {
  Reader reader(definition);
  reader.read(index, 1);
  if (reader.isTooLarge)
    return std::nullopt;
  LinearIndex made;
  made.terms = std::move(reader.terms);
  made.offset = reader.offset;
  for (auto &[value, factor] : made.terms)
    made.scale = std::gcd(made.scale, factor);
  if (!made.terms.empty() && made.terms.front().second < 0)
    made.scale = -made.scale;
  for (auto &[value, factor] : made.terms)
    factor /= made.scale;
  return made;
}

} // namespace gpuad::analysis
