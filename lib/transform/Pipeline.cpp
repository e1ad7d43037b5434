//===- Pipeline.cpp ------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Pipeline.h"

#include "ir/Dump.h"
#include "ir/Verify.h"
#include "ir/Walk.h"
#include "support/Diagnostics.h"
#include "transform/AtomicLoops.h"
#include "transform/ComposedCalls.h"
#include "transform/GroupCalls.h"
#include "transform/KeepResults.h"
#include "transform/MakeAdjoint.h"
#include "transform/MakeTangent.h"
#include "transform/OwnedAtomics.h"
#include "transform/SpellObjects.h"
#include "transform/TemplateTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <set>

namespace gpuad::transform {
using namespace ir;

namespace {
/// Errors of a derivative that nobody asked for by name are warnings: it is left out.
/// What stops both modes is said once.
void passOn(const CollectingSink &collected, const Request &request, std::set<std::string> &said,
            DiagnosticSink &sink) {
  for (Diagnostic diagnostic : collected.diagnostics) {
    bool isInternal = diagnostic.slug == diag::info(diag::Id::InternalError).slug;
    if (request.implied && diagnostic.severity == Severity::Error && !isInternal)
      diagnostic.severity = Severity::Warning;
    if (!diagnostic.range.isValid())
      diagnostic.range = request.primal->nameRange;
    std::string place = std::to_string(diagnostic.range.line) + ":" + std::to_string(diagnostic.range.column) + ":";
    if (request.implied && diagnostic.range.isValid() &&
        !said.insert(*diagnostic.range.file + ":" + place + diagnostic.slug + diagnostic.message).second)
      continue;
    sink.report(diagnostic);
  }
}

/// "gpuad_foo" for foo.cu: where internal functions of the output live.
std::string internalNamespaceOf(const Module &module) {
  std::string name = "gpuad_" + llvm::sys::path::stem(module.path).str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

/// f_augmented, for f_adjoint.
std::string augmentedName(const Request &request) {
  llvm::StringRef base = request.name;
  base.consume_back("_adjoint");
  return base.str() + "_augmented";
}

std::vector<Derivative> differentiate(const Request &request, const rules::RuleTable &rules, TangentCallees &tangents,
                                      CalleeAdjoints &adjoints, GlobalShadows &globalShadows, DiagnosticSink &sink,
                                      const std::vector<std::string> &takenNames) {
  if (request.mode == DerivativeMode::Tangent)
    return makeTangent(request, rules, tangents, globalShadows, sink);
  std::vector<Derivative> made;
  CollectingSink collected;
  std::optional<KeepingKernel> keeping = keepResults(*request.primal, rules, collected);
  for (const Diagnostic &diagnostic : collected.diagnostics)
    sink.report(diagnostic);
  if (collected.errorCount() != 0)
    return made;
  Request ofKeeping = request;
  if (keeping)
    ofKeeping.primal = keeping->kernel.get();
  std::optional<Derivative> adjoint = makeAdjoint(ofKeeping, rules, adjoints, sink, keeping.has_value());
  if (!adjoint)
    return made;
  adjoint->primal = request.primal;
  std::string augmented = augmentedName(request);
  if (adjoint->record && llvm::is_contained(takenNames, augmented)) {
    diag::report(sink, diag::Id::NameClash, request.primal->nameRange, request.headText, augmented, "declared",
                 "add 'as OTHER' to the HEAD to choose another name");
    return made;
  }
  if (adjoint->record)
    made = makeAugmented(std::move(*keeping), *request.primal, augmented, *adjoint);
  made.push_back(std::move(*adjoint));
  return made;
}

/// Generated functions are no members: they reach what everybody reaches.
class AccessCheck {
public:
  AccessCheck(const Function &primal, DiagnosticSink &sink) : primal(primal), sink(sink) {}

  void run(const Function &function) {
    for (const Var *param : function.params)
      type(param->type, param->range);
    forEachStmt(function.body, [&](const Stmt &s) {
      if (auto *declared = llvm::dyn_cast<DeclStmt>(s.get()))
        type(declared->var->type, s->range);
    });
    forEachExprIn(function.body, [&](const Expr &e) { expression(e); });
  }

private:
  void expression(const Expr &e) {
    if (auto *call = llvm::dyn_cast<CallExpr>(e.get()); call && !call->callee.isAccessible && !call->callee.isOpen) {
      llvm::StringRef name = call->callee.name;
      report(e->range, name.rsplit("::").second, name.rsplit("::").first, true);
    }
    if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()); ref && !ref->var->isReachable)
      report(e->range, ref->var->name, llvm::join(ref->var->namespaces, "::"), false);
    if (e->kind == ExprKind::Cast || e->kind == ExprKind::Init)
      type(e->type, e->range);
    auto *member = llvm::dyn_cast<MemberExpr>(e.get());
    if (!member || !isRecord(member->base->type))
      return;
    const RecordInfo &record = *member->base->type->record;
    if (!record.fields[member->field].accessible)
      report(e->range, member->name, record.qualifiedName, true);
    else if (record.fields[member->field].throughFriend)
      type(member->base->type, e->range);
  }
  void type(const Type &whole, const SourceRange &range) {
    Type one = whole;
    while (isPointer(one) || isReference(one) || isArray(one))
      one = elementOf(one);
    if (one->isReachable && !(isRecord(one) && !one->record->isReachable))
      return;
    llvm::StringRef name = isRecord(one) ? one->record->qualifiedName : one->spelling;
    report(range, name.rsplit("::").second, name.rsplit("::").first, false);
  }
  void report(const SourceRange &range, llvm::StringRef name, llvm::StringRef of, bool mayBeFriend) {
    if (reported.insert((of + "::" + name).str()).second)
      diag::report(sink, diag::Id::PrivateMember, range.isValid() ? range : primal.nameRange, name, of,
                   mayBeFriend ? ", or write 'GPUAD_FRIEND;' (of <gpuad/gpuad.h>) in the class" : "");
  }

  const Function &primal;
  DiagnosticSink &sink;
  std::set<std::string> reported;
};
} // namespace

std::vector<Derivative> runPipeline(Module &module, const rules::RuleTable &rules, const std::vector<Request> &requests,
                                    const Options &options, DiagnosticSink &sink, std::string &dump) {
  std::vector<Derivative> derivatives;
  composeCalls(module, rules);
  recogniseAtomicLoops(module, rules);
  replaceGroupCalls(module, rules);
  const OrderedSet<const Function> onlyInLine = replaceOwnedAtomics(module, rules);
  TangentCallees tangents;
  GlobalShadows globalShadows(module);
  std::set<std::string> said;
  tangents.internalNamespace = internalNamespaceOf(module);
  auto finish = [&](Derivative &derivative, DiagnosticSink &collected) {
    AccessCheck(*derivative.primal, collected).run(*derivative.function);
    spellObjects(derivative, tangents.internalNamespace, collected);
    for (const std::string &violation : verify(*derivative.function, true))
      diag::report(collected, diag::Id::InternalError, derivative.primal->nameRange, violation);
    if (options.dumpAfter == "derivatives")
      dump += ir::dump(*derivative.function);
  };
  CalleeAdjoints adjoints(requests, rules, globalShadows, finish);
  for (const Request &request : requests) {
    CollectingSink collected;
    std::vector<Derivative> made =
        differentiate(request, rules, tangents, adjoints, globalShadows, collected, module.takenNames);
    for (Derivative &derivative : made) {
      if (derivative.primal == request.primal && onlyInLine.count(request.primal))
        guardByShape(*derivative.function);
      finish(derivative, collected);
      writeTemplateTypes(derivative);
    }
    passOn(collected, request, said, sink);
    if (collected.errorCount() == 0)
      for (Derivative &derivative : made)
        derivatives.push_back(std::move(derivative));
  }
  for (Derivative &callee : adjoints.takeUsed(derivatives))
    derivatives.push_back(std::move(callee));
  return derivatives;
}

} // namespace gpuad::transform
