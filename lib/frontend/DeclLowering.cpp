//===- DeclLowering.cpp ----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/DeclLowering.h"

#include "frontend/FunctionLowering.h"
#include "frontend/LibraryFunctions.h"
#include "frontend/TemplateLowering.h"
#include "ir/Dump.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Lexer.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

DeclLowering::DeclLowering(clang::ASTContext &context, clang::Preprocessor &preprocessor, DeclTable &table,
                           bool isDevice)
    : context(context), preprocessor(preprocessor), sources(preprocessor),
      types(context, sources, table.library.classNamed), effects(context, sources), pragmas(table.pragmas),
      table(table), isDevice(isDevice) {}

FunctionKind kindOf(const clang::FunctionDecl &declaration) {
  if (declaration.hasAttr<clang::CUDAGlobalAttr>())
    return FunctionKind::Kernel;
  bool device = declaration.hasAttr<clang::CUDADeviceAttr>();
  if (device && declaration.hasAttr<clang::CUDAHostAttr>())
    return FunctionKind::HostDevice;
  return device ? FunctionKind::Device : FunctionKind::Host;
}

std::string DeclLowering::qualifiedName(const clang::NamedDecl &declaration) const {
  if (declaration.getParentFunctionOrMethod()) {
    // Declared inside a function: only classes and enumerations of the function qualify it.
    std::string name = declaration.getNameAsString();
    for (const clang::DeclContext *scope = declaration.getDeclContext(); scope && !scope->isFunctionOrMethod();
         scope = scope->getParent())
      if (auto *named = dyn_cast<clang::NamedDecl>(scope))
        name = named->getNameAsString() + "::" + name;
    return name;
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  declaration.printQualifiedName(stream, types.policy());
  return types.withoutVersions(text);
}

/// The same for one function in both passes, and different for overloads and instances.
std::string DeclLowering::keyOf(const clang::FunctionDecl &declaration) const {
  std::string key = qualifiedName(declaration);
  llvm::raw_string_ostream stream(key);
  if (const clang::TemplateArgumentList *arguments = declaration.getTemplateSpecializationArgs())
    clang::printTemplateArgumentList(stream, arguments->asArray(), types.policy());
  stream << declaration.getType().getCanonicalType().getAsString(types.policy());
  // Functions with internal linkage of two headers are two functions.
  if (!declaration.isExternallyVisible() && !sources.inMainFile(declaration.getLocation()))
    stream << sources.range(declaration.getLocation()).offset;
  return key;
}

/// Bodies in headers of the system are not differentiated from their source, but for what moves numbers about.
bool DeclLowering::isClosed(const clang::FunctionDecl &declaration) {
  if (!sources.inSystemHeader(declaration.getLocation()))
    return false;
  auto [found, isNew] = closed.try_emplace(declaration.getCanonicalDecl(), true);
  if (!isNew || !isStandardUtility(declaration))
    return found->second;
  std::unique_ptr<Function> shell = makeShell(declaration);
  Callee callee;
  callee.name = qualifiedName(declaration);
  for (const Var *param : shell->params)
    callee.parameterTypes.push_back(param->type);
  bool isOpen = mayMoveNumbers(*shell) && hasOpenTypes(declaration, types) && !table.library.hasRule(callee);
  return closed[declaration.getCanonicalDecl()] = !isOpen;
}

bool DeclLowering::wanted(const clang::FunctionDecl &definition) {
  if (definition.isInvalidDecl() || definition.isDependentContext() || !definition.getBody() || isClosed(definition) ||
      isa<clang::CXXDestructorDecl>(definition))
    return false;
  if (auto *method = dyn_cast<clang::CXXMethodDecl>(&definition); method && method->getParent()->isLambda())
    return false;
  bool onDevice = kindOf(definition) != FunctionKind::Host;
  return isDevice ? onDevice : onDevice == (kindOf(definition) == FunctionKind::HostDevice);
}

Function *DeclLowering::functionFor(const clang::FunctionDecl *declaration) {
  const clang::FunctionDecl *canonical = declaration->getCanonicalDecl();
  auto found = known.find(canonical);
  if (found != known.end())
    return found->second;
  const clang::FunctionDecl *definition = declaration->getDefinition();
  const clang::FunctionDecl *shown = definition ? definition : declaration;
  // A default constructor that nobody wrote sets the members that have initializers.
  auto *constructor = dyn_cast<clang::CXXConstructorDecl>(shown);
  bool isSynthesized = shown->isImplicit() || shown->isDefaulted();
  if (constructor && constructor->isDefaultConstructor() && !constructor->isTrivial())
    isSynthesized = false;
  if (shown->getBuiltinID() || isClosed(*shown) || isSynthesized || isa<clang::CXXDestructorDecl>(shown))
    return known[canonical] = nullptr;
  if (auto *method = dyn_cast<clang::CXXMethodDecl>(shown); method && method->getParent()->isLambda())
    return known[canonical] = nullptr;
  Function *&function = table.functions[keyOf(*shown)];
  if (!function) {
    table.module.functions.push_back(makeShell(*shown));
    function = table.module.functions.back().get();
  }
  Function *made = known[canonical] = function;
  if (definition && wanted(*definition) && queued.insert(definition).second)
    queue.push_back(definition);
  return made;
}

void DeclLowering::drain() {
  while (!queue.empty()) {
    const clang::FunctionDecl *definition = queue.front();
    queue.pop_front();
    lowerBody(*definition);
  }
  closeUnknown();
}

/// A function of a library of which anything is not understood is one of which nothing is known: what a message would
/// show of its inside helps nobody.
void DeclLowering::closeUnknown() {
  for (bool changes = true; changes;) {
    changes = false;
    for (Function *function : utilities)
      if (function->body && holdsUnknown(*function, table.library.hasRule)) {
        function->body = nullptr;
        changes = true;
      }
  }
}

void DeclLowering::lowerBody(const clang::FunctionDecl &definition) {
  Function &function = *functionFor(&definition);
  if (function.body)
    return compareBodies(function, definition);
  if (isa<clang::CXXConstructorDecl>(definition) && !isRecord(function.returnType))
    return;
  FunctionLowering(*this, function).lower(definition);
  if (!sources.inSystemHeader(definition.getLocation()))
    return;
  utilities.push_back(&function);
  tidyNames(function, [&](llvm::StringRef name) { return context.Idents.get(name).isKeyword(context.getLangOpts()); });
}

/// A function of both sides was lowered in the device pass; if its text depends on
/// the pass, the host's body is another one.
void DeclLowering::compareBodies(Function &device, const clang::FunctionDecl &definition) {
  if (device.kind != FunctionKind::HostDevice || isa<clang::CXXConstructorDecl>(definition))
    return;
  std::unique_ptr<Function> host = makeShell(definition);
  FunctionLowering(*this, *host).lower(definition);
  device.bodiesDiffer = dump(device.body) != dump(host->body);
}

/// The object of a method: of a class template that its only user derives from
/// (`struct wave : expression<wave>`), it is an object of that class.
static clang::QualType objectType(const clang::CXXMethodDecl &method, const clang::ASTContext &context) {
  clang::QualType written = method.getFunctionObjectParameterType();
  auto *instance = dyn_cast<clang::ClassTemplateSpecializationDecl>(method.getParent());
  if (!instance)
    return written;
  for (const clang::TemplateArgument &argument : instance->getTemplateArgs().asArray()) {
    if (argument.getKind() != clang::TemplateArgument::Type)
      continue;
    const clang::CXXRecordDecl *derived = argument.getAsType()->getAsCXXRecordDecl();
    if (derived && derived->hasDefinition() && derived->isDerivedFrom(instance))
      return context.getQualifiedType(argument.getAsType(), written.getQualifiers());
  }
  return written;
}

std::unique_ptr<Function> DeclLowering::makeShell(const clang::FunctionDecl &declaration) {
  auto function = std::make_unique<Function>();
  function->name = declaration.getNameAsString();
  function->kind = kindOf(declaration);
  function->returnType = types.lower(declaration.getReturnType());
  function->isStatic = declaration.getStorageClass() == clang::SC_Static && !isa<clang::CXXMethodDecl>(declaration);
  function->isInline = declaration.isInlined();
  for (const clang::DeclContext *scope = declaration.getDeclContext(); scope; scope = scope->getParent()) {
    if (auto *space = dyn_cast<clang::NamespaceDecl>(scope)) {
      if (!space->isInline())
        function->namespaces.insert(function->namespaces.begin(), space->getNameAsString());
    } else if (auto *record = dyn_cast<clang::CXXRecordDecl>(scope)) {
      std::string name = record->getNameAsString();
      if (auto *instance = dyn_cast<clang::ClassTemplateSpecializationDecl>(record)) {
        llvm::raw_string_ostream stream(name);
        clang::printTemplateArgumentList(stream, instance->getTemplateArgs().asArray(), types.policy());
        function->isTemplateInstance = true;
      }
      function->className = name + (function->className.empty() ? "" : "::" + function->className);
    }
  }
  auto *method = dyn_cast<clang::CXXMethodDecl>(&declaration);
  if (isa<clang::CXXConstructorDecl>(declaration)) {
    function->returnType = types.lower(context.getCanonicalTagType(method->getParent()));
  } else if (method && method->isInstance()) {
    Var *self = function->makeVar("self", referenceTo(types.lower(objectType(*method, context))), Storage::Parameter);
    self->isThis = true;
    function->params.push_back(self);
  }
  for (const clang::ParmVarDecl *parameter : declaration.parameters()) {
    std::string name = parameter->getNameAsString(); // those of a pack have one name
    unsigned alike = llvm::count_if(function->params, [&](const Var *other) { return other->name == name; });
    name += alike && !name.empty() ? "_" + std::to_string(function->params.size() + 1) : "";
    function->params.push_back(function->makeVar(name, types.lower(parameter->getType()), Storage::Parameter));
    function->params.back()->range = sources.range(parameter->getSourceRange());
  }
  setPlace(*function, declaration);
  setAttributes(*function, declaration);
  lowerTemplate(*function, declaration, types, sources);
  return function;
}

void DeclLowering::setPlace(Function &function, const clang::FunctionDecl &declaration) {
  clang::SourceRange whole = declaration.getSourceRange();
  const clang::FunctionDecl *pattern = declaration.getTemplateInstantiationPattern();
  const clang::FunctionDecl &written = pattern ? *pattern : declaration;
  if (pattern)
    whole = pattern->getSourceRange();
  if (const clang::FunctionTemplateDecl *primary = written.getDescribedFunctionTemplate())
    whole.setBegin(primary->getBeginLoc());
  function.range = sources.range(whole);
  function.nameRange = sources.range(clang::SourceRange(written.getLocation()));
  function.inMainFile = sources.inMainFile(written.getLocation());
  // Everything from the first section on was made by an earlier translation.
  size_t section = table.module.text.find("\n// Made by gpuad-translate from ");
  if (function.inMainFile && section != std::string::npos && function.range.isValid())
    function.isGenerated = function.range.offset > section;
  const clang::FunctionDecl &first = *written.getFirstDecl();
  if (&first != &written && sources.inMainFile(first.getLocation()) && first.getLexicalDeclContext()->isFileContext()) {
    clang::SourceRange declared = first.getSourceRange();
    if (const clang::FunctionTemplateDecl *primary = first.getDescribedFunctionTemplate())
      declared.setBegin(primary->getBeginLoc());
    table.module.firstDeclarations[&function] = sources.range(declared);
  }
  const clang::Stmt *body = written.doesThisDeclarationHaveABody() ? written.getBody() : nullptr;
  if (body && body->getBeginLoc().isFileID() && body->getEndLoc().isFileID())
    function.bodyRange = sources.range(body->getSourceRange());
  if (isa<clang::CXXConstructorDecl>(declaration))
    function.bodyRange = SourceRange(); // its body is not what was lowered
}

void DeclLowering::setAttributes(Function &function, const clang::FunctionDecl &declaration) const {
  auto add = [&](const std::string &text) {
    if (function.attributes.find(text) == std::string::npos)
      function.attributes += (function.attributes.empty() ? "" : " ") + text;
  };
  for (const clang::Attr *attribute : declaration.attrs()) {
    if (auto *annotation = dyn_cast<clang::AnnotateAttr>(attribute)) {
      llvm::StringRef text = annotation->getAnnotation();
      if (text == "gpuad:generated")
        function.isGenerated = true;
      else if (text.consume_front("gpuad:"))
        function.requests.push_back(text.str());
      continue;
    }
    bool kept = isa<clang::CUDALaunchBoundsAttr, clang::AlwaysInlineAttr, clang::NoInlineAttr>(attribute);
    if (!kept || attribute->isImplicit())
      continue;
    std::optional<std::string> text = sources.expansionText(attribute->getRange());
    if (text && llvm::StringRef(*text).starts_with("__"))
      add(*text);
  }
}

static void makeConstant(Var &var, const clang::VarDecl &declaration) {
  var.storage = Storage::ConstexprGlobal;
  if (!isInteger(var.type) || declaration.getType()->isDependentType())
    return;
  if (const clang::APValue *value = declaration.evaluateValue();
      value && value->isInt() && value->getInt().isRepresentableByInt64())
    var.constant = value->getInt().getExtValue();
}

Var *DeclLowering::globalFor(const clang::VarDecl *declaration) {
  std::string key = qualifiedName(*declaration);
  // The name alone does not say of which instance of a class template it is a member.
  std::string instance;
  if (auto *record = dyn_cast<clang::ClassTemplateSpecializationDecl>(declaration->getDeclContext())) {
    llvm::raw_string_ostream stream(instance);
    clang::printTemplateArgumentList(stream, record->getTemplateArgs().asArray(), types.policy());
  }
  std::string arguments;
  if (auto *specialized = dyn_cast<clang::VarTemplateSpecializationDecl>(declaration)) {
    llvm::raw_string_ostream stream(arguments);
    clang::printTemplateArgumentList(stream, specialized->getTemplateArgs().asArray(), types.policy());
  }
  Var *&var = table.globals[key + instance + arguments];
  if (var)
    return var;
  auto made = std::make_unique<Var>();
  made->name = declaration->getNameAsString();
  made->templateArguments = std::move(arguments);
  made->type = types.lowerDeclared(*declaration);
  made->range = sources.range(declaration->getLocation());
  made->declaration = sources.range(declaration->getSourceRange());
  made->isInternal = !declaration->isExternallyVisible();
  made->isMember = declaration->isStaticDataMember();
  made->isReachable = isReachable(*declaration);
  for (auto *annotation : declaration->specific_attrs<clang::AnnotateAttr>())
    made->isGenerated |= annotation->getAnnotation() == "gpuad:generated";
  made->storage = Storage::HostGlobal;
  if (declaration->isConstexpr() ||
      (declaration->getType().isConstQualified() && declaration->hasInit() &&
       declaration->getType()->isArithmeticType() && !declaration->hasAttr<clang::CUDAConstantAttr>() &&
       !declaration->hasAttr<clang::CUDADeviceAttr>()))
    makeConstant(*made, *declaration);
  else if (declaration->hasAttr<clang::CUDASharedAttr>())
    made->storage = declaration->hasExternalStorage() ? Storage::DynamicShared : Storage::Shared;
  else if (declaration->hasAttr<clang::CUDAConstantAttr>())
    made->storage = Storage::Constant;
  else if (declaration->hasAttr<clang::CUDADeviceAttr>() || declaration->hasAttr<clang::HIPManagedAttr>())
    made->storage = Storage::DeviceGlobal;
  for (const clang::DeclContext *scope = declaration->getDeclContext(); scope; scope = scope->getParent()) {
    if (auto *space = dyn_cast<clang::NamespaceDecl>(scope); space && !space->isInline())
      made->namespaces.insert(made->namespaces.begin(), space->getNameAsString());
    else if (auto *record = dyn_cast<clang::CXXRecordDecl>(scope))
      made->namespaces.insert(made->namespaces.begin(),
                              record->getNameAsString() + (record == declaration->getDeclContext() ? instance : ""));
  }
  table.module.globals.push_back(std::move(made));
  return var = table.module.globals.back().get();
}

/// Kernels that stand in headers are needed when host code launches them. The device
/// pass has their bodies, and sees the launches without lowering them.
void DeclLowering::lowerLaunched(const clang::Stmt *statement) {
  if (!statement)
    return;
  if (auto *reference = dyn_cast<clang::DeclRefExpr>(statement)) {
    if (auto *function = dyn_cast<clang::FunctionDecl>(reference->getDecl())) {
      const clang::FunctionDecl *definition = function->getDefinition();
      if (!definition || sources.inSystemHeader(definition->getLocation()))
        return;
      if (kindOf(*definition) == FunctionKind::Kernel)
        functionFor(definition);
      else if (kindOf(*definition) == FunctionKind::Host && searched.insert(definition).second)
        lowerLaunched(definition->getBody());
    }
    return;
  }
  if (auto *member = dyn_cast<clang::MemberExpr>(statement))
    if (auto *method = dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl()))
      if (const clang::FunctionDecl *definition = method->getDefinition();
          definition && !sources.inSystemHeader(definition->getLocation()) && searched.insert(definition).second)
        lowerLaunched(definition->getBody());
  for (const clang::Stmt *child : statement->children())
    lowerLaunched(child);
}

void DeclLowering::lowerNamed(const clang::Decl *declaration, const llvm::StringSet<> &names) {
  onlyNames = &names;
  lowerTopLevel(declaration);
  onlyNames = nullptr;
}

/// Nothing calls it, and it is needed all the same.
static bool isWrittenDerivative(const clang::FunctionDecl &function) {
  return llvm::any_of(function.specific_attrs<clang::AnnotateAttr>(), [](const clang::AnnotateAttr *annotation) {
    return annotation->getAnnotation().starts_with("gpuad:derivative-of:");
  });
}

void DeclLowering::lowerTopLevel(const clang::Decl *declaration) {
  if (auto *scope = dyn_cast<clang::NamespaceDecl>(declaration)) {
    for (const clang::Decl *inner : scope->decls())
      lowerTopLevel(inner);
  } else if (auto *linkage = dyn_cast<clang::LinkageSpecDecl>(declaration)) {
    for (const clang::Decl *inner : linkage->decls())
      lowerTopLevel(inner);
  } else if (auto *functionTemplate = dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
    if (functionTemplate->isThisDeclarationADefinition())
      for (const clang::FunctionDecl *instance : functionTemplate->specializations())
        lowerTopLevel(instance);
    if (!isDevice && !onlyNames && functionTemplate->isThisDeclarationADefinition() &&
        functionTemplate->specializations().empty()) {
      UnusedTemplate unused{qualifiedName(*functionTemplate), sources.range(functionTemplate->getLocation()), false};
      for (auto *annotation : functionTemplate->getTemplatedDecl()->specific_attrs<clang::AnnotateAttr>()) {
        unused.isRequested |= annotation->getAnnotation().starts_with("gpuad:adjoint:") ||
                              annotation->getAnnotation().starts_with("gpuad:tangent:");
        unused.isGenerated |= annotation->getAnnotation() == "gpuad:generated";
      }
      table.module.unusedTemplates.push_back(std::move(unused));
    }
  } else if (auto *classTemplate = dyn_cast<clang::ClassTemplateDecl>(declaration)) {
    for (const clang::ClassTemplateSpecializationDecl *instance : classTemplate->specializations())
      if (!instance->isExplicitSpecialization())
        lowerTopLevel(instance);
  } else if (auto *record = dyn_cast<clang::CXXRecordDecl>(declaration)) {
    if (record->isCompleteDefinition() && !record->isDependentContext())
      for (const clang::Decl *inner : record->decls())
        lowerTopLevel(inner);
  } else if (auto *function = dyn_cast<clang::FunctionDecl>(declaration)) {
    const clang::FunctionDecl *definition = function->getDefinition();
    bool isNamed = !onlyNames || (function->getIdentifier() && onlyNames->contains(function->getName()));
    if (!isNamed && !isWrittenDerivative(*function))
      return;
    if (isDevice && definition == function && kindOf(*function) == FunctionKind::Host)
      lowerLaunched(definition->getBody());
    if (definition && wanted(*definition) && (definition == function || definition->isTemplateInstantiation()))
      functionFor(definition);
    else if (!definition && !function->isDependentContext() && function->hasAttr<clang::AnnotateAttr>())
      functionFor(function);
    drain();
  } else if (auto *variable = dyn_cast<clang::VarDecl>(declaration);
             variable && (!onlyNames || onlyNames->contains(variable->getName()))) {
    if (variable->hasAttr<clang::CUDAConstantAttr>() || variable->hasAttr<clang::CUDADeviceAttr>())
      globalFor(variable);
  }
}

} // namespace gpuad::frontend
