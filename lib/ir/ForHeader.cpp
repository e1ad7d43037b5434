//===- ForHeader.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/ForHeader.h"

#include "ir/Function.h"

namespace gpuad::ir {

std::string baseSpelling(const Type &type) {
  Type base = type;
  while (isPointer(base) || isArray(base) || isReference(base))
    base = isArray(base) && base->isConst ? withConst(base->element, true) : base->element;
  return spell(base);
}

bool fitsForHeader(const std::vector<Stmt> &stmts, bool allowDecls) {
  bool firstIsDecl = !stmts.empty() && stmts[0]->kind == StmtKind::Decl;
  std::string base;
  for (const Stmt &s : stmts) {
    if ((s->kind == StmtKind::Decl) != firstIsDecl)
      return false;
    if (auto *declaration = llvm::dyn_cast<DeclStmt>(s.get())) {
      if (!allowDecls || declaration->var->storage != Storage::Local)
        return false;
      std::string own = baseSpelling(declaration->var->type);
      if (!base.empty() && own != base)
        return false;
      base = own;
    } else if (!llvm::isa<AssignStmt, DoStmt>(s.get())) {
      return false;
    }
  }
  return true;
}

} // namespace gpuad::ir
