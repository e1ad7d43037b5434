//===- ResolveHead.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/ResolveHead.h"

#include "support/Diagnostics.h"
#include "transform/GlobalShadows.h"
#include "transform/TypeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

namespace gpuad::transform {

using namespace ir;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static std::string signatureOf(const Function &function) {
  std::string types;
  for (const Var *param : function.params)
    if (!param->isThis)
      types += (types.empty() ? "" : ", ") + spell(param->type);
  return function.qualifiedName() + function.templateArguments + "(" + types + ")";
}

static bool takesTypes(const Function &function, const std::vector<std::string> &types) {
  std::vector<std::string> own;
  for (const Var *param : function.params)
    if (!param->isThis)
      own.push_back(normalType(spell(param->type)));
  if (own.size() != types.size() && !(own.empty() && types == std::vector<std::string>{"void"}))
    return false;
  for (size_t i = 0; i < own.size(); ++i) {
    std::string wanted = normalType(types[i]);
    // A type may be written without the namespaces around it.
    bool sameTail = StringRef(own[i]).ends_with("::" + wanted);
    if (own[i] != wanted && !sameTail)
      return false;
  }
  return true;
}

/// The name in the module that looks most like `name`, or empty.
static std::string nearestName(const Module &module, StringRef name) {
  std::string best;
  unsigned distance = unsigned(name.size()) / 3 + 1;
  for (const std::unique_ptr<Function> &function : module.functions) {
    if (!function->body || !function->inMainFile)
      continue;
    std::string candidate = function->qualifiedName();
    unsigned now = name.edit_distance(candidate, /*AllowReplacements=*/true, distance + 1);
    if (function->name == name || StringRef(candidate).ends_with("::" + name.str()))
      now = 0;
    if (now < distance || (now == distance && best.empty())) {
      best = candidate;
      distance = now;
    }
  }
  return best;
}

static void reportUnknown(const Module &module, const std::vector<Function *> &sameName, const Head &head,
                          const std::string &text, const SourceRange &range, DiagnosticSink &sink) {
  for (const UnusedTemplate &unused : module.unusedTemplates)
    if (sameName.empty() && unused.qualifiedName == head.name && head.templateArguments.empty())
      return diag::report(sink, diag::Id::NoInstance, unused.nameRange, unused.qualifiedName);
  std::string near = sameName.empty() ? nearestName(module, head.name) : "";
  Diagnostic diagnostic =
      diag::make(diag::Id::UnknownFunction, range, text, near.empty() ? "" : "; did you mean '" + near + "'?");
  for (const Function *function : sameName)
    diagnostic.notes.push_back(diag::note(function->nameRange, "there is '" + signatureOf(*function) + "'"));
  sink.report(std::move(diagnostic));
}

/// Instances of one function template, or one method in instances of one class template.
bool areOneTemplate(const Function &a, const Function &b) {
  if (!a.isTemplateInstance || !b.isTemplateInstance || a.templateParameters.empty() != b.templateParameters.empty())
    return false;
  const SourceRange &first = a.templateParameters.empty() ? a.nameRange : a.templateRange;
  const SourceRange &second = b.templateParameters.empty() ? b.nameRange : b.templateRange;
  return first.isValid() && second.isValid() && first.offset == second.offset && *first.file == *second.file;
}

/// Whether a HEAD's name is that of the function; it may leave out the arguments of
/// class templates.
static bool isNamed(const Function &function, const std::string &name) {
  if (function.qualifiedName() == name)
    return true;
  if (function.className.find('<') == std::string::npos)
    return false;
  std::string spaces, plain, normal, arguments;
  for (const std::string &space : function.namespaces)
    spaces += space.empty() ? "" : space + "::";
  int depth = 0;
  for (char c : function.className) {
    depth += c == '<';
    (depth > 0 ? arguments : plain) += c;
    depth -= c == '>';
    if (depth > 0)
      continue;
    normal += arguments.empty() ? std::string(1, c) : normalArguments(StringRef(arguments).drop_front().drop_back());
    arguments.clear();
  }
  return spaces + plain + "::" + function.name == name || spaces + normal + "::" + function.name == name;
}

/// Whether a HEAD that names an instance was resolved to this one.
static bool isRequestedAs(const Function &function, const Head &head) {
  return llvm::any_of(function.requestedAs, [&](const std::string &text) {
    std::string error;
    std::optional<Head> named = parseHead(text, error);
    return named && named->name == head.name && named->templateArguments == head.templateArguments;
  });
}

/// Whether an instance has these arguments, and perhaps more.
static bool startsWith(StringRef own, const std::string &wanted) {
  own = own.trim();
  own.consume_front("<");
  own.consume_back(">");
  std::string arguments = normalArguments(own);
  if (wanted.empty() || arguments == wanted)
    return true;
  StringRef given = StringRef(wanted).drop_back();
  return StringRef(arguments).starts_with((given + ",").str());
}

std::vector<Function *> resolveFunction(const Module &module, const Head &head, const std::string &text,
                                        const SourceRange &range, DiagnosticSink &sink) {
  std::vector<Function *> named, found;
  auto isThisOne = [&](const std::unique_ptr<Function> &function) { return isRequestedAs(*function, head); };
  bool isKnown = llvm::any_of(module.functions, isThisOne); // the front end has found what its arguments mean
  for (const std::unique_ptr<Function> &function : module.functions)
    if (isKnown ? isThisOne(function) : isNamed(*function, head.name))
      named.push_back(function.get());
  for (Function *function : named) {
    bool fits = isKnown || startsWith(function->templateArguments, head.templateArguments);
    if (fits && (!head.parameterTypes || takesTypes(*function, *head.parameterTypes)))
      found.push_back(function);
  }
  if (found.empty()) {
    reportUnknown(module, named, head, text, range, sink);
    return {};
  }
  std::vector<Function *> defined;
  llvm::copy_if(found, std::back_inserter(defined), [](const Function *function) { return function->body != nullptr; });
  if (defined.empty()) {
    Diagnostic diagnostic = diag::make(diag::Id::NoBody, found[0]->nameRange.isValid() ? found[0]->nameRange : range,
                                       found[0]->qualifiedName());
    sink.report(std::move(diagnostic));
    return {};
  }
  bool isAmbiguous = llvm::any_of(
      defined, [&](const Function *other) { return other != defined[0] && !areOneTemplate(*defined[0], *other); });
  if (isAmbiguous) {
    Diagnostic diagnostic = diag::make(diag::Id::AmbiguousHead, range, text, defined.size());
    for (const Function *function : defined)
      diagnostic.notes.push_back(diag::note(function->nameRange, "'" + signatureOf(*function) + "'"));
    sink.report(std::move(diagnostic));
    return {};
  }
  return defined;
}

std::string derivativeName(const Function &primal, const Head &head, DerivativeMode mode) {
  std::string base = head.as.empty() ? primal.name : head.as;
  if (StringRef(base).starts_with("operator")) {
    StringRef symbols = StringRef(base).drop_front(8).trim();
    bool isUnary = primal.params.size() == 1;
    base = llvm::StringSwitch<std::string>(symbols)
               .Case("()", "call")
               .Case("[]", "index")
               .Case("+", isUnary ? "plus" : "add")
               .Case("-", isUnary ? "neg" : "sub")
               .Case("*", isUnary ? "deref" : "mul")
               .Case("/", "div")
               .Case("=", "assign")
               .Case("+=", "assign_add")
               .Case("-=", "assign_sub")
               .Case("*=", "assign_mul")
               .Case("/=", "assign_div")
               .Default("convert");
  }
  return base + (mode == DerivativeMode::Adjoint ? "_adjoint" : "_tangent");
}

//===----------------------------------------------------------------------===//
// Dependents and independents
//===----------------------------------------------------------------------===//

namespace {
class ListResolver {
public:
  ListResolver(const Module &module, const std::string &text, Request &request, const SourceRange &range,
               DiagnosticSink &sink)
      : module(module), text(text), request(request), range(range), sink(sink) {}
  bool add(const std::string &name, bool isDependent);

private:
  bool addReturn(bool isDependent);
  bool addGlobal(StringRef name, bool isDependent);
  bool addParameter(const std::string &name, bool isDependent);
  std::optional<Type> typeOfField(Type type, const std::string &name, const std::string &field);
  bool refuse(diag::Id id, const std::string &name, const std::string &why) {
    Diagnostic diagnostic = diag::make(id, range, text, name, why);
    if (request.primal->nameRange.isValid() && request.primal->nameRange.line != range.line)
      diagnostic.notes.push_back(
          diag::note(request.primal->nameRange, "'" + signatureOf(*request.primal) + "' is here"));
    sink.report(std::move(diagnostic));
    return false;
  }

  const Module &module;
  const std::string &text;
  Request &request;
  const SourceRange &range;
  DiagnosticSink &sink;
};
} // namespace

bool ListResolver::addReturn(bool isDependent) {
  if (!isDependent)
    return refuse(diag::Id::BadIndependent, "return", "the returned value is a result; list it before the '/'");
  if (!holdsFloating(request.primal->returnType))
    return refuse(diag::Id::BadDependent, "return", "the function returns no floating-point value");
  request.returnIsDependent = true;
  return true;
}

/// "::coef"
bool ListResolver::addGlobal(StringRef name, bool isDependent) {
  std::string similar;
  for (const std::unique_ptr<Var> &global : module.globals) {
    std::string own = qualifiedNameOf(*global);
    if (own != name) {
      bool isInReach = isDeviceGlobal(global.get()) && holdsFloating(global->type);
      if (isInReach && StringRef(own).rsplit("::").second == name.rsplit("::").second)
        similar = own;
      continue;
    }
    diag::Id id = isDependent ? diag::Id::BadDependent : diag::Id::BadIndependent;
    if (!holdsFloating(global->type))
      return refuse(id, name.str(), "it holds no floating-point data");
    if (!isDeviceGlobal(global.get()))
      return refuse(id, name.str(), "it is neither __device__ nor __constant__");
    if (isDependent && global->storage == Storage::Constant)
      return refuse(id, name.str(), "a __constant__ variable cannot carry a result out of the function");
    (isDependent ? request.globalDependents : request.globalIndependents).push_back(global.get());
    return true;
  }
  return refuse(diag::Id::UnknownParameter, name.str(),
                similar.empty() ? "no __device__ or __constant__ variable has this name"
                                : "did you mean '" + similar + "'?");
}

std::optional<Type> ListResolver::typeOfField(Type type, const std::string &name, const std::string &field) {
  Type object = innermost(type);
  if (isPointer(object))
    object = innermost(object->element);
  std::optional<unsigned> index = fieldIndex(object, field);
  if (!index) {
    refuse(diag::Id::UnknownParameter, name, "'" + spell(withConst(object, false)) + "' has no field '" + field + "'");
    return std::nullopt;
  }
  return object->record->fields[*index].type;
}

static std::string listParameters(const Function &function) {
  std::string names;
  for (const Var *param : function.params)
    names += (names.empty() ? "" : ", ") + (param->isThis ? "self" : param->name);
  return names.empty() ? "the function has no parameters" : "the parameters are " + names;
}

/// Whether a function can write floating-point data through a parameter of this type, or through pointers that it
/// finds there, as many steps away.
static bool isWritable(const Type &type, unsigned steps = 2) {
  if (isArray(type)) // of pointers
    return isWritable(innermost(type), steps);
  if (isRecord(type))
    return llvm::any_of(type->record->fields, [&](const Field &field) { return isWritable(field.type, steps); });
  if (!isPointer(type) && !isReference(type))
    return false;
  Type to = innermost(type->element);
  return (!to->isConst && reachesFloating(to)) || (steps != 0 && isWritable(to, steps - 1));
}

bool ListResolver::addParameter(const std::string &name, bool isDependent) {
  llvm::SmallVector<StringRef, 4> parts;
  StringRef(name).split(parts, '.');
  Listed listed;
  const std::vector<Var *> &params = request.primal->params;
  while (listed.param < params.size() && params[listed.param]->name != parts[0] &&
         !(params[listed.param]->isThis && (parts[0] == "self" || parts[0] == "this")))
    ++listed.param;
  if (listed.param == params.size())
    return refuse(diag::Id::UnknownParameter, name, listParameters(*request.primal));
  Type type = params[listed.param]->type;
  for (StringRef field : llvm::ArrayRef(parts).drop_front()) {
    std::optional<Type> inner = typeOfField(type, name, field.str());
    if (!inner)
      return false;
    type = *inner;
    listed.fields.push_back(field.str());
  }
  if (!reachesFloating(type))
    return refuse(isDependent ? diag::Id::BadDependent : diag::Id::BadIndependent, name,
                  "its type is '" + spell(type) + "', which holds no floating-point data");
  bool isThroughPointer = isPointer(params[listed.param]->type) || isReference(params[listed.param]->type);
  bool isShadowOfView = request.primal->isGenerated && isRecord(type); // written to, const elements or not
  if (isDependent && !isWritable(type) && !isShadowOfView && !(isThroughPointer && !listed.fields.empty()))
    return refuse(diag::Id::BadDependent, name, "a '" + spell(type) + "' cannot carry a result out of the function");
  (isDependent ? request.dependents : request.independents).push_back(std::move(listed));
  return true;
}

std::string describeLists(const Request &request) {
  auto names = [&](const std::vector<Listed> &listed, const std::vector<Var *> &globals) {
    std::vector<std::string> list;
    for (const Listed &one : listed) {
      list.push_back(request.primal->params[one.param]->name);
      for (const std::string &field : one.fields)
        list.back() += "." + field;
    }
    for (const Var *global : globals)
      list.push_back(qualifiedNameOf(*global));
    return list;
  };
  std::vector<std::string> dependents = names(request.dependents, request.globalDependents);
  if (request.returnIsDependent)
    dependents.push_back("return");
  return "(" + llvm::join(dependents, ", ") + ") / (" +
         llvm::join(names(request.independents, request.globalIndependents), ", ") + ")";
}

bool ListResolver::add(const std::string &name, bool isDependent) {
  if (name == "return")
    return addReturn(isDependent);
  if (StringRef(name).starts_with("::"))
    return addGlobal(name, isDependent);
  return addParameter(name, isDependent);
}

bool resolveLists(const Module &module, const Head &head, Request &request, const SourceRange &range,
                  DiagnosticSink &sink) {
  ListResolver resolver(module, request.headText, request, range, sink);
  if (head.listsActive) {
    bool allFound = true;
    for (const std::string &name : head.dependents)
      allFound &= resolver.add(name, true);
    for (const std::string &name : head.independents)
      allFound &= resolver.add(name, false);
    return allFound;
  }
  const std::vector<Var *> &params = request.primal->params;
  for (unsigned i = 0; i < params.size(); ++i) {
    if (!reachesFloating(params[i]->type))
      continue;
    request.independents.push_back({i, {}});
    if (isWritable(params[i]->type))
      request.dependents.push_back({i, {}});
  }
  request.returnIsDependent = holdsFloating(request.primal->returnType);
  if (!request.independents.empty() && (!request.dependents.empty() || request.returnIsDependent))
    return true;
  Diagnostic diagnostic =
      diag::make(diag::Id::NothingActive, request.primal->nameRange, request.primal->qualifiedName(),
                 request.independents.empty() ? "takes no floating-point data" : "has no floating-point result");
  if (request.implied)
    diagnostic.severity = Severity::Warning;
  sink.report(std::move(diagnostic));
  return false;
}

} // namespace gpuad::transform
