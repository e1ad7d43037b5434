//===- WrittenDerivatives.cpp --------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/WrittenDerivatives.h"

#include "support/Diagnostics.h"
#include "transform/ResolveHead.h"
#include "transform/TangentBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuad::transform {
using namespace ir;
using llvm::StringRef;

namespace {
/// One function with GPUAD_DERIVATIVE_OF, against the function that it names.
class Binder {
public:
  Binder(const Module &module, const Function &written, DiagnosticSink &sink)
      : module(module), written(written), sink(sink) {}

  void bind(const std::string &text) {
    std::string error;
    std::optional<Head> head = parseHead(text, error);
    if (!head || head->listsActive || !head->as.empty())
      return diag::report(sink, diag::Id::BadHead, written.nameRange, text,
                          head ? "a function is named here, and nothing else" : error);
    std::vector<Function *> primals = named(*head);
    if (primals.empty()) {
      if (written.inMainFile) // a header may speak of functions that this file does not use
        diag::report(sink, diag::Id::UnknownFunction, written.nameRange, text, "");
      return;
    }
    std::string why;
    for (Function *primal : primals)
      if (std::optional<WrittenDerivative> made = match(*primal, why)) {
        WrittenDerivative &place = isAdjoint ? primal->writtenAdjoint : primal->writtenTangent;
        if (place.function && place.function != &written)
          return diag::report(sink, diag::Id::WrittenDerivative, written.nameRange, written.name, text,
                              "there is another one already");
        place = std::move(*made);
        return;
      }
    diag::report(sink, diag::Id::WrittenDerivative, written.nameRange, written.name, text, why);
  }

private:
  /// The functions of that name, from where the derivative stands.
  std::vector<Function *> named(const Head &head) const {
    std::vector<Function *> found;
    for (size_t depth = written.namespaces.size() + 1; depth-- > 0 && found.empty();) {
      std::string name;
      for (const std::string &space : llvm::ArrayRef(written.namespaces).take_front(depth))
        name += space.empty() ? "" : space + "::";
      for (Function *function : module.find(name + head.name))
        if (!function->isGenerated && takes(*function, head))
          found.push_back(function);
    }
    return found;
  }
  static bool takes(const Function &function, const Head &head) {
    if (!head.parameterTypes)
      return true;
    std::vector<std::string> own;
    for (const Var *param : function.params)
      own.push_back(withoutBlanks(spell(withConst(param->type, false))));
    std::vector<std::string> asked;
    for (const std::string &type : *head.parameterTypes)
      asked.push_back(withoutBlanks(type));
    return own == asked;
  }
  static std::string withoutBlanks(std::string text) {
    llvm::erase_if(text, [](char c) { return c == ' '; });
    return text;
  }

  std::optional<WrittenDerivative> match(const Function &primal, std::string &why) {
    why = reasonAgainst(primal);
    WrittenDerivative made;
    made.function = &written;
    size_t next = 0;
    for (unsigned i = 0; i < primal.params.size() && why.empty(); ++i)
      made.shadowed.push_back(parameter(*primal.params[i], next, why));
    if (why.empty())
      why = ending(primal, next);
    return why.empty() ? std::optional<WrittenDerivative>(std::move(made)) : std::nullopt;
  }

  std::string reasonAgainst(const Function &primal) {
    isAdjoint = written.name == plainName(primal) + "_adjoint";
    if (!isAdjoint && written.name != plainName(primal) + "_tangent")
      return "its name must be " + plainName(primal) + "_adjoint or " + plainName(primal) + "_tangent";
    if (primal.isKernel() || written.isKernel())
      return "it is for functions that kernels call, not for kernels";
    if (!primal.className.empty() || !written.className.empty())
      return "methods of classes cannot have one; write a function";
    if (primal.isTemplateInstance || written.isTemplateInstance)
      return "templates cannot have one; write it for one type";
    if (isPointer(primal.returnType) || isReference(primal.returnType))
      return "functions that return a pointer or reference cannot have one";
    if (written.kind != primal.kind && written.kind != FunctionKind::HostDevice)
      return "it must run where the function runs: on the device, the host, or both";
    return {};
  }

  /// Takes the parameter, and its shadow if that follows; whether it does.
  bool parameter(const Var &param, size_t &next, std::string &why) {
    const Var *own = next < written.params.size() ? written.params[next] : nullptr;
    if (!own || !areEqual(own->type, param.type)) {
      why = "parameter " + std::to_string(next + 1) + " must be '" + declare(param.type, param.name) + "'";
      return false;
    }
    const Var *shadow = ++next < written.params.size() ? written.params[next] : nullptr;
    if (!shadow || shadow->name != own->name + (isAdjoint ? "_bar" : "_dot"))
      return false;
    Type wanted = isAdjoint ? shadowInAdjoint(param.type) : param.type;
    if (!areEqual(shadow->type, wanted))
      why = "parameter " + std::to_string(next + 1) + " must be '" + declare(wanted, shadow->name) + "'";
    ++next;
    return true;
  }
  static bool areEqual(const Type &a, const Type &b) { return identicalType(withConst(a, false), withConst(b, false)); }
  static Type shadowInAdjoint(const Type &type) {
    bool leadsOn = isPointer(type) || isReference(type);
    return pointerTo(withConst(leadsOn ? elementOf(type) : type, false));
  }

  std::string ending(const Function &primal, size_t next) {
    Type value = withConst(primal.returnType, false);
    bool hasNumbers = holdsFloating(value);
    if (isAdjoint && hasNumbers) {
      const Var *seed = next < written.params.size() ? written.params[next] : nullptr;
      if (!seed || !areEqual(seed->type, value))
        return "its last parameter must be '" + declare(value, "return_bar") + "'";
      ++next;
    }
    if (next != written.params.size())
      return "'" + written.params[next]->name + "' is no parameter of the function, and no shadow of one";
    std::string returned = isAdjoint ? "void" : spell(hasNumbers ? dualType(value) : value);
    std::string own = spell(withConst(written.returnType, false));
    return own == returned ? "" : "it must return '" + returned + "'";
  }

  const Module &module;
  const Function &written;
  DiagnosticSink &sink;
  bool isAdjoint = false;
};
} // namespace

void bindWrittenDerivatives(const Module &module, DiagnosticSink &sink) {
  for (const std::unique_ptr<Function> &function : module.functions)
    for (const std::string &request : function->requests)
      if (StringRef text = request; text.consume_front("derivative-of:"))
        Binder(module, *function, sink).bind(text.trim().str());
}

} // namespace gpuad::transform
