//===- LowerCall.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls and kernel launches.
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"
#include "frontend/LibraryFunctions.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;
using clang::isa_and_present;

/// Explicitly written template arguments, as they were resolved.
static std::string writtenArguments(const clang::FunctionDecl &declaration, const clang::Expr *named,
                                    const clang::PrintingPolicy &policy) {
  const clang::TemplateArgumentList *resolved = declaration.getTemplateSpecializationArgs();
  unsigned written = 0;
  named = named ? named->IgnoreParenImpCasts() : nullptr;
  if (auto *reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(named))
    written = reference->getNumTemplateArgs();
  else if (auto *member = llvm::dyn_cast_or_null<clang::MemberExpr>(named))
    written = member->getNumTemplateArgs();
  if (!resolved || written == 0)
    return "";
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::ArrayRef<clang::TemplateArgument> arguments = resolved->asArray();
  const clang::FunctionTemplateDecl *primary = declaration.getPrimaryTemplate();
  clang::printTemplateArgumentList(stream, arguments.take_front(std::min<size_t>(written, arguments.size())), policy,
                                   primary ? primary->getTemplateParameters() : nullptr);
  return text;
}

/// A friend that is declared in its class alone: only its arguments lead to it.
static bool isHiddenFriend(const clang::FunctionDecl &declaration) {
  const clang::FunctionTemplateDecl *primary = declaration.getPrimaryTemplate();
  const clang::FunctionDecl &written = primary ? *primary->getTemplatedDecl() : declaration;
  return llvm::all_of(written.redecls(), [](const clang::FunctionDecl *one) {
    return one->getLexicalDeclContext()->isRecord() && !one->getDeclContext()->isRecord();
  });
}

/// How to name a function at the end of the file. Internal namespaces of libraries
/// are not for users to spell: there, what the user wrote is right.
static std::string calleeSpelling(const clang::FunctionDecl &declaration, const clang::Expr *named,
                                  const std::string &qualified, const clang::PrintingPolicy &policy) {
  if (isa<clang::CXXMethodDecl>(declaration) && !clang::cast<clang::CXXMethodDecl>(declaration).isStatic())
    return declaration.getNameAsString();
  if (isHiddenFriend(declaration))
    return declaration.getNameAsString();
  if (qualified.find("__") == std::string::npos ||
      declaration.getDeclContext()->getRedeclContext()->isTranslationUnit())
    return qualified;
  auto *reference = named ? dyn_cast<clang::DeclRefExpr>(named->IgnoreParenImpCasts()) : nullptr;
  std::string text;
  if (reference && reference->getQualifier()) {
    llvm::raw_string_ostream stream(text);
    reference->getQualifier().print(stream, policy);
  }
  return text + declaration.getNameAsString();
}

/// A static method of a library, called on an object: its class may have no name for
/// users to spell, so it stays a call on that object.
bool FunctionLowering::isCalledOnObject(const clang::CXXMethodDecl &method, const clang::Expr *named) const {
  return method.isStatic() && isa_and_present<clang::MemberExpr>(named ? named->IgnoreParenImpCasts() : nullptr) &&
         pass.sources.inSystemHeader(method.getLocation());
}

Callee FunctionLowering::makeCallee(const clang::FunctionDecl &declaration, const clang::Expr *named) {
  Callee callee;
  callee.name = pass.qualifiedName(declaration);
  callee.function = pass.functionFor(&declaration);
  if (auto *constructor = dyn_cast<clang::CXXConstructorDecl>(&declaration)) {
    callee.spelling = pass.types.spell(pass.context.getCanonicalTagType(constructor->getParent()));
  } else {
    callee.spelling = calleeSpelling(declaration, named, callee.name, pass.types.policy());
    // The name of a method does not say which instance of a class template it belongs to.
    if (auto *method = dyn_cast<clang::CXXMethodDecl>(&declaration);
        method && method->isStatic() && isa<clang::ClassTemplateSpecializationDecl>(method->getParent()))
      callee.spelling = pass.types.spell(pass.context.getCanonicalTagType(method->getParent())) +
                        "::" + declaration.getNameAsString();
    if (auto *method = dyn_cast<clang::CXXMethodDecl>(&declaration);
        method && (method->isInstance() || isCalledOnObject(*method, named))) {
      callee.isMethod = true;
      callee.spelling = declaration.getNameAsString();
      bool isKnown = callee.function && !callee.function->params.empty();
      callee.parameterTypes.push_back(isKnown
                                          ? callee.function->params[0]->type
                                          : referenceTo(pass.types.lower(method->getFunctionObjectParameterType())));
    }
  }
  callee.templateArguments = writtenArguments(declaration, named, pass.types.policy());
  if (auto *method = dyn_cast<clang::CXXMethodDecl>(&declaration); method && method->getAccess() != clang::AS_public) {
    callee.isAccessible = false;
    callee.isOpen = isFriend(*method->getParent()) && !isa<clang::CXXConstructorDecl>(method) && method->isInstance();
  }
  callee.returnsReference = declaration.getReturnType()->isReferenceType();
  for (const clang::ParmVarDecl *parameter : declaration.parameters())
    callee.parameterTypes.push_back(pass.types.lower(parameter->getType()));
  return callee;
}

/// Callees that are the language rather than a function.
Expr FunctionLowering::lowerSpecialCall(const clang::CallExpr &e, const clang::FunctionDecl &callee) {
  if (callee.getBuiltinID() == clang::Builtin::BI__builtin_expect && e.getNumArgs() == 2)
    return Visit(e.getArg(0));
  bool isCast = callee.getBuiltinID() == clang::Builtin::BImove || callee.getBuiltinID() == clang::Builtin::BIforward;
  isCast |= isReferenceCast(callee);
  if (isCast && e.getNumArgs() == 1)
    return Visit(e.getArg(0));
  if (auto *constructed = dyn_cast<clang::CXXConversionDecl>(&callee)) {
    // A conversion operator is called by converting.
    auto *member = dyn_cast<clang::CXXMemberCallExpr>(&e);
    const clang::Expr *object = member ? member->getImplicitObjectArgument() : nullptr;
    Type target = pass.types.lowerValue(constructed->getConversionType());
    if (!object)
      return textOf(&e);
    Type source = pass.types.lowerValue(object->getType());
    if (pass.functionFor(constructed))
      return nullptr; // a method like others
    if (constructed->getConversionType()->isReferenceType())
      return textOf(&e);
    bool areClosed = source->kind == TypeKind::Opaque && target->kind == TypeKind::Opaque;
    if ((isScalar(source) && isScalar(target)) || areClosed) // half and bfloat16; a group seen as another one
      return makeCast(CastStyle::Implicit, Visit(object), target, rangeOf(&e));
    if (threadBuiltin(object)) // blockDim as a dim3
      return makeText(verbatim(object), {}, target, rangeOf(&e));
  }
  if (Expr chosen = lowerListCall(e, callee))
    return chosen;
  auto *operation = dyn_cast<clang::CXXOperatorCallExpr>(&e);
  if (operation && operation->getOperator() == clang::OO_Subscript && isPointer(typeOf(operation->getArg(0)))) {
    std::vector<Expr> parts = operands({operation->getArg(0), operation->getArg(1)});
    return makeIndex(parts[0], parts[1], rangeOf(&e));
  }
  return operation ? lowerScalarOperator(*operation) : nullptr;
}

static std::optional<BinaryOp> overloadedOp(clang::OverloadedOperatorKind kind) {
  clang::BinaryOperatorKind op;
  switch (kind) {
  case clang::OO_Plus:
  case clang::OO_Minus:
  case clang::OO_Star:
  case clang::OO_Slash:
  case clang::OO_EqualEqual:
  case clang::OO_ExclaimEqual:
  case clang::OO_Less:
  case clang::OO_LessEqual:
  case clang::OO_Greater:
  case clang::OO_GreaterEqual:
  case clang::OO_PlusEqual:
  case clang::OO_MinusEqual:
  case clang::OO_StarEqual:
  case clang::OO_SlashEqual:
    op = clang::BinaryOperator::getOverloadedOpcode(kind);
    return binaryOp(op);
  default:
    return std::nullopt;
  }
}

std::vector<const clang::Expr *> listedIn(const clang::CallExpr &e) {
  const clang::Expr *only = e.getNumArgs() == 1 ? e.getArg(0)->IgnoreImplicit() : nullptr;
  auto *made = llvm::dyn_cast_or_null<clang::CXXStdInitializerListExpr>(only);
  auto *list = made ? dyn_cast<clang::InitListExpr>(made->getSubExpr()->IgnoreImplicit()) : nullptr;
  return list ? std::vector<const clang::Expr *>(list->inits().begin(), list->inits().end())
              : std::vector<const clang::Expr *>();
}

/// max({a, b, c}) is max(max(a, b), c), where a rule knows the function of two numbers.
Expr FunctionLowering::lowerListCall(const clang::CallExpr &e, const clang::FunctionDecl &declaration) {
  std::vector<const clang::Expr *> listed = listedIn(e);
  Type type = typeOf(&e);
  if (listed.size() < 2 || !isScalar(type))
    return nullptr;
  Callee callee = makeCallee(declaration, e.getCallee());
  Type number = referenceTo(withConst(type, true));
  callee.parameterTypes = {number, number};
  callee.function = nullptr;
  if (!pass.hasRule(callee))
    return nullptr;
  std::vector<Expr> numbers = operands(listed);
  Expr made = convert(numbers[0], type);
  for (const Expr &next : llvm::drop_begin(numbers))
    made = makeCall(callee, {made, convert(next, type)}, type, rangeOf(&e));
  return made;
}

static bool isPairOfHalves(const Type &type) {
  return isRecord(type) && type->record->isVector && type->record->fields.size() == 2 &&
         isFloating(type->record->fields[0].type) && type->record->fields[0].type->bits == 16;
}

/// The operators of half2 and bfloat162, which work number by number; null: it is none.
Expr FunctionLowering::lowerPairOperator(const clang::CXXOperatorCallExpr &e) {
  Type type = typeOf(&e);
  for (const clang::Expr *argument : e.arguments())
    if (!isPairOfHalves(typeOf(argument)))
      return nullptr;
  std::optional<BinaryOp> op = overloadedOp(e.getOperator());
  bool isNegation = e.getNumArgs() == 1 && e.getOperator() == clang::OO_Minus;
  if (!isPairOfHalves(type) || (!isNegation && (!op || e.getNumArgs() != 2)))
    return nullptr;
  std::vector<const clang::Expr *> written(e.arg_begin(), e.arg_end());
  std::vector<Expr> parts;
  if (e.isAssignmentOp()) { // the right side comes first
    parts = {nullptr, Visit(e.getArg(1))};
    parts[0] = Visit(e.getArg(0));
  } else {
    parts = operands(written);
  }
  for (Expr &part : parts)
    if (!rootVar(part))
      part = temporary(part, "pair", rangeOf(&e));
  std::vector<Expr> numbers;
  for (unsigned k = 0; k < 2; ++k) {
    const Type &number = type->record->fields[k].type;
    Expr first = makeMember(parts[0], k);
    numbers.push_back(isNegation ? makeUnary(UnaryOp::Neg, first, number)
                                 : makeBinary(*op, first, makeMember(parts[1], k), number));
  }
  Expr value = makeInit(std::move(numbers), type, true, rangeOf(&e));
  if (!e.isAssignmentOp())
    return value;
  emit(makeAssign(parts[0], std::move(value), rangeOf(&e)));
  return parts[0];
}

/// The operators of half and bfloat16 are functions of CUDA's headers; here these
/// types are scalars like others.
Expr FunctionLowering::lowerScalarOperator(const clang::CXXOperatorCallExpr &e) {
  if (Expr pair = lowerPairOperator(e))
    return pair;
  for (const clang::Expr *argument : e.arguments())
    if (!isFloating(typeOf(argument)))
      return nullptr;
  Type type = typeOf(&e);
  std::optional<BinaryOp> op = overloadedOp(e.getOperator());
  if (e.getNumArgs() == 1 && (e.getOperator() == clang::OO_Minus || e.getOperator() == clang::OO_Plus))
    return makeUnary(e.getOperator() == clang::OO_Minus ? UnaryOp::Neg : UnaryOp::Plus, Visit(e.getArg(0)), type,
                     rangeOf(&e));
  if (!op || e.getNumArgs() != 2)
    return nullptr;
  if (!e.isAssignmentOp()) {
    std::vector<Expr> parts = operands({e.getArg(0), e.getArg(1)});
    return makeBinary(*op, parts[0], parts[1], type, rangeOf(&e));
  }
  Expr operand = Visit(e.getArg(1));
  Expr place = Visit(e.getArg(0));
  emit(makeAssign(place, makeBinary(*op, place, operand, type, rangeOf(&e)), rangeOf(&e)));
  return place;
}

/// The object of a call as of the class that the method takes, which is not the base
/// class that declares the method where that is made for its derived class.
static Expr asObject(const Expr &object, const Type &type) {
  auto *cast = llvm::dyn_cast<ir::CastExpr>(object.get());
  if (!cast || cast->style != CastStyle::Implicit || !isRecord(cast->type) || sameType(cast->type, type))
    return object;
  return sameType(cast->operand->type, type) ? cast->operand
                                             : makeCast(CastStyle::Implicit, cast->operand, type, object->range);
}

/// Methods that no function at the end of the file can call, or has to choose.
static bool isOutOfReach(const clang::CXXMethodDecl &method) {
  const clang::CXXRecordDecl &parent = *method.getParent();
  return method.isVirtual() || parent.isLambda() || (parent.isLocalClass() && !method.isTrivial());
}

/// An object without a name of which derivatives take a reference that is not const.
static bool isChangedTemporary(const clang::Expr &object, const clang::CXXMethodDecl &method) {
  return method.isInstance() && !method.isConst() && object.IgnoreImplicit()->isPRValue();
}

Expr FunctionLowering::lowerCall(const clang::CallExpr *e, bool standsAlone, bool isUsed) {
  if (auto *launch = dyn_cast<clang::CUDAKernelCallExpr>(e)) {
    lowerLaunch(*launch);
    return zeroOf(intType());
  }
  const clang::FunctionDecl *declaration = e->getDirectCallee();
  if (!declaration || isa<clang::UserDefinedLiteral>(e))
    return declaration ? foldedNumber(e) : textOf(e);
  if (Expr made = inlineTaker(*e))
    return made;
  if (auto *method = dyn_cast<clang::CXXMethodDecl>(declaration); method && isOutOfReach(*method)) {
    Expr made = inlineClosure(*e);
    return made ? made : textOf(e);
  }
  if (Expr constant = namedConstant(e))
    return constant;
  clang::Expr::EvalResult known; // factorial(4)
  if (declaration->isConstexpr() && e->getType()->isIntegerType() && !e->isValueDependent() &&
      e->EvaluateAsInt(known, pass.context))
    return foldedConstant(e);
  if (Expr number = libraryNumber(*e, *declaration))
    return number;
  if (Expr special = lowerSpecialCall(*e, *declaration))
    return special;
  if (Expr element = lowerTupleCall(*e, *declaration))
    return element;
  if (standsAlone && lowerCopy(*e, *declaration))
    return zeroOf(intType());

  std::vector<const clang::Expr *> written;
  auto *member = dyn_cast<clang::CXXMemberCallExpr>(e);
  auto *method = dyn_cast<clang::CXXMethodDecl>(declaration);
  bool throughPointer = false;
  if (member && method && method->isInstance()) {
    written.push_back(member->getImplicitObjectArgument());
    throughPointer = written.back()->getType()->isPointerType();
  }
  if (method && isCalledOnObject(*method, e->getCallee())) {
    auto *access = clang::cast<clang::MemberExpr>(e->getCallee()->IgnoreParenImpCasts());
    written.push_back(access->getBase());
    throughPointer = access->isArrow();
  }
  unsigned object = written.size(), writtenArgs = 0;
  for (const clang::Expr *argument : e->arguments()) {
    writtenArgs += !isa<clang::CXXDefaultArgExpr>(argument);
    written.push_back(argument);
  }
  if (auto *operation = dyn_cast<clang::CXXOperatorCallExpr>(e); operation && method && method->isStatic())
    return textOf(e);
  // Of `a += b` b is evaluated first, whoever wrote the operator.
  auto *operation = dyn_cast<clang::CXXOperatorCallExpr>(e);
  bool isRightFirst = operation && operation->isAssignmentOp() && written.size() == 2;
  if (isRightFirst)
    std::swap(written[0], written[1]);
  std::vector<Expr> args = operands(written);
  if (isRightFirst)
    std::swap(args[0], args[1]);
  if (throughPointer)
    args[0] = makeDeref(args[0]);
  else if (object && isChangedTemporary(*written[0], *method) && pass.functionFor(method))
    args[0] = temporary(args[0], "object", rangeOf(written[0]));
  Callee callee = makeCallee(*declaration, e->getCallee());
  if (callee.isMethod && callee.function && !callee.function->params.empty() && !args.empty())
    args[0] = asObject(args[0], stripReference(callee.function->params[0]->type));

  Type type = typeOf(e);
  if (isUsed && declaration->getReturnType()->isLValueReferenceType())
    if (Expr place = placeOfCall(*e, *declaration, callee, args))
      return place;
  auto call = std::make_shared<ir::CallExpr>(
      *llvm::cast<ir::CallExpr>(makeCall(std::move(callee), args, type, rangeOf(e)).get()));
  if (writtenArgs != e->getNumArgs())
    call->writtenArgs = writtenArgs + object;
  if (standsAlone || isVoid(type) || !pass.effects.callHasEffects(declaration))
    return call;
  std::string name = declaration->getIdentifier() ? declaration->getName().ltrim('_').str() + "_value" : "value";
  return keep(call, e, name);
}

/// A launch dimension given as a plain number is one; Clang wraps it in a dim3.
Expr FunctionLowering::launchDimension(const clang::Expr *e) {
  if (isa<clang::CXXDefaultArgExpr>(e))
    return nullptr;
  const clang::Expr *inner = e->IgnoreParenImpCasts();
  if (auto *temporary = dyn_cast<clang::MaterializeTemporaryExpr>(inner))
    inner = temporary->getSubExpr()->IgnoreParenImpCasts();
  if (auto *construct = dyn_cast<clang::CXXConstructExpr>(inner);
      construct && !isa<clang::CXXTemporaryObjectExpr>(construct) && construct->getNumArgs() == 3 &&
      isa<clang::CXXDefaultArgExpr>(construct->getArg(1)))
    return Visit(construct->getArg(0));
  return Visit(e);
}

void FunctionLowering::lowerLaunch(const clang::CUDAKernelCallExpr &e) {
  const clang::FunctionDecl *kernel = e.getDirectCallee();
  const clang::CallExpr *config = e.getConfig();
  // On the device, Clang puts the size and alignment of the parameters before what is written.
  unsigned first = pass.context.getLangOpts().CUDAIsDevice ? 2 : 0;
  if (!kernel || !config || config->getNumArgs() < first + 2)
    return emitText(&e, "a launch through a pointer");
  LaunchStmt launch;
  launch.range = rangeOf(&e);
  launch.callee = makeCallee(*kernel, e.getCallee());
  launch.grid = launchDimension(config->getArg(first));
  launch.block = launchDimension(config->getArg(first + 1));
  if (config->getNumArgs() > first + 2)
    launch.sharedBytes = launchDimension(config->getArg(first + 2));
  if (config->getNumArgs() > first + 3)
    launch.stream = launchDimension(config->getArg(first + 3));
  if (launch.stream) // as it was written, not as the runtime's void pointer
    launch.stream = stripImplicit(launch.stream);
  std::vector<const clang::Expr *> written(e.arg_begin(), e.arg_end());
  launch.args = operands(written);
  emit(std::make_shared<const LaunchStmt>(std::move(launch)));
}

} // namespace gpuad::frontend
