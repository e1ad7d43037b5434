//===- Placement.cpp ------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Placement.h"

#include "emit/CudaPrinter.h"
#include "emit/TemplateHeader.h"
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

static bool isPublicTemplate(const Derivative &derivative) {
  return derivative.isPublic && derivative.primal->isTemplateInstance && !derivative.primal->templateHeader.empty();
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

/// A variable of a namespace as code elsewhere finds it.
static Expr spellGlobal(const RefExpr &ref, const std::vector<std::string> &from) {
  if (ref.var->namespaces.empty())
    return nullptr;
  std::string name = spellFrom(from, ref.var->namespaces, ref.var->name);
  return name == ref.var->name ? nullptr : makeText(name, {}, ref.type, ref.range);
}

/// Calls of derivatives take the names and namespaces that were decided here.
static void spellCalls(std::vector<Emitted> &all) {
  std::map<const Function *, const Emitted *> home;
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
        bool isTemplate = !target.templateHeader.empty();
        if (isTemplate)
          for (const Derivative *candidate : target.instances)
            if (candidate->function.get() == call->callee.function)
              copy->callee.templateArguments = candidate->primal->templateArguments;
        if (!isTemplate)
          copy->callee.templateArguments.clear();
        return copy;
      };
      instance->function->body =
          rewriteHeldExprs(instance->function->body, [&](const Expr &e) { return rewriteExpr(e, respell); });
    }
}

//===----------------------------------------------------------------------===//
// Templates
//===----------------------------------------------------------------------===//

static Stmt textStmt(const std::string &text) {
  return makeDo(makeText(text, {}, voidType()));
}

/// What a call with other template arguments is told.
static std::string adviceFor(const Emitted &one) {
  const Derivative &first = one.derivative();
  std::string made;
  for (const Derivative *instance : one.instances)
    made += (made.empty() ? "" : ", ") + first.primal->qualifiedName() + instance->primal->templateArguments;
  const char *option = first.mode == DerivativeMode::Adjoint ? "--adjoint" : "--tangent";
  return "gpuad made " + one.function().name + " for " + made + "; add " + option + "='" +
         first.primal->qualifiedName() + "<...>' for others";
}

/// The body of a template: a test of its arguments, then the instantiation that
/// they choose.
static void makeTemplate(Emitted &one) {
  const Derivative &first = one.derivative();
  std::vector<TemplateParameter> parameters = parseTemplateHeader(first.primal->templateHeader);
  one.templateHeader = one.function().templateHeader = printTemplateHeader(parameters);
  std::vector<std::string> tests;
  for (const Derivative *instance : one.instances)
    tests.push_back(printInstanceTest(parameters, splitArguments(instance->primal->templateArguments)));
  std::string any = tests.size() == 1 ? tests[0] : "(" + llvm::join(tests, ") || (") + ")";
  std::vector<Stmt> stmts{textStmt("static_assert(" + any + ", \"" + adviceFor(one) + "\")")};
  if (one.instances.size() == 1) {
    auto &block = llvm::cast<BlockStmt>(*one.function().body);
    stmts.insert(stmts.end(), block.stmts.begin(), block.stmts.end());
  } else {
    Stmt chain;
    for (size_t i = one.instances.size(); i-- > 0;) {
      Stmt body = one.instances[i]->function->body;
      if (!chain) {
        chain = body;
        continue;
      }
      auto branch = std::make_shared<IfStmt>();
      branch->condition = makeText(tests[i], {}, boolType());
      branch->thenBody = body;
      branch->elseBody = chain;
      branch->isConstexpr = true;
      chain = branch;
    }
    stmts.push_back(chain);
  }
  one.function().body = makeBlock(std::move(stmts));
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

static std::set<const Function *> calleesOf(const Emitted &one) {
  std::set<const Function *> found;
  for (const Derivative *instance : one.instances)
    forEachExprIn(instance->function->body, [&](const Expr &e) {
      if (auto *call = llvm::dyn_cast<CallExpr>(e.get()); call && call->callee.function)
        found.insert(call->callee.function);
    });
  return found;
}

static std::vector<Emitted> inOrder(std::vector<Emitted> all) {
  std::vector<std::set<const Function *>> callees;
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
          all[k].mayBeUnused = false;
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

static bool hasInternalLinkage(const Function &function) {
  return function.isStatic || llvm::is_contained(function.namespaces, "");
}

std::vector<Emitted> placeDerivatives(const Module &module, std::vector<Derivative> &derivatives) {
  NameTable names(module);
  std::vector<Emitted> all;
  for (Derivative &derivative : derivatives) {
    Function &function = *derivative.function;
    Emitted *same = nullptr;
    for (Emitted &one : all)
      if (isPublicTemplate(derivative) && isPublicTemplate(one.derivative()) && one.function().name == function.name &&
          one.namespaces == function.namespaces && parameterTypes(one.function()) == parameterTypes(function) &&
          one.derivative().primal->templateHeader == derivative.primal->templateHeader)
        same = &one;
    if (same) {
      same->instances.push_back(&derivative);
      continue;
    }
    Emitted one;
    one.instances = {&derivative};
    one.isInternal = !derivative.isPublic;
    one.namespaces = one.isInternal ? std::vector<std::string>{internalNamespace(module.path)} : function.namespaces;
    if (one.isInternal)
      function.isStatic = true;
    one.mayBeUnused = hasInternalLinkage(function) && !derivative.needsLauncher; // a launcher is a use
    all.push_back(std::move(one));
  }
  nameHelpers(all, names);
  for (Derivative &derivative : derivatives)
    nameVariables(*derivative.function, names);
  std::vector<Emitted> sorted = inOrder(std::move(all));
  spellCalls(sorted);
  for (Emitted &one : sorted)
    if (isPublicTemplate(one.derivative()))
      makeTemplate(one);
  return sorted;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string printPrototype(const Emitted &emitted) {
  PrintOptions options;
  options.maybeUnused = emitted.mayBeUnused;
  return printDeclaration(emitted.function(), options);
}

std::string printDefinition(const Emitted &emitted) {
  const std::string &comment = emitted.derivative().comment;
  PrintOptions options;
  options.maybeUnused = emitted.mayBeUnused;
  return (comment.empty() ? "" : wrapComment(comment, 0, Columns)) + printFunction(emitted.function(), options);
}

bool hasLauncher(const Emitted &emitted) {
  return emitted.derivative().needsLauncher;
}

/// What the launcher's first parameter is called: `where`, unless the kernel has one.
static std::string whereName(const Emitted &emitted) {
  std::string name = "where";
  while (llvm::any_of(emitted.function().params, [&](const Var *param) { return param->name == name; }))
    name = "launch_" + name;
  return name;
}

/// The launcher works the others out.
static bool isForLauncher(ParamRole role) {
  return role != ParamRole::SharedBytes && role != ParamRole::Stack;
}

static std::string launcherSignature(const Emitted &emitted, const char *ending) {
  std::string text = emitted.templateHeader.empty() ? "" : emitted.templateHeader + "\n";
  if (hasInternalLinkage(emitted.function()))
    text += "[[maybe_unused]] ";
  std::string line = std::string(emitted.function().isStatic ? "static " : "") + "void launch_" +
                     emitted.function().name + "(const gpuad::launch& " + whereName(emitted);
  for (const DerivativeParam &param : emitted.derivative().params)
    if (isForLauncher(param.role))
      line += ", " + declare(withConst(param.var->type, false), param.var->name);
  size_t lineStart = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  std::string last = text.substr(lineStart) + line + ")" + ending;
  return text.substr(0, lineStart) + wrapCode(last, Columns);
}

std::string printLauncherPrototype(const Emitted &emitted) {
  return launcherSignature(emitted, ";") + "\n";
}

/// The shape of the launch, as the kernel sees it, is in the launcher's parameter.
static Expr forHost(const Expr &e, const std::string &where) {
  if (auto *builtin = llvm::dyn_cast<ThreadIndexExpr>(e.get())) {
    const char *shape = builtin->builtin == ThreadBuiltin::BlockDim ? ".block." : ".grid.";
    return makeText(
        where + shape + "xyz" [builtin->dimension], {}, e->type);
  }
  std::vector<Expr> operands;
  for (const Expr &operand : children(e))
    operands.push_back(forHost(operand, where));
  return operands.empty() ? e : withChildren(e, operands);
}

static std::string stackName(const Emitted &emitted) {
  for (const DerivativeParam &param : emitted.derivative().params)
    if (param.role == ParamRole::Stack)
      return param.var->name;
  return "stack";
}

std::string printLauncher(const Emitted &emitted) {
  const Function &kernel = emitted.function();
  std::string where = whereName(emitted), args, text = launcherSignature(emitted, " {") + "\n";
  for (const DerivativeParam &param : emitted.derivative().params) {
    if (param.mustNotBeNull && isPointer(param.var->type))
      text += wrapCode("  if (!" + param.var->name + ") return gpuad::report_missing_shadow(\"" + kernel.name +
                           "\", \"" + param.var->name + "\");",
                       Columns) +
              "\n";
    args += args.empty() ? "" : ", ";
    args += param.role == ParamRole::SharedBytes ? "unsigned(" + where + ".shared_bytes)" : param.var->name;
  }
  for (auto [a, b] : emitted.derivative().mustDiffer)
    text += wrapCode("  if (" + a->name + " == " + b->name + ") return gpuad::report_aliased(\"" + kernel.name +
                         "\", \"" + a->name + "\", \"" + b->name + "\");",
                     Columns) +
            "\n";
  std::string name = kernel.name;
  if (!emitted.templateHeader.empty())
    name += printOwnArguments(parseTemplateHeader(emitted.templateHeader));
  std::string shared = where + ".shared_bytes";
  if (llvm::any_of(emitted.derivative().params,
                   [](const DerivativeParam &param) { return param.role == ParamRole::SharedBytes; })) {
    text += wrapCode("  gpuad::allow_shared(" + name + ", " + shared + ");", Columns) + "\n";
    shared = "gpuad::with_shadow(" + shared + ")";
  }
  std::string launch =
      name + "<<<" + where + ".grid, " + where + ".block, " + shared + ", " + where + ".stream>>>(" + args + ");";
  if (const std::optional<StackNeed> &need = emitted.derivative().stack) {
    std::string slots = need->slots ? ", " + printExpr(forHost(need->slots, where)) : "";
    text += wrapCode(std::string("  gpuad::run_") + (need->slots ? "sized" : "measured") + "(" + where + ", \"" +
                         kernel.name + "\", " + std::to_string(need->bytesPerSlot) + slots +
                         ", [&](const gpuad::stack& " + stackName(emitted) + ") {",
                     Columns);
    return text + "\n" + wrapCode("    " + launch, Columns) + "\n  });\n}\n";
  }
  text += wrapCode("  " + launch, Columns);
  return text + "\n  gpuad::report_launch(\"" + kernel.name + "\");\n}\n";
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
