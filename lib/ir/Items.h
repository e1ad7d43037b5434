//===- Items.h - walking and rewriting items --------------------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_ITEMS_H
#define GPUAD_IR_ITEMS_H

#include "ir/ValueForm.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuad::ir {

/// Every item of the region and of the regions inside, in order.
void forEachItem(const Region &region, llvm::function_ref<void(const Item &)> visit);

/// Replaces every expression that the item and its regions hold; null ones stay.
void rewriteItem(Item &item, llvm::function_ref<Expr(const Expr &)> change);
void rewriteItems(Region &region, llvm::function_ref<Expr(const Expr &)> change);

/// What code behind the item can name of it.
std::vector<Var *> definedBy(const Item &item);

/// A copy with values of its own; `fresh` gets (original, copy) of every value.
std::unique_ptr<Item> cloneItem(const Item &item, Function &owner, OrderedMap<Var, Var *> &fresh);

} // namespace gpuad::ir

#endif // GPUAD_IR_ITEMS_H
