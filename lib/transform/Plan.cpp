//===- Plan.cpp -----------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Plan.h"

#include "support/Diagnostics.h"
#include "transform/ResolveHead.h"
#include "transform/WrittenDerivatives.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <map>

namespace gpuad::transform {

using namespace ir;
using llvm::StringRef;

namespace {
class Planner {
public:
  Planner(const Module &module, DiagnosticSink &sink) : module(module), sink(sink) {}
  void addTyped(const RequestText &typed);
  void addAttributes();
  void addImplied();
  std::vector<Request> requests;
  bool sawAny = false;

private:
  void add(const Head &head, const std::vector<Function *> &primals, DerivativeMode mode, const std::string &text,
           const std::string &origin, const SourceRange &range);
  bool isBeyondReach(const Function &primal, DerivativeMode mode);
  bool canBeNamed(const Function &primal, Severity severity);
  bool nameIsFree(const Request &request, const SourceRange &range);
  bool reportDouble(const Request &request, const Request &earlier, const SourceRange &range);
  bool isMadeAlready(const Request &request) const;
  bool clashesWithSource(const Request &request, const std::string &name, const SourceRange &range);

  const Module &module;
  DiagnosticSink &sink;
  bool isReadingSource = false;         ///< requests stand in the source, or follow from it
  std::map<std::string, size_t> byName; ///< of requests
};
} // namespace

/// Where a request was typed: FILE:LINE, or the input as a whole for the command line.
static SourceRange rangeOfOrigin(const Module &module, const std::string &origin) {
  SourceRange range;
  auto [file, line] = StringRef(origin).rsplit(':');
  bool isPlace = !line.empty() && !line.getAsInteger(10, range.line);
  range.file = std::make_shared<const std::string>(isPlace ? file.str() : module.path);
  if (!isPlace)
    range.line = 1;
  return range;
}

static std::string qualified(const Request &request) {
  std::string text;
  for (const std::string &space : request.primal->namespaces)
    text += space + "::";
  return text + request.name;
}

static bool sameLists(const Request &a, const Request &b) {
  auto same = [](const std::vector<Listed> &x, const std::vector<Listed> &y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const Listed &p, const Listed &q) { return p.param == q.param && p.fields == q.fields; });
  };
  return same(a.dependents, b.dependents) && same(a.independents, b.independents) &&
         a.returnIsDependent == b.returnIsDependent && a.globalDependents == b.globalDependents &&
         a.globalIndependents == b.globalIndependents;
}

bool Planner::reportDouble(const Request &request, const Request &earlier, const SourceRange &range) {
  Diagnostic diagnostic = diag::make(diag::Id::DoubleName, range, request.headText, request.name);
  diagnostic.notes.push_back(
      diag::note(rangeOfOrigin(module, earlier.origin), "the other one is '" + earlier.headText + "'"));
  if (request.implied)
    diagnostic.severity = Severity::Warning;
  sink.report(std::move(diagnostic));
  return false;
}

/// Whether an earlier translation made what is asked for: the request still stands in
/// the source, or nothing was requested.
bool Planner::isMadeAlready(const Request &request) const {
  for (const UnusedTemplate &unused : module.unusedTemplates)
    if (unused.isGenerated && unused.qualifiedName == qualified(request))
      return true;
  return llvm::any_of(module.functions, [&](const std::unique_ptr<Function> &function) {
    return function->isGenerated && function->name == request.name &&
           function->namespaces == request.primal->namespaces;
  });
}

bool Planner::clashesWithSource(const Request &request, const std::string &name, const SourceRange &range) {
  bool isMacro = llvm::is_contained(module.macroNames, name);
  if (!isMacro && !llvm::is_contained(module.takenNames, name))
    return false;
  Diagnostic diagnostic =
      diag::make(diag::Id::NameClash, range, request.headText, name, isMacro ? "a macro" : "declared",
                 "add 'as OTHER' to the HEAD to choose another name");
  for (const std::unique_ptr<Function> &function : module.functions)
    if (function->name == name && function->nameRange.isValid()) {
      diagnostic.notes.push_back(diag::note(function->nameRange, "'" + name + "' is here"));
      break;
    }
  if (request.implied)
    diagnostic.severity = Severity::Warning;
  sink.report(std::move(diagnostic));
  return true;
}

bool Planner::nameIsFree(const Request &request, const SourceRange &range) {
  if (isReadingSource && isMadeAlready(request))
    return false;
  auto [found, isNew] = byName.try_emplace(qualified(request), requests.size());
  if (!isNew) {
    const Request &earlier = requests[found->second];
    if (areOneTemplate(*request.primal, *earlier.primal) && request.primal != earlier.primal)
      return true;
    if (request.primal == earlier.primal && sameLists(request, earlier))
      return false; // asked for twice in the same words
    return reportDouble(request, earlier, range);
  }
  if (clashesWithSource(request, request.name, range) ||
      (request.primal->isKernel() && clashesWithSource(request, "launch_" + request.name, range))) {
    byName.erase(found);
    return false;
  }
  return true;
}

static bool touchesFloating(const Function &function) {
  return holdsFloating(function.returnType) ||
         llvm::any_of(function.params, [](const Var *param) { return reachesFloating(param->type); });
}

/// What was made by an earlier translation, and cannot be differentiated again.
bool Planner::isBeyondReach(const Function &primal, DerivativeMode mode) {
  if (primal.isGenerated && mode == DerivativeMode::Adjoint) {
    diag::report(sink, diag::Id::NotInReverse, primal.nameRange,
                 "a derivative (take the tangent of the adjoint instead)");
    return true;
  }
  bool takesRecord = llvm::any_of(primal.params, [](const Var *param) {
    return llvm::StringRef(spell(stripReference(param->type))).starts_with("gpuad::record");
  });
  if (primal.isGenerated && takesRecord && llvm::StringRef(primal.name).ends_with("_augmented")) {
    diag::report(sink, diag::Id::NotInForward, primal.nameRange,
                 "an augmented kernel (take the tangent of the kernel, or that of its adjoint)");
    return true;
  }
  return false;
}

/// The derivative of an instance takes the instance's template arguments.
bool Planner::canBeNamed(const Function &primal, Severity severity) {
  const std::string &why = primal.cannotBeNamed;
  if (why.empty())
    return true;
  const char *advice = StringRef(why).starts_with("the pack") ? "write the parameters one by one"
                       : why == "a lambda" ? "write a functor, a struct with operator(), in place of the lambda"
                                           : "declare the type outside of functions, with a name";
  Diagnostic diagnostic = diag::make(diag::Id::UnnamedArgument, primal.nameRange, primal.qualifiedName(), why, advice);
  diagnostic.severity = severity;
  sink.report(std::move(diagnostic));
  return false;
}

void Planner::add(const Head &head, const std::vector<Function *> &primals, DerivativeMode mode,
                  const std::string &text, const std::string &origin, const SourceRange &range) {
  // A HEAD that names a template means the instances that there is something to differentiate in.
  bool anyFloating = llvm::any_of(primals, [](const Function *primal) { return touchesFloating(*primal); });
  bool anyNamed = llvm::any_of(primals, [](const Function *primal) { return primal->cannotBeNamed.empty(); });
  for (Function *primal : primals) {
    if (anyFloating && !touchesFloating(*primal))
      continue;
    if (!canBeNamed(*primal, anyNamed ? Severity::Warning : Severity::Error))
      continue;
    Request request;
    request.mode = mode;
    request.primal = primal;
    request.headText = text;
    request.origin = origin;
    request.name = derivativeName(*primal, head, mode);
    if (isBeyondReach(*primal, mode))
      continue;
    if (!resolveLists(module, head, request, range, sink) || !nameIsFree(request, range))
      continue;
    requests.push_back(std::move(request));
  }
}

void Planner::addTyped(const RequestText &typed) {
  isReadingSource = false;
  sawAny = true;
  SourceRange range = rangeOfOrigin(module, typed.origin);
  std::string error;
  std::optional<Head> head = parseHead(typed.head, error);
  if (!head)
    return diag::report(sink, diag::Id::BadHead, range, typed.head, error);
  std::vector<Function *> primals = resolveFunction(module, *head, typed.head, range, sink);
  DerivativeMode mode = typed.mode == Mode::Adjoint ? DerivativeMode::Adjoint : DerivativeMode::Tangent;
  add(*head, primals, mode, typed.head, typed.origin, range);
}

void Planner::addAttributes() {
  isReadingSource = true;
  for (const UnusedTemplate &unused : module.unusedTemplates)
    if (unused.isRequested) {
      sawAny = true;
      diag::report(sink, diag::Id::NoInstance, unused.nameRange, unused.qualifiedName);
    }
  for (const std::unique_ptr<Function> &function : module.functions)
    for (const std::string &written : function->requests) {
      auto [modeName, lists] = StringRef(written).split(':');
      if (modeName == "derivative-of")
        continue;
      sawAny = true;
      StringRef rest = lists.trim();
      bool namesFunction = !rest.empty() && rest[0] != '(' && !rest.starts_with("as ");
      std::string text =
          namesFunction ? rest.str() : function->qualifiedName() + (rest.empty() ? "" : " ") + rest.str();
      std::string error;
      std::optional<Head> head = parseHead(text, error);
      if (!head) {
        diag::report(sink, diag::Id::BadHead, function->nameRange, text, error);
        continue;
      }
      std::string origin = function->nameRange.isValid()
                               ? *function->nameRange.file + ":" + std::to_string(function->nameRange.line)
                               : module.path;
      DerivativeMode mode = modeName == "adjoint" ? DerivativeMode::Adjoint : DerivativeMode::Tangent;
      if (function->body)
        add(*head, {function.get()}, mode, text, origin, function->nameRange);
      else // a declaration: the definition may stand elsewhere in the module
        add(*head, resolveFunction(module, *head, text, function->nameRange, sink), mode, text, origin,
            function->nameRange);
    }
}

void Planner::addImplied() {
  isReadingSource = true;
  for (const std::unique_ptr<Function> &function : module.functions) {
    if (!function->isKernel() || !function->inMainFile || !function->body || function->isGenerated ||
        llvm::none_of(function->params, [](const Var *param) { return reachesFloating(param->type); }) ||
        !canBeNamed(*function, Severity::Warning))
      continue;
    for (DerivativeMode mode : {DerivativeMode::Tangent, DerivativeMode::Adjoint}) {
      Head head;
      head.name = function->qualifiedName();
      Request request;
      request.mode = mode;
      request.primal = function.get();
      request.headText = head.name;
      request.origin = module.path;
      request.implied = true;
      request.name = derivativeName(*function, head, mode);
      if (resolveLists(module, head, request, function->nameRange, sink) && nameIsFree(request, function->nameRange))
        requests.push_back(std::move(request));
    }
  }
  if (!requests.empty())
    return;
  SourceRange whole = rangeOfOrigin(module, "");
  diag::report(sink, diag::Id::NothingToDo, whole);
}

std::vector<Request> planRequests(const Module &module, const Options &options, DiagnosticSink &sink) {
  bindWrittenDerivatives(module, sink);
  Planner planner(module, sink);
  planner.addAttributes();
  for (const RequestText &typed : options.requests)
    planner.addTyped(typed);
  if (!planner.sawAny)
    planner.addImplied();
  return std::move(planner.requests);
}

std::map<unsigned, FieldList> fieldsListed(const Request &request) {
  std::map<unsigned, FieldList> fields;
  std::set<unsigned> asWhole;
  for (const std::vector<Listed> *list : {&request.independents, &request.dependents})
    for (const Listed &one : *list) {
      if (one.fields.empty())
        asWhole.insert(one.param);
      fields[one.param].insert(llvm::join(one.fields, "."));
    }
  for (unsigned param : asWhole)
    fields.erase(param);
  return fields;
}

bool isListedField(const FieldList &listed, const std::string &path) {
  return llvm::any_of(
      listed, [&](const std::string &one) { return path == one || llvm::StringRef(path).starts_with(one + "."); });
}

} // namespace gpuad::transform
