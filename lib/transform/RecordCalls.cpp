//===- RecordCalls.cpp - how generated code speaks to the stack ----------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/RecordPlan.h"

#include "ir/Builder.h"

namespace gpuad::transform {
using namespace ir;

Expr callOnStack(const RecordPlan &plan, const char *method, std::vector<Expr> args, Type type,
                 std::string templateArguments) {
  return callOn(plan.stack, "gpuad::stack", method, std::move(args), std::move(type), std::move(templateArguments));
}

Expr callOn(Var *object, const std::string &className, const char *method, std::vector<Expr> args, Type type,
            std::string templateArguments) {
  Callee callee;
  callee.name = className + "::" + method;
  callee.spelling = method;
  callee.templateArguments = std::move(templateArguments);
  callee.isMethod = true;
  args.insert(args.begin(), makeRef(object));
  return makeCall(callee, std::move(args), std::move(type));
}

int64_t frameOf(const std::vector<Var *> &recorded) {
  uint64_t slots = 0;
  for (const Var *var : recorded)
    slots += slotsOf(*var);
  return static_cast<int64_t>(slots);
}

} // namespace gpuad::transform
