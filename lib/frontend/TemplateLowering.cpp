//===- TemplateLowering.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/TemplateLowering.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

//===----------------------------------------------------------------------===//
// Parameters of templates
//===----------------------------------------------------------------------===//

static std::string defaultOf(const clang::NamedDecl &parameter, const SourceMap &sources) {
  clang::SourceRange range;
  if (auto *type = dyn_cast<clang::TemplateTypeParmDecl>(&parameter)) {
    if (type->hasDefaultArgument())
      range = type->getDefaultArgument().getSourceRange();
  } else if (auto *value = dyn_cast<clang::NonTypeTemplateParmDecl>(&parameter)) {
    if (value->hasDefaultArgument())
      range = value->getDefaultArgument().getSourceRange();
  } else if (auto *inner = dyn_cast<clang::TemplateTemplateParmDecl>(&parameter)) {
    if (inner->hasDefaultArgument())
      range = inner->getDefaultArgument().getSourceRange();
  }
  return range.isValid() ? sources.text(range).value_or("") : "";
}

static std::string textOf(const clang::NamedDecl &parameter, const std::string &name, const TypeLowering &types) {
  if (auto *type = dyn_cast<clang::TemplateTypeParmDecl>(&parameter))
    return std::string(type->wasDeclaredWithTypename() ? "typename " : "class ") + name;
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto *value = dyn_cast<clang::NonTypeTemplateParmDecl>(&parameter)) {
    value->getType().print(stream, types.policy(), name);
    return text;
  }
  clang::cast<clang::TemplateTemplateParmDecl>(parameter).getTemplateParameters()->print(
      stream, parameter.getASTContext(), types.policy());
  return llvm::StringRef(text).rtrim().str() + " class " + name;
}

static TemplateParameter lowerParameter(const clang::NamedDecl &parameter, unsigned number, const TypeLowering &types,
                                        const SourceMap &sources) {
  TemplateParameter made;
  made.kind = isa<clang::TemplateTypeParmDecl>(parameter)      ? TemplateParameter::Type
              : isa<clang::NonTypeTemplateParmDecl>(parameter) ? TemplateParameter::Value
                                                               : TemplateParameter::Template;
  made.name = parameter.getNameAsString();
  if (made.name.empty())
    made.name = "Arg" + std::to_string(number);
  made.isPack = parameter.isTemplateParameterPack();
  made.text = textOf(parameter, made.name, types);
  made.defaultArgument = defaultOf(parameter, sources);
  return made;
}

std::string templateHeader(const clang::TemplateDecl &declaration, const TypeLowering &types,
                           const SourceMap &sources) {
  std::string text;
  unsigned number = 0;
  for (const clang::NamedDecl *parameter : *declaration.getTemplateParameters()) {
    TemplateParameter lowered = lowerParameter(*parameter, ++number, types, sources);
    llvm::StringRef before = llvm::StringRef(lowered.text).drop_back(lowered.name.size()).rtrim();
    text += (text.empty() ? "" : ", ") + (lowered.isPack ? (before + "... " + lowered.name).str() : lowered.text);
    text += lowered.defaultArgument.empty() ? "" : " = " + lowered.defaultArgument;
  }
  return "template <" + text + ">";
}

//===----------------------------------------------------------------------===//
// Arguments that have no name
//===----------------------------------------------------------------------===//

namespace {
/// Looks for a type that cannot be written at the end of the file.
class UnnamedFinder : public clang::ConstDynamicRecursiveASTVisitor {
public:
  bool VisitRecordType(const clang::RecordType *type) override { return look(*type->getDecl()); }
  bool VisitEnumType(const clang::EnumType *type) override { return look(*type->getDecl()); }
  std::string found;

private:
  bool look(const clang::TagDecl &declaration) {
    auto *record = dyn_cast<clang::CXXRecordDecl>(&declaration);
    if (record && record->isLambda())
      found = "a lambda";
    else if (!declaration.getIdentifier() && !declaration.getTypedefNameForAnonDecl())
      found = "a type without a name";
    else if (declaration.getParentFunctionOrMethod())
      found = "'" + declaration.getNameAsString() + "', which is declared inside a function";
    if (auto *instance = dyn_cast<clang::ClassTemplateSpecializationDecl>(&declaration); instance && found.empty())
      for (const clang::TemplateArgument &argument : instance->getTemplateArgs().asArray())
        lookAt(argument);
    return found.empty();
  }

public:
  void lookAt(const clang::TemplateArgument &argument) {
    if (argument.getKind() == clang::TemplateArgument::Type)
      TraverseType(argument.getAsType().getCanonicalType());
    if (argument.getKind() == clang::TemplateArgument::Pack)
      for (const clang::TemplateArgument &inner : argument.pack_elements())
        lookAt(inner);
  }
};
} // namespace

static std::string whyUnnamed(llvm::ArrayRef<clang::TemplateArgument> arguments) {
  UnnamedFinder finder;
  for (const clang::TemplateArgument &argument : arguments)
    if (finder.found.empty())
      finder.lookAt(argument);
  return finder.found;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// A type over the parameters of the template; null where it is the type itself.
static Type overParameters(clang::QualType type, TypeLowering &types) {
  if (type.isNull() || !type->isDependentType())
    return nullptr;
  if (auto *reference = type->getAs<clang::RValueReferenceType>()) // T&&: lowered, it would be T&
    return opaqueType(types.spell(reference->getPointeeTypeAsWritten()) + "&&");
  return types.lower(type);
}

void lowerTemplate(Function &function, const clang::FunctionDecl &declaration, TypeLowering &types,
                   const SourceMap &sources) {
  const clang::TemplateArgumentList *arguments = declaration.getTemplateSpecializationArgs();
  const clang::FunctionTemplateDecl *primary = declaration.getPrimaryTemplate();
  if (!arguments || !primary)
    return;
  function.isTemplateInstance = true;
  llvm::raw_string_ostream stream(function.templateArguments);
  clang::printTemplateArgumentList(stream, arguments->asArray(), types.policy());
  // The parameters' names are those of the declaration that has the body.
  const clang::FunctionDecl *pattern = primary->getTemplatedDecl();
  if (const clang::FunctionDecl *definition = pattern->getDefinition())
    pattern = definition;
  if (const clang::FunctionTemplateDecl *described = pattern->getDescribedFunctionTemplate())
    primary = described;
  unsigned number = 0;
  for (const clang::NamedDecl *parameter : *primary->getTemplateParameters())
    function.templateParameters.push_back(lowerParameter(*parameter, ++number, types, sources));
  function.templateRange = sources.range(primary->getCanonicalDecl()->getLocation());
  function.cannotBeNamed = whyUnnamed(arguments->asArray());
  for (const TemplateParameter &parameter : function.templateParameters)
    if (parameter.isPack && function.cannotBeNamed.empty())
      function.cannotBeNamed = "the pack '" + parameter.name + "'";
  size_t first = function.params.size() - declaration.getNumParams(); // behind the object of a method
  for (unsigned i = 0; i < declaration.getNumParams() && i < pattern->getNumParams(); ++i)
    function.params[first + i]->templateType = overParameters(pattern->getParamDecl(i)->getType(), types);
  function.templateReturnType = overParameters(pattern->getReturnType(), types);
  if (!function.templateReturnType && pattern->getReturnType()->isUndeducedType())
    function.templateReturnType = opaqueType("auto");
}

} // namespace gpuad::frontend
