//===- PrivateAccess.cpp --------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/PrivateAccess.h"

#include "ir/Walk.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

namespace gpuad::emit {

using namespace ir;

/// All private fields, so that the text is the same in every file that has the class.
static std::string specialize(const RecordInfo &record) {
  std::string guard = "GPUAD_ACCESS_" + record.qualifiedName;
  for (char &c : guard)
    if (!llvm::isAlnum(c))
      c = '_';
  const std::string &name = record.qualifiedName;
  std::string text = "#ifndef " + guard + "\n#define " + guard + "\ntemplate <> struct gpuad::access<" + name + "> {\n";
  for (const Field &field : record.fields)
    if (field.throughFriend) {
      std::string body = " object) { return object." + field.name + "; }\n";
      text += "  __host__ __device__ static auto& " + field.name + "(" + name + "&" + body;
      text += "  __host__ __device__ static const auto& " + field.name + "(const " + name + "&" + body;
    }
  return text + "};\n#endif\n";
}

std::string openPrivateMembers(std::vector<Derivative> &derivatives) {
  std::map<std::string, std::string> specializations; // by class
  auto open = [&](const Expr &e) -> Expr {
    auto *member = llvm::dyn_cast<MemberExpr>(e.get());
    if (!member || !isRecord(member->base->type))
      return e;
    const RecordInfo &record = *member->base->type->record;
    if (!record.fields[member->field].throughFriend)
      return e;
    std::string &text = specializations[record.qualifiedName];
    if (text.empty())
      text = specialize(record);
    auto made = std::make_shared<MemberExpr>(*member);
    made->accessor = "gpuad::access<" + record.qualifiedName + ">::" + member->name;
    return made;
  };
  for (Derivative &derivative : derivatives)
    derivative.function->body =
        rewriteHeldExprs(derivative.function->body, [&](const Expr &held) { return rewriteExpr(held, open); });
  std::string all;
  for (const auto &[name, text] : specializations)
    all += text;
  return all;
}

} // namespace gpuad::emit
