//===- TangentCall.cpp - calls of tangents -------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/TangentBuilder.h"

namespace gpuad::transform {
using namespace ir;

/// The tangent that the user wrote. The pattern becomes that of its signature.
std::string TangentBuilder::writtenTangentFor(const CallExpr &call, ActivePattern &pattern) {
  const Function &callee = *call.callee.function;
  const WrittenDerivative &written = callee.writtenTangent;
  if (!written.function) {
    refuse(diag::Id::NoBody, call.range, callee.qualifiedName());
    return callee.name;
  }
  for (size_t i = 0; i < pattern.params.size(); ++i)
    if (pattern.params[i] && !written.shadowed[i])
      refuse(diag::Id::WrittenDerivative, call.range, written.function->name, callee.qualifiedName(),
             "a derivative flows through '" + callee.params[i]->name + "' here, which has no shadow in it");
  if (!pattern.globals.empty())
    refuse(diag::Id::WrittenDerivative, call.range, written.function->name, callee.qualifiedName(),
           "a derivative flows through '" + (*pattern.globals.begin())->name + "' here, which has no shadow in it");
  pattern.params = written.shadowed;
  return written.function->qualifiedName();
}

/// The tangent of an argument that has none: zero, a variable that nobody reads, or null where memory of the caller
/// has none.
Expr TangentBuilder::noTangent(const Type &type, const Expr &argument) {
  Var *root = isReference(type) ? nullptr : rootVar(argument);
  bool isOwn = root && isPointer(type) && root->storage == Storage::Local && !root->isStaticLocal &&
               !isPointer(root->type) && !isReference(root->type);
  if (!isReference(type) && !isOwn)
    return zeroValue(type);
  Var *unused = owner.makeVar("unused_dot", withConst(isOwn ? root->type : elementOf(type), false));
  emit(makeDecl(unused, zeroOf(unused->type)));
  if (!isOwn)
    return makeRef(unused);
  return rewriteExpr(argument, [&](const Expr &e) {
    auto *ref = llvm::dyn_cast<RefExpr>(e.get());
    return ref && ref->var == root ? makeRef(unused) : e;
  });
}

/// A parameter by value is a variable of the callee's, to which it may assign what is active: it has a tangent then,
/// whatever is passed.
void TangentBuilder::addAssigned(const Function &callee, ActivePattern &pattern) {
  const analysis::CallFlow &flow = flows.of(callee);
  for (size_t from = 0; from < flow.flows.size(); ++from) {
    bool isActive = from < flow.numParams() ? pattern.params[from]
                                            : pattern.globals.count(flow.globals[from - flow.numParams()]) != 0;
    for (int to : isActive ? flow.flows[from] : std::set<int>()) {
      bool isValue = to >= 0 && static_cast<size_t>(to) < flow.numParams() && holdsFloating(callee.params[to]->type) &&
                     !isReference(callee.params[to]->type) && !isPointer(callee.params[to]->type);
      if (isValue)
        pattern.params[to] = true;
    }
  }
}

/// A value in place of what the callee may write to: a forwarded argument.
static bool isTemporaryFor(const Var &param, const Expr &arg) {
  if (!isReference(param.type) || elementOf(param.type)->isConst)
    return false;
  switch (arg->kind) {
  case ExprKind::Binary:
  case ExprKind::Init:
  case ExprKind::Lit:
  case ExprKind::Unary:
    return true;
  case ExprKind::Call:
    return !llvm::cast<CallExpr>(arg.get())->callee.returnsReference;
  case ExprKind::Cast:
    return isScalar(arg->type);
  default:
    return false;
  }
}

/// const float&: its tangent may be a value.
static bool isConstNumber(const Type &type) {
  return isReference(type) && elementOf(type)->isConst && isFloating(elementOf(type));
}

/// The argument in a variable of that name, with its tangent.
Expr TangentBuilder::heldArgument(const Var &param, const Expr &arg, bool hasTangent) {
  Var *held = owner.makeVar(param.name, withConst(elementOf(param.type), false));
  Expr value = hasTangent && isActiveOwn(arg) ? splitter.split(arg, true) : arg;
  emit(makeDecl(held, value));
  if (!hasTangent)
    return makeRef(held);
  Var *tangent = owner.makeVar(held->name + "_dot", held->type);
  emit(makeDecl(tangent, dotOrZero(value, makeRef(held))));
  dotOf[held] = tangent;
  return makeRef(held);
}

namespace {
/// Whether a function may write to memory that is not its own.
class Writes {
public:
  bool any(const Function &function) {
    if (!function.body || !seen.insert(&function).second)
      return !function.body;
    bool found = false;
    forEachStmt(function.body, [&](const Stmt &s) {
      auto *assign = llvm::dyn_cast<AssignStmt>(s.get());
      found |= (assign && !isOwn(assign->place)) || s->kind == StmtKind::Accum || s->kind == StmtKind::Text;
    });
    forEachExprIn(function.body, [&](const Expr &e) {
      auto *call = llvm::dyn_cast<CallExpr>(e.get());
      found |= e->kind == ExprKind::Text || (call && (!call->callee.function || any(*call->callee.function)));
    });
    return found;
  }

private:
  static bool isOwn(const Expr &place) {
    Var *root = rootVar(place);
    return root && root->storage == Storage::Local && !isReference(root->type) && !isPointer(root->type) &&
           !analysis::holdsPointers(root->type);
  }
  OrderedSet<const Function> seen;
};
} // namespace

bool mayWrite(const Function &function) {
  return Writes().any(function);
}

/// f(a, b) -> f_tangent(a, a_dot, b). Scalars that are active for the callee and have
/// no tangent here get zero.
Expr TangentBuilder::tangentCall(const CallExpr &call, bool wantsResult) {
  const Function &callee = *call.callee.function;
  ActivePattern pattern;
  pattern.result = wantsResult && (holdsFloating(callee.returnType) || isView(callee.returnType));
  for (size_t i = 0; i < callee.params.size(); ++i)
    pattern.params.push_back(
        i < call.args.size() && isActiveOwn(call.args[i]) &&
        (reachesFloating(stripReference(callee.params[i]->type)) || isStackOfAdjoint(callee, *callee.params[i])));
  pattern.globals = globalsOf(call);
  Callee target;
  if (callee.writtenTangent.function || !callee.body) {
    target.name = target.spelling = writtenTangentFor(call, pattern);
  } else {
    addAssigned(callee, pattern);
    target.name = target.spelling = nameCallee(callee, pattern);
  }
  std::vector<Expr> args;
  for (size_t i = 0; i < callee.params.size() && i < call.args.size(); ++i) {
    Expr arg = call.args[i];
    if (isTemporaryFor(*callee.params[i], arg))
      arg = heldArgument(*callee.params[i], arg, pattern.params[i]);
    if (pattern.params[i] && holdsFloating(arg->type) && !rootVar(stripImplicit(arg)))
      arg = splitter.split(arg, false); // its tangent is written as well
    args.push_back(arg);
    target.parameterTypes.push_back(callee.params[i]->type);
    if (!pattern.params[i])
      continue;
    const Type &type = callee.params[i]->type;
    target.parameterTypes.push_back(type);
    if (!isActiveOwn(arg)) // a function that is written by hand takes its tangent all the same
      args.push_back(noTangent(type, arg));
    else if (isPointer(arg->type) || isArray(arg->type))
      args.push_back(dotPointer(arg));
    else if (isStackOfAdjoint(callee, *callee.params[i]))
      args.push_back(dotPlace(arg));
    else if (isReference(type) && rootVar(stripImplicit(arg)) && !isConstNumber(type))
      args.push_back(dotReference(stripImplicit(arg)));
    else
      args.push_back(dotOrZero(arg, nullptr));
  }
  Type type = withConst(stripReference(callee.returnType), false);
  if (pattern.result && isReference(callee.returnType))
    refuse(diag::Id::NotInForward, call.range, "the reference that this call returns");
  if (pattern.result)
    type = dualType(type);
  return makeCall(target, args, type, call.range);
}

bool isStackOfAdjoint(const Function &function, const Var &param) {
  return function.isGenerated && spell(param.type) == "gpuad::stack";
}

bool isRecordOfAdjoint(const Function &function, const Var &param) {
  return function.isGenerated && function.isKernel() && spell(param.type) == "gpuad::record_view";
}

std::string plainName(const Function &function) {
  std::string name = function.name;
  if (name.rfind("operator", 0) == 0)
    name = "call";
  for (char &c : name)
    if (!isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}

Type dualType(const Type &value) {
  auto record = std::make_shared<RecordInfo>();
  record->qualifiedName = "gpuad::dual<" + spell(value) + ">";
  record->fields = {Field{"value", value, true}, Field{"tangent", value, true}};
  return recordType(record, record->qualifiedName);
}

} // namespace gpuad::transform
