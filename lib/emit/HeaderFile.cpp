//===- HeaderFile.cpp -----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/HeaderFile.h"

#include "emit/Instances.h"
#include "emit/Launcher.h"
#include "emit/Section.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace gpuad::emit {

using namespace ir;
using llvm::StringRef;

static std::string fileName(const std::string &path) {
  return llvm::sys::path::filename(path).str();
}

static std::string includeGuard(const std::string &path) {
  std::string guard = "GPUAD_" + StringRef(fileName(path)).upper();
  for (char &c : guard)
    if (!llvm::isAlnum(c))
      c = '_';
  return guard;
}

/// A function that another file can link with: what is inline stands in each file that has
/// a use for it.
static bool isForOthers(const Emitted &one) {
  return !one.isInternal && !hasInternalLinkage(one.function()) && !one.function().isInline;
}

namespace {
/// What the types of parameters need: includes, and declarations of the file's own types.
class Preamble {
public:
  explicit Preamble(const Module &module) : module(module) {}

  /// False: it names a type that is the file's own.
  bool add(const Emitted &one) {
    std::vector<TypeOrigin> needed = originsOf(one.function().returnType);
    for (const Var *param : one.function().params)
      llvm::append_range(needed, originsOf(shownType(one, *param)));
    for (const TypeOrigin &origin : needed)
      if (llvm::is_contained(origin.namespaces, ""))
        return false;
    for (const TypeOrigin &origin : needed)
      declare(origin);
    return true;
  }
  std::string print() {
    std::string text = includes.empty() ? "" : includes + "\n";
    for (const std::string &name : definedOnly)
      text += "// " + name + " is defined in " + fileName(module.path) + " alone: include this file after it.\n";
    std::string declared = declarations.finish();
    return text + (definedOnly.empty() ? "" : "\n") + (declared.empty() ? "" : declared + "\n");
  }

private:
  std::vector<TypeOrigin> originsOf(const Type &type) const {
    Type one = type;
    while (isPointer(one) || isReference(one) || isArray(one))
      one = elementOf(one);
    auto origins = module.typeOrigins.find(one->spelling);
    return origins == module.typeOrigins.end() ? std::vector<TypeOrigin>() : origins->second;
  }
  void declare(const TypeOrigin &origin) {
    if (llvm::is_contained(done, origin))
      return;
    done.push_back(origin);
    if (!origin.include.empty())
      includes += origin.include + "\n";
    else if (origin.declaration.empty())
      definedOnly.push_back(origin.name);
    else
      declarations.add(origin.namespaces, origin.declaration + "\n", false);
  }

  const Module &module;
  std::vector<TypeOrigin> done;
  std::string includes;
  std::vector<std::string> definedOnly;
  Section declarations;
};
} // namespace

/// The shadows of variables: another file reaches them where devices are linked.
static std::string printShadows(const std::vector<Derivative> &derivatives) {
  Section section;
  std::vector<const Var *> done;
  for (const Derivative &derivative : derivatives)
    for (auto [global, shadow] : derivative.globals)
      if (!shadow->isInternal && !llvm::is_contained(done, shadow)) {
        done.push_back(shadow);
        section.add(shadow->namespaces, "extern __device__ " + declare(shadow->type, shadow->name) + ";\n", false);
      }
  std::string text = section.finish();
  return text.empty() ? "" : "#ifdef __CUDACC_RDC__\n" + text + "#endif\n\n";
}

/// Of a template only the launcher, and what it is there for.
static std::string printForOthers(const Emitted &one) {
  if (!one.isTemplate)
    return printPrototype(one, false) + (hasLauncher(one) ? printLauncherPrototype(one, false) : "");
  std::string made;
  for (const Derivative *instance : one.instances)
    made += (made.empty() ? "" : ", ") + instance->primal->templateArguments;
  return "// For " + made + ".\n" + printLauncherPrototype(one, false);
}

std::string printHeader(const Module &module, std::vector<Derivative> &derivatives, const std::string &headerPath) {
  std::string guard = includeGuard(headerPath);
  std::string text = "// The derivatives that gpuad-translate made from " + fileName(module.path) + ".\n#ifndef " +
                     guard + "\n#define " + guard + "\n\n" + RuntimeInclude + "\n";
  Section section;
  Preamble preamble(module);
  for (const Emitted &one : groupInstances(derivatives)) {
    if (!isForOthers(one) || (one.isTemplate && !hasLauncher(one)))
      continue;
    if (preamble.add(one))
      section.add(one.namespaces, printForOthers(one), false);
  }
  return text + preamble.print() + printShadows(derivatives) + section.finish() + "\n#endif // " + guard + "\n";
}

} // namespace gpuad::emit
