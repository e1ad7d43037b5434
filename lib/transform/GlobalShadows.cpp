//===- GlobalShadows.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/GlobalShadows.h"

#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

bool isDeviceGlobal(const Var *var) {
  return var && (var->storage == Storage::Constant || var->storage == Storage::DeviceGlobal) && !var->isStaticLocal;
}

std::string qualifiedNameOf(const Var &global) {
  std::string name = "::";
  for (const std::string &space : global.namespaces)
    if (!space.empty())
      name += space + "::";
  return name + global.name + global.templateArguments;
}

/// The same type, nothing of it const.
static Type mutableType(const Type &type) {
  if (!isArray(type))
    return withConst(type, false);
  return withConst(arrayOf(mutableType(elementOf(type)), type->extent, type->extentSpelling), false);
}

/// Why there can be no shadow; empty: there can.
static std::string whyNot(const Var &global, const Function &user) {
  if (!isDeviceGlobal(&global))
    return "a variable that is neither __device__ nor __constant__";
  if (!user.runsOnDevice()) // a managed one: its shadow is the device's alone
    return "a variable of the device in a host function";
  if (global.isMember)
    return "a static member of a class";
  if (!global.templateArguments.empty())
    return "an instance of a variable template";
  Type inner = innermost(global.type);
  if (inner->isVolatile)
    return "a volatile variable";
  if (isArray(global.type) && !global.type->extent)
    return "an array of unknown length";
  if (isRecord(inner) && !inner->record->emptyIsZero)
    return "a variable of a class whose objects do not start at zero";
  return isPointer(inner) || (isRecord(inner) && !holdsFloating(inner)) ? "a pointer at namespace scope" : "";
}

Var *GlobalShadows::shadowOf(Var *global, DerivativeMode mode, const Function &user, DiagnosticSink &sink) {
  Var *&shadow = known[{global, mode}];
  if (shadow && user.runsOnDevice())
    return shadow;
  const SourceRange &place = global->range.isValid() ? global->range : user.nameRange;
  bool isAdjoint = mode == DerivativeMode::Adjoint;
  if (std::string why = whyNot(*global, user); !why.empty()) {
    diag::report(sink, isAdjoint ? diag::Id::NotInReverse : diag::Id::NotInForward, place,
                 "'" + global->name + "', " + why + ", as active");
    return nullptr;
  }
  std::string name = global->name + (isAdjoint ? "_bar" : "_dot");
  for (const std::unique_ptr<Var> &other : module.globals)
    if (other->isGenerated && other->name == name && other->namespaces == global->namespaces)
      return shadow = other.get();
  bool isMacro = llvm::is_contained(module.macroNames, name);
  if (isMacro || llvm::is_contained(module.takenNames, name)) {
    diag::report(sink, diag::Id::NameClash, place, qualifiedNameOf(*global), name, isMacro ? "a macro" : "declared",
                 "rename it there");
    return nullptr;
  }
  auto made = std::make_unique<Var>();
  made->name = std::move(name);
  made->type = mutableType(global->type);
  made->storage = Storage::DeviceGlobal;
  made->namespaces = global->namespaces;
  made->isInternal = global->isInternal;
  made->alignment = global->alignment;
  module.globals.push_back(std::move(made));
  return shadow = module.globals.back().get();
}

} // namespace gpuad::transform
