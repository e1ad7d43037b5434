//===- MovedShadows.cpp --------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/MovedShadows.h"

#include "ir/Builder.h"
#include "transform/NameOperands.h"

namespace gpuad::transform {
using namespace ir;

uint64_t bytesOf(const Type &type) {
  if (isArray(type))
    return type->extent ? *type->extent * bytesOf(elementOf(type)) : 0;
  if (!isRecord(type))
    return isPointer(type) ? 8 : isScalar(type) ? (type->bits + 7) / 8 : 0;
  uint64_t bytes = 0;
  for (const Field &field : type->record->fields)
    bytes += bytesOf(field.type);
  return bytes;
}

static Expr callOf(const char *name, const std::string &argument, std::vector<Expr> args, Type type) {
  Callee callee;
  callee.name = callee.spelling = name;
  callee.templateArguments = argument.empty() ? "" : "<" + argument + ">";
  return makeCall(callee, std::move(args), std::move(type));
}

Expr roomFor(const std::vector<Type> &arrays) {
  Expr sum;
  for (const Type &array : arrays) {
    Expr one = callOf("gpuad::room_for", spell(array), {}, unsignedType());
    sum = sum ? makeBinary(BinaryOp::Add, sum, one, unsignedType()) : one;
  }
  return sum ? sum : makeLit("0", int64_t(0), unsignedType());
}

Expr shadowInDynamic(const Type &array, Var *sharedBytes, const std::vector<Type> &before) {
  return callOf("gpuad::shadow_in_dynamic", spell(array), {makeRef(sharedBytes), roomFor(before)}, array);
}

Stmt returnUnlessRoom(const std::string &kernel, Var *sharedBytes, const std::vector<Type> &moved) {
  Expr name = makeLit("\"" + kernel + "\"", std::monostate{}, pointerTo(opaqueType("const char")));
  std::vector<Expr> args{makeRef(sharedBytes), name};
  if (!moved.empty())
    args.push_back(roomFor(moved));
  return makeIf(logicalNot(callOf("gpuad::enough_shared", "", std::move(args), boolType())), makeBlock({makeReturn()}));
}

} // namespace gpuad::transform
