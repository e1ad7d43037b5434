//===- Placement.cpp ------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Placement.h"

#include "emit/CudaPrinter.h"
#include "emit/Instances.h"
#include "emit/Wrap.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

namespace gpuad::emit {

using namespace ir;

static constexpr unsigned Columns = 120;

static std::string parameterTypes(const Function &function) {
  std::string text;
  for (const Var *param : function.params)
    text += (text.empty() ? "" : ", ") + spell(param->type);
  return text;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Helpers may be overloads of each other, but two of one name and parameter list
/// need two names.
static void nameHelpers(const std::vector<Emitted> &all, const NameTable &names) {
  std::set<std::string> taken;
  for (const Emitted &one : all) {
    if (!one.isInternal)
      continue;
    std::string base = one.function().name, name = base, types = parameterTypes(one.function());
    for (unsigned number = 2; names.isForbidden(name) || !taken.insert(name + "(" + types + ")").second; ++number)
      name = base + "_" + std::to_string(number);
    one.function().name = name;
  }
}

/// `name` as code in `from` finds it: qualified unless it stands in a namespace around.
static std::string spellFrom(const std::vector<std::string> &from, const std::vector<std::string> &target,
                             const std::string &name) {
  bool isAround = target.size() <= from.size() && std::equal(target.begin(), target.end(), from.begin());
  if (isAround)
    return name;
  std::string text;
  for (const std::string &space : target)
    if (!space.empty())
      text += space + "::";
  return text + name;
}

Expr spellGlobal(const RefExpr &ref, const std::vector<std::string> &from) {
  if (ref.var->namespaces.empty() && ref.var->templateArguments.empty())
    return nullptr;
  std::string name = spellFrom(from, ref.var->namespaces, ref.var->name) + ref.var->templateArguments;
  return name == ref.var->name ? nullptr : makeText(name, {}, ref.type, ref.range);
}

/// Calls of derivatives take the names and namespaces that were decided here.
static void spellCalls(std::vector<Emitted> &all) {
  OrderedMap<const Function, const Emitted *> home;
  for (const Emitted &one : all)
    for (const Derivative *instance : one.instances)
      home[instance->function.get()] = &one;
  for (Emitted &one : all)
    for (Derivative *instance : one.instances) {
      auto respell = [&](const Expr &e) -> Expr {
        if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
          Expr qualified = spellGlobal(*ref, one.namespaces);
          return qualified ? qualified : e;
        }
        auto *call = llvm::dyn_cast<CallExpr>(e.get());
        auto found = call ? home.find(call->callee.function) : home.end();
        if (found == home.end())
          return e;
        auto copy = std::make_shared<CallExpr>(*call);
        const Emitted &target = *found->second;
        // Among helpers, too: an unqualified name would find functions of the arguments' namespaces.
        const std::vector<std::string> from = target.isInternal ? std::vector<std::string>() : one.namespaces;
        copy->callee.spelling = spellFrom(from, target.namespaces, target.function().name);
        if (target.isTemplate)
          for (const Derivative *candidate : target.instances)
            if (candidate->function.get() == call->callee.function)
              copy->callee.templateArguments = candidate->primal->templateArguments;
        if (!target.isTemplate)
          copy->callee.templateArguments.clear();
        return copy;
      };
      instance->function->body =
          rewriteHeldExprs(instance->function->body, [&](const Expr &e) { return rewriteExpr(e, respell); });
    }
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Helpers, then kernels, then host functions; within each, callees first.
static unsigned rank(const Emitted &one) {
  switch (one.function().kind) {
  case FunctionKind::Device:
  case FunctionKind::HostDevice:
    return 0;
  case FunctionKind::Kernel:
    return 1;
  case FunctionKind::Host:
    return 2;
  }
  return 2;
}

static OrderedSet<const Function> calleesOf(const Emitted &one) {
  OrderedSet<const Function> found;
  for (const Derivative *instance : one.instances)
    forEachExprIn(instance->function->body, [&](const Expr &e) {
      if (auto *call = llvm::dyn_cast<CallExpr>(e.get()); call && call->callee.function)
        found.insert(call->callee.function);
    });
  return found;
}

static std::vector<Emitted> inOrder(std::vector<Emitted> all) {
  std::vector<OrderedSet<const Function>> callees;
  for (const Emitted &one : all)
    callees.push_back(calleesOf(one));
  std::vector<unsigned> state(all.size(), 0);
  std::vector<size_t> order;
  auto visit = [&](auto &self, size_t i) -> void {
    if (state[i]++)
      return;
    for (size_t k = 0; k < all.size(); ++k)
      for (const Derivative *instance : all[k].instances)
        if (k != i && callees[i].count(instance->function.get())) {
          all[k].mayBeUnused &= all[i].isTemplate; // whose caller may never be made
          self(self, k);
        }
    order.push_back(i);
  };
  for (size_t i = 0; i < all.size(); ++i)
    visit(visit, i);
  std::vector<Emitted> sorted;
  for (unsigned group = 0; group <= 2; ++group)
    for (size_t i : order)
      if (rank(all[i]) == group)
        sorted.push_back(all[i]);
  return sorted;
}

bool hasInternalLinkage(const Function &function) {
  return function.isStatic || llvm::is_contained(function.namespaces, "");
}

std::vector<Emitted> placeDerivatives(const Module &module, std::vector<Derivative> &derivatives) {
  NameTable names(module);
  std::vector<Emitted> all = groupInstances(derivatives);
  for (Emitted &one : all) {
    if (one.isInternal) {
      one.namespaces = {internalNamespace(module.path)};
      one.function().isStatic = true;
    }
    one.mayBeUnused = hasInternalLinkage(one.function()) && !one.derivative().needsLauncher; // a launcher is a use
  }
  nameHelpers(all, names);
  for (Emitted &one : all) {
    nameVariables(one.function(), names);
    uniteParameters(one);
    for (Derivative *instance : llvm::drop_begin(one.instances))
      nameVariables(*instance->function, names);
  }
  std::vector<Emitted> sorted = inOrder(std::move(all));
  spellCalls(sorted);
  for (Emitted &one : sorted)
    if (one.isTemplate)
      makeTemplateBody(one);
  return sorted;
}

Type shownType(const Emitted &emitted, const Var &param) {
  return emitted.isTemplate && param.templateType ? param.templateType : param.type;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string printPrototype(const Emitted &emitted, bool withDefaults) {
  PrintOptions options;
  options.maybeUnused = emitted.mayBeUnused;
  options.withDefaults = withDefaults;
  return printDeclaration(emitted.function(), options);
}

std::string printDefinition(const Emitted &emitted) {
  const std::string &comment = emitted.derivative().comment;
  PrintOptions options;
  options.maybeUnused = emitted.mayBeUnused;
  return (comment.empty() ? "" : wrapComment(comment, 0, Columns)) + printFunction(emitted.function(), options);
}

std::string openNamespaces(const std::vector<std::string> &namespaces) {
  std::string text;
  for (const std::string &name : namespaces)
    text += name.empty() ? "namespace {\n" : "namespace " + name + " {\n";
  return text;
}

std::string closeNamespaces(const std::vector<std::string> &namespaces) {
  std::string text;
  for (const std::string &name : llvm::reverse(namespaces))
    text += name.empty() ? "}  // namespace\n" : "}  // namespace " + name + "\n";
  return text;
}

} // namespace gpuad::emit
