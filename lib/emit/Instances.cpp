//===- Instances.cpp -----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Instances.h"

#include "emit/TemplateHeader.h"
#include "ir/Builder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuad::emit {

using namespace ir;

//===----------------------------------------------------------------------===//
// Which are one
//===----------------------------------------------------------------------===//

/// What a launch by hand passes behind the parameters of the derivative.
static bool isTrailing(ParamRole role) {
  return role >= ParamRole::SharedBytes;
}

/// The parameters as the template shows them.
static std::string shownParameters(const Derivative &derivative) {
  std::string text;
  for (const DerivativeParam &param : derivative.params)
    if (!isTrailing(param.role))
      text += spell(param.var->templateType ? param.var->templateType : param.var->type) + ", ";
  return text;
}

static bool isTemplate(const Derivative &derivative) {
  return derivative.isPublic && !derivative.function->templateParameters.empty();
}

static bool areOneFunction(const Derivative &a, const Derivative &b) {
  const SourceRange &first = a.primal->templateRange, &second = b.primal->templateRange;
  return isTemplate(a) && isTemplate(b) && a.function->name == b.function->name &&
         a.function->namespaces == b.function->namespaces && first.offset == second.offset &&
         (!first.file || *first.file == *second.file) && shownParameters(a) == shownParameters(b);
}

std::vector<Emitted> groupInstances(std::vector<Derivative> &derivatives) {
  std::vector<Emitted> all;
  for (Derivative &derivative : derivatives) {
    auto same = llvm::find_if(all, [&](const Emitted &one) { return areOneFunction(one.derivative(), derivative); });
    if (same != all.end()) {
      same->instances.push_back(&derivative);
      continue;
    }
    Emitted one;
    one.instances = {&derivative};
    one.namespaces = derivative.function->namespaces;
    one.isInternal = !derivative.isPublic;
    one.isTemplate = isTemplate(derivative);
    all.push_back(std::move(one));
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static const DerivativeParam *find(const Derivative &derivative, ParamRole role) {
  for (const DerivativeParam &param : derivative.params)
    if (param.role == role)
      return &param;
  return nullptr;
}

void uniteParameters(Emitted &one) {
  Derivative &first = *one.instances.front();
  for (ParamRole role :
       {ParamRole::SharedBytes, ParamRole::Stack, ParamRole::StackTangent, ParamRole::Record, ParamRole::RecordTangent})
    for (const Derivative *instance : one.instances) {
      const DerivativeParam *needed = find(*instance, role);
      if (!needed || find(first, role))
        continue;
      Var *made = first.function->makeVar(needed->var->name, needed->var->type, Storage::Parameter);
      auto after = llvm::find_if(
          first.params, [&](const DerivativeParam &param) { return isTrailing(param.role) && param.role > role; });
      size_t position = size_t(after - first.params.begin());
      first.params.insert(after, {made, role, 0, false});
      first.function->params.insert(first.function->params.begin() + position, made);
    }
  for (Derivative *instance : llvm::drop_begin(one.instances))
    for (size_t i = 0, k = 0; i < instance->params.size(); ++i) {
      const DerivativeParam &param = instance->params[i];
      while (k < first.params.size() && isTrailing(first.params[k].role) && first.params[k].role != param.role)
        ++k;
      if (k == first.params.size())
        break;
      param.var->name = first.params[k++].var->name;
      param.var->pinned = true;
    }
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

std::vector<std::string> instanceTests(const Emitted &one) {
  std::vector<std::string> tests;
  for (const Derivative *instance : one.instances)
    tests.push_back(
        printInstanceTest(one.function().templateParameters, splitArguments(instance->primal->templateArguments)));
  return tests;
}

/// What a call with other template arguments is told.
static std::string adviceFor(const Emitted &one) {
  const Derivative &first = one.derivative();
  std::string made;
  for (const Derivative *instance : one.instances)
    made += (made.empty() ? "" : ", ") + first.primal->qualifiedName() + instance->primal->templateArguments;
  const char *option = first.mode == DerivativeMode::Tangent ? "--tangent" : "--adjoint";
  return "gpuad made " + one.function().name + " for " + made + "; add " + option + "='" +
         first.primal->qualifiedName() + "<...>' for others";
}

static Stmt textStmt(const std::string &text) {
  return makeDo(makeText(text, {}, voidType()));
}

void makeTemplateBody(Emitted &one) {
  std::vector<std::string> tests = instanceTests(one);
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

} // namespace gpuad::emit
