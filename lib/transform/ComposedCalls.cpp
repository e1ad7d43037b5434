//===- ComposedCalls.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/ComposedCalls.h"

#include "analysis/Activity.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace gpuad::transform {
using namespace ir;

namespace {
class Composer {
public:
  Composer(Module &module, const rules::RuleTable &rules) : module(module), rules(rules) {}

  Expr compose(const Expr &e);

private:
  Function *functionFor(const rules::Rule &rule, const CallExpr &call);
  Stmt bodyOf(const rules::Rule &rule, const Function &function) const;

  Module &module;
  const rules::RuleTable &rules;
  std::map<std::string, Function *> made; ///< by rule and types; null: the types are not what the rule takes
};
} // namespace

/// The numbers in a value, in order.
static void addNumbers(const Expr &value, std::vector<Expr> &to) {
  if (isRecord(value->type))
    for (unsigned i = 0; i < value->type->record->fields.size(); ++i)
      addNumbers(makeMember(value, i), to);
  else
    to.push_back(value);
}

/// A value of the type made of numbers, the next of which is `at`.
static Expr madeOf(const Type &type, const std::vector<Expr> &numbers, size_t &at) {
  if (!isRecord(type)) {
    const Expr &number = numbers[at++];
    bool isSame = sameType(number->type, type) || number->kind == ExprKind::Lit;
    return isSame ? number : makeCast(CastStyle::Functional, number, withConst(type, false));
  }
  std::vector<Expr> elements;
  for (const Field &field : type->record->fields)
    elements.push_back(madeOf(field.type, numbers, at));
  return makeInit(std::move(elements), withConst(type, false), true);
}

/// A formula computes in the type of the first number that it is given.
static Type numberOf(const std::vector<Expr> &args) {
  auto found = llvm::find_if(args, [](const Expr &arg) { return arg && isFloating(arg->type); });
  return found == args.end() ? nullptr : withConst((*found)->type, false);
}

static bool holdsScalarsOnly(const Type &type) {
  return isRecord(type) ? llvm::all_of(type->record->fields, [](const Field &f) { return holdsScalarsOnly(f.type); })
                        : isScalar(type);
}

Stmt Composer::bodyOf(const rules::Rule &rule, const Function &function) const {
  std::vector<Expr> args;
  for (size_t i = 0; i < function.params.size(); ++i) {
    std::vector<Expr> numbers;
    addNumbers(makeRef(function.params[i]), numbers);
    if (rule.params[i].type == rules::TypeClass::Record)
      numbers.resize(rules::PartNames.size());
    args.insert(args.end(), numbers.begin(), numbers.end());
  }
  Type number = numberOf(args);
  if (!number)
    return nullptr;
  std::vector<Expr> values;
  for (unsigned k = 0; k < rule.expansion.size(); ++k) { // by name: a rule may give them in any order
    std::string name = isRecord(function.returnType) ? std::string("ret.") + rules::PartNames[k] : "ret";
    auto found = llvm::find_if(rule.expansion, [&](const auto &one) { return one.first == name; });
    if (found == rule.expansion.end())
      return nullptr;
    values.push_back(rules.composedValue(rule, unsigned(found - rule.expansion.begin()), number, args));
  }
  size_t at = 0;
  return makeBlock({makeReturn(madeOf(function.returnType, values, at))});
}

static size_t numbersIn(const Type &type) {
  size_t count = 0;
  if (!isRecord(type))
    return 1;
  for (const Field &field : type->record->fields)
    count += numbersIn(field.type);
  return count;
}

Function *Composer::functionFor(const rules::Rule &rule, const CallExpr &call) {
  std::string key = rule.name;
  for (const Type &type : call.callee.parameterTypes)
    key += ", " + spell(withConst(stripReference(type), false));
  auto [found, isNew] = made.try_emplace(key, nullptr);
  if (!isNew)
    return found->second;
  bool isKnown = call.callee.parameterTypes.size() == rule.params.size() && holdsScalarsOnly(call.type) &&
                 numbersIn(call.type) == rule.expansion.size() && rule.expansion.size() <= rules::PartNames.size();
  for (size_t i = 0; isKnown && i < rule.params.size(); ++i) {
    const Type &type = stripReference(call.callee.parameterTypes[i]);
    bool isObject = rule.params[i].type == rules::TypeClass::Record;
    isKnown = isRecord(type) == isObject && holdsScalarsOnly(type) && numbersIn(type) <= rules::PartNames.size();
  }
  if (!isKnown)
    return nullptr;
  auto function = std::make_unique<Function>();
  function->name = rule.name;
  function->kind = FunctionKind::HostDevice;
  function->inMainFile = false;
  function->isInline = true;
  function->returnType = withConst(call.type, false);
  for (size_t i = 0; i < rule.params.size(); ++i) {
    const Type &written = call.callee.parameterTypes[i];
    Type type = isRecord(stripReference(written)) ? written : withConst(stripReference(written), false);
    function->params.push_back(function->makeVar(rule.params[i].name, type, Storage::Parameter));
  }
  function->body = bodyOf(rule, *function);
  if (!function->body)
    return nullptr;
  module.functions.push_back(std::move(function));
  return found->second = module.functions.back().get();
}

Expr Composer::compose(const Expr &e) {
  auto *call = llvm::dyn_cast<CallExpr>(e.get());
  const rules::Rule *rule = call && !analysis::definitionOf(call->callee) ? rules.find(call->callee) : nullptr;
  if (!rule || rule->kind != rules::RuleKind::Compose)
    return e;
  Function *function = functionFor(*rule, *call);
  if (!function)
    return e;
  auto copy = std::make_shared<CallExpr>(*call);
  copy->callee.function = function;
  return copy;
}

void composeCalls(Module &module, const rules::RuleTable &rules) {
  Composer composer(module, rules);
  // Those that are made meanwhile call nothing of the kind.
  std::vector<Function *> functions;
  for (const auto &function : module.functions)
    functions.push_back(function.get());
  for (Function *function : functions)
    if (function->body)
      function->body = rewriteHeldExprs(function->body, [&](const Expr &held) {
        return rewriteExpr(held, [&](const Expr &e) { return composer.compose(e); });
      });
}

} // namespace gpuad::transform
