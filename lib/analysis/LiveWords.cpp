//===- LiveWords.cpp -----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/LiveWords.h"

#include "ir/Walk.h"
#include "llvm/Support/Casting.h"

#include <algorithm>
#include <map>

namespace gpuad::analysis {
using namespace ir;

namespace {
/// Arrays that are longer are hardly kept in registers.
constexpr uint64_t LongestArray = 32;

uint64_t wordsOf(const Type &type) {
  if (isArray(type)) {
    uint64_t each = type->extent && *type->extent <= LongestArray ? wordsOf(elementOf(type)) : 0;
    return each == 0 ? 0 : *type->extent * each;
  }
  if (isPointer(type))
    return 2;
  if (isRecord(type)) {
    uint64_t words = 0;
    for (const Field &field : type->record->fields)
      words += wordsOf(field.type);
    return words;
  }
  return isScalar(type) ? std::max<uint64_t>(type->bits, 32) / 32 : 0;
}

/// Numbers the statements in their order, and notes between which each variable is alive.
class Numbering {
public:
  void visit(const Stmt &s) {
    if (!s)
      return;
    unsigned begin = ++place;
    if (auto *decl = llvm::dyn_cast<DeclStmt>(s.get()); decl && decl->var->storage == Storage::Local)
      first.try_emplace(decl->var, begin);
    for (const Expr &e : expressionsOf(s))
      for (Var *var : variablesIn(e))
        last[var] = place;
    if (auto *block = llvm::dyn_cast<BlockStmt>(s.get()))
      for (const Stmt &inner : block->stmts)
        visit(inner);
    if (auto *branch = llvm::dyn_cast<IfStmt>(s.get())) {
      visit(branch->thenBody);
      visit(branch->elseBody);
    }
    if (auto *choice = llvm::dyn_cast<SwitchStmt>(s.get()))
      for (const SwitchCase &one : choice->cases)
        visit(one.body);
    if (auto *loop = llvm::dyn_cast<WhileStmt>(s.get()))
      visit(loop->body);
    if (auto *loop = llvm::dyn_cast<ForStmt>(s.get())) {
      for (const Stmt &inner : loop->init)
        visit(inner);
      visit(loop->body);
      for (const Stmt &inner : loop->increment)
        visit(inner);
    }
    // What a loop uses of outside is alive until its last iteration ends.
    if (s->kind == StmtKind::For || s->kind == StmtKind::While)
      for (auto &[var, end] : last)
        if (auto known = first.find(var); end >= begin && known != first.end() && known->second < begin)
          end = place;
  }
  uint64_t most() const {
    std::map<unsigned, int64_t> changes;
    for (const auto &[var, begin] : first) {
      auto end = last.find(var);
      if (end == last.end())
        continue;
      changes[begin] += static_cast<int64_t>(wordsOf(var->type));
      changes[end->second + 1] -= static_cast<int64_t>(wordsOf(var->type));
    }
    int64_t alive = 0, most = 0;
    for (const auto &[at, change] : changes)
      most = std::max(most, alive += change);
    return static_cast<uint64_t>(most);
  }

private:
  unsigned place = 0;
  OrderedMap<Var, unsigned> first, last;
};
} // namespace

uint64_t mostLiveWords(const Function &function) {
  Numbering numbering;
  numbering.visit(function.body);
  return numbering.most();
}

bool mayLackRegisters(const Function &function) {
  constexpr uint64_t Most = 44; // besides addresses and what lives within a statement
  bool isBound = function.attributes.find("__launch_bounds__") != std::string::npos ||
                 function.attributes.find("__maxnreg__") != std::string::npos;
  return function.isKernel() && !isBound && mostLiveWords(function) > Most;
}

} // namespace gpuad::analysis
