//===- TemplateTypes.cpp --------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/TemplateTypes.h"

namespace gpuad::transform {
using namespace ir;

/// `type` without const: of what an instance has const, the template may not show it.
static Type mutableType(const Type &type, const Type &ofInstance) {
  if (ofInstance->isConst && !type->isConst && !isArray(type))
    return opaqueType("std::remove_const_t<" + spell(type) + ">");
  return withConst(type, false);
}

/// The shadow of a parameter in reverse mode: a pointer, unless it is a view.
static Type shadowOf(const Type &type, const Type &ofInstance, const Type &shadow) {
  std::string spelled = spell(withConst(type, false));
  if (!isPointer(shadow))
    return withConst(type, false);
  if (isPointer(ofInstance)) {
    if (isPointer(type))
      return pointerTo(mutableType(elementOf(type), elementOf(ofInstance)));
    if (elementOf(ofInstance)->isConst)
      return pointerTo(opaqueType("std::remove_const_t<std::remove_pointer_t<" + spelled + ">>"));
    return withConst(type, false);
  }
  if (isReference(ofInstance)) {
    bool isOfArray = isArray(elementOf(ofInstance));
    if (isReference(type) && isOfArray == isArray(elementOf(type))) {
      const Type &object = elementOf(type);
      return isOfArray ? pointerTo(mutableType(elementOf(object), elementOf(elementOf(ofInstance))))
                       : pointerTo(mutableType(object, elementOf(ofInstance)));
    }
    std::string element = "std::remove_reference_t<" + spell(type) + ">";
    if (isOfArray)
      element = "std::remove_extent_t<" + element + ">";
    return pointerTo(opaqueType("std::remove_const_t<" + element + ">"));
  }
  return pointerTo(mutableType(type, ofInstance));
}

/// What the function returns, where the template does not say: as a call gives it.
static std::string typeOfCall(const Function &primal) {
  std::string arguments, parameters;
  for (const TemplateParameter &parameter : primal.templateParameters)
    arguments += (arguments.empty() ? "" : ", ") + parameter.name;
  for (const Var *param : primal.params)
    parameters += (parameters.empty() ? "" : ", ") + std::string("std::declval<") +
                  spell(param->templateType ? param->templateType : param->type) + ">()";
  std::string name;
  for (const std::string &space : primal.namespaces)
    name += space.empty() ? "" : space + "::";
  return "std::decay_t<decltype(" + name + primal.name + "<" + arguments + ">(" + parameters + "))>";
}

static Type returnTypeOf(const Function &primal) {
  const Type &written = primal.templateReturnType;
  bool isDeduced = written->spelling.find("auto") == 0 || written->spelling.find("decltype") != std::string::npos;
  return isDeduced ? opaqueType(typeOfCall(primal)) : withConst(stripReference(written), false);
}

void writeTemplateTypes(Derivative &derivative) {
  const Function &primal = *derivative.primal;
  Function &function = *derivative.function;
  if (!derivative.isPublic || function.templateParameters.empty())
    return;
  for (const DerivativeParam &param : derivative.params) {
    if (param.role == ParamRole::ReturnSeed && primal.templateReturnType)
      param.var->templateType = returnTypeOf(primal);
    if (param.role != ParamRole::Primal && param.role != ParamRole::Shadow)
      continue;
    const Var &own = *primal.params[param.primalIndex];
    if (!own.templateType)
      continue;
    bool isAdjointShadow = param.role == ParamRole::Shadow && derivative.mode == DerivativeMode::Adjoint;
    param.var->templateType =
        isAdjointShadow ? shadowOf(own.templateType, own.type, param.var->type) : own.templateType;
  }
  bool isTangent = derivative.mode == DerivativeMode::Tangent;
  if (isTangent && primal.templateReturnType && !isVoid(primal.returnType)) {
    bool isDual = !sameType(function.returnType, primal.returnType);
    std::string spelled = spell(returnTypeOf(primal));
    function.templateReturnType = opaqueType(isDual ? "gpuad::dual<" + spelled + ">" : spelled);
  }
}

} // namespace gpuad::transform
