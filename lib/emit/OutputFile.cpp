//===- OutputFile.cpp -----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/OutputFile.h"

#include "emit/BoundedKernel.h"
#include "emit/BuildChecks.h"
#include "emit/CudaPrinter.h"
#include "emit/Instances.h"
#include "emit/Launcher.h"
#include "emit/MacroGuard.h"
#include "emit/Placement.h"
#include "emit/PrivateAccess.h"
#include "emit/Section.h"
#include "emit/SourceScopes.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <map>
#include <set>
#include <tuple>

namespace gpuad::emit {

using namespace ir;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Insertions
//===----------------------------------------------------------------------===//

static std::string prototypes(const Emitted &one) {
  return printPrototype(one, true) + (hasLauncher(one) ? printLauncherPrototype(one, true) : "");
}

/// Where the declarations of a derivative may follow its primal, or the class around it; none
/// when its place is inside something else, in a header, or not known. Arguments of a class
/// template may be declared anywhere behind it.
static std::optional<size_t> placeOfPrototypes(const Module &module, const Emitted &one) {
  const Function &primal = *one.derivative().primal;
  auto first = module.firstDeclarations.find(&primal);
  const SourceRange &range = first == module.firstDeclarations.end() ? primal.range : first->second;
  size_t end = size_t(range.offset) + range.length;
  if (!primal.inMainFile || range.length == 0 || end > module.text.size())
    return std::nullopt;
  std::optional<std::vector<std::string>> around = namespacesAround(module.text, end);
  if (!around && !primal.className.empty() && !primal.isTemplateInstance) {
    end = endOfClassAround(module.text, end).value_or(end);
    around = namespacesAround(module.text, end);
  }
  bool fits = around && (*around == one.namespaces || around->empty());
  return fits ? std::optional<size_t>(placeAfter(module.text, end)) : std::nullopt;
}

/// "GPUAD_SHADOW __device__ float coef_bar[8];"
static std::string printShadow(const Var &shadow) {
  std::string before = shadow.isInternal ? "GPUAD_STATIC_SHADOW " : "GPUAD_SHADOW ";
  std::string unused = shadow.isInternal ? "[[maybe_unused]] " : "";
  return unused + before + "__device__ " + declare(shadow.type, shadow.name) + ";\n";
}

/// Where the shadow of a variable may be defined: behind the variable, unless that is in
/// a header or inside something.
static std::optional<size_t> placeOfShadow(const Module &module, const Var &global, const Var &shadow) {
  const SourceRange &range = global.declaration;
  if (!range.isValid() || *range.file != module.path)
    return std::nullopt;
  size_t end = size_t(range.offset) + range.length;
  int depth = 0;
  while (end < module.text.size() && !(module.text[end] == ';' && depth == 0)) {
    depth += StringRef("{[(").contains(module.text[end]) - StringRef("}])").contains(module.text[end]);
    ++end;
  }
  if (end >= module.text.size() || namespacesAround(module.text, end + 1) != shadow.namespaces)
    return std::nullopt;
  return placeAfter(module.text, end + 1);
}

namespace {
/// What is declared at one place.
struct Declared {
  std::vector<const Var *> shadows;
  std::vector<const Emitted *> functions;
};
} // namespace

static Insertion declarationsAt(const Module &module, size_t offset, const Declared &declared) {
  std::vector<std::string> around = namespacesAround(module.text, offset).value_or(std::vector<std::string>());
  Section section;
  auto inside = [&](const std::vector<std::string> &in) { return around == in ? std::vector<std::string>() : in; };
  for (const Var *shadow : declared.shadows)
    section.add(inside(shadow->namespaces), printShadow(*shadow), false);
  for (const Emitted *one : declared.functions)
    section.add(inside(one->namespaces), prototypes(*one), false);
  bool atLineStart = offset == 0 || module.text[offset - 1] == '\n';
  return {offset, (atLineStart ? "\n" : "\n\n") + section.finish() + (atLineStart ? "" : "\n")};
}

static std::string title(const Module &module) {
  std::string line = "// ---- derivatives ";
  return line + std::string(120 - line.size(), '-') + "\n// Made by gpuad-translate from " +
         llvm::sys::path::filename(module.path).str() + ".\nGPUAD_GENERATED_BEGIN\n";
}

/// Functions that call private methods: friends, where a class says GPUAD_FRIEND.
static std::string printMethodAccess(const Module &module, const std::vector<Emitted> &all) {
  std::map<std::string, FunctionKind> methods;
  for (const Emitted &one : all)
    for (const Derivative *instance : one.instances)
      methods.insert(instance->openedMethods.begin(), instance->openedMethods.end());
  if (methods.empty())
    return {};
  std::string space = internalNamespace(module.path);
  std::string text = "namespace " + space +
                     " {\nstruct methods;\nusing opened = gpuad::access<methods>;\n} // namespace " + space +
                     "\ntemplate <> struct gpuad::access<" + space + "::methods> {\n";
  for (const auto &[method, kind] : methods) {
    const char *where = kind == FunctionKind::HostDevice ? "__host__ __device__ "
                        : kind == FunctionKind::Host     ? ""
                                                         : "__device__ ";
    text += "  template <class T, class... A> " + std::string(where) + "static decltype(auto) call_" + method +
            "(T&& object, A&&... rest) {\n    return object." + method + "(static_cast<A&&>(rest)...);\n  }\n";
  }
  return text + "};\n\n";
}

/// Helpers that call each other in a circle: some are called before they are defined.
static std::vector<const Emitted *> calledBeforeDefined(const std::vector<Emitted> &all) {
  std::vector<const Emitted *> found;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].isInternal)
      continue;
    std::string name = llvm::join(all[i].namespaces, "::") + "::" + all[i].function().name;
    bool isEarly = false;
    for (size_t k = 0; k < i; ++k)
      forEachExprIn(all[k].function().body, [&](const Expr &e) {
        auto *call = llvm::dyn_cast<CallExpr>(e.get());
        isEarly |= call && call->callee.spelling == name;
      });
    if (isEarly)
      found.push_back(&all[i]);
  }
  return found;
}

/// The section at the end of the file.
static std::string printSection(const Module &module, const std::vector<Emitted> &all, const Declared &undeclared,
                                const std::string &checks, bool forOthers) {
  std::string text = title(module) + checks + "\n" + printMethodAccess(module, all);
  Section early;
  for (const Var *shadow : undeclared.shadows)
    early.add(shadow->namespaces, printShadow(*shadow), false);
  for (const Emitted *one : undeclared.functions)
    early.add(one->namespaces, prototypes(*one), false);
  if (std::string declared = early.finish(); !declared.empty())
    text += declared + "\n";
  Section section;
  for (const Emitted &one : all)
    if (one.function().kind != FunctionKind::Host)
      section.add(one.namespaces, hasBoundedKernel(one) ? printBothKernels(one) : printDefinition(one), true);
  for (const Emitted &one : all)
    if (hasLauncher(one))
      section.add(one.namespaces, printLauncher(one), true);
  for (const Emitted &one : all)
    if (one.function().kind == FunctionKind::Host)
      section.add(one.namespaces, printDefinition(one), true);
  for (const Emitted &one : all)
    if (forOthers && one.isTemplate && hasLauncher(one) && !hasInternalLinkage(one.function()))
      section.add(one.namespaces, printLauncherInstances(one), true);
  return text + section.finish() + "GPUAD_GENERATED_END\n";
}

/// Macros of the directives in front of the include that rewrite names of the standard library: those that are no
/// setting, which nobody writes in small letters.
static std::set<std::string> namesDefinedBefore(StringRef directives) {
  std::set<std::string> names;
  StringRef line;
  while (!directives.empty()) {
    std::tie(line, directives) = directives.split('\n');
    line = line.ltrim();
    if (!line.consume_front("#"))
      continue;
    line = line.ltrim();
    if (!line.consume_front("define"))
      continue;
    StringRef name = line.ltrim().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (!name.starts_with("_") && llvm::any_of(name, llvm::isLower))
      names.insert(name.str());
  }
  return names;
}

static Insertion includeInsertion(const Module &module) {
  size_t offset = std::min<size_t>(module.includeOffset, module.text.size());
  if (StringRef(module.text).starts_with("\xef\xbb\xbf"))
    offset = std::max<size_t>(offset, 3); // a byte order mark must stay first
  bool atLineStart = offset == 0 || module.text[offset - 1] == '\n' || module.text[offset - 1] == '\xbf';
  MacroGuard guard = hideMacros(namesDefinedBefore(StringRef(module.text).take_front(offset)));
  return {offset, (atLineStart ? "" : "\n") + guard.before + RuntimeInclude + guard.after};
}

/// Each once, in the order of the variables, without those that an earlier translation
/// has defined.
static std::vector<std::pair<const Var *, const Var *>> shadowsToDefine(const Module &module,
                                                                        const std::vector<Derivative> &derivatives) {
  std::vector<std::pair<const Var *, const Var *>> found;
  for (const std::unique_ptr<Var> &global : module.globals)
    for (const Derivative &derivative : derivatives)
      for (const auto &pair : derivative.globals)
        if (pair.first == global.get() && !pair.second->isGenerated && !llvm::is_contained(found, pair))
          found.push_back(pair);
  return found;
}

static bool uses(const Emitted &one, const Var *shadow) {
  return llvm::any_of(one.instances, [&](const Derivative *instance) {
    return llvm::any_of(instance->globals, [&](const auto &pair) { return pair.second == shadow; });
  });
}

std::vector<Insertion> planInsertions(const Module &module, std::vector<Derivative> &derivatives,
                                      const std::string &architecture, bool forOthers) {
  if (derivatives.empty())
    return {};
  std::string checks = printBuildChecks(module, derivatives, architecture) + openPrivateMembers(derivatives);
  MacroGuard guard = guardAgainstMacros(module, derivatives);
  std::vector<Emitted> all = placeDerivatives(module, derivatives);
  std::map<size_t, Declared> afterPrimals;
  Declared undeclared;
  for (const Emitted *one : calledBeforeDefined(all))
    undeclared.functions.push_back(one);
  for (const Emitted &one : all) {
    if (one.isInternal)
      continue;
    if (std::optional<size_t> place = placeOfPrototypes(module, one))
      afterPrimals[*place].functions.push_back(&one);
    else
      undeclared.functions.push_back(&one);
  }
  // Shadows of a header's variables stand before the first derivative that uses them.
  auto firstUse = [&](const Var *shadow) -> Declared & {
    for (auto &[offset, declared] : afterPrimals)
      if (llvm::any_of(declared.functions, [&](const Emitted *one) { return uses(*one, shadow); }))
        return declared;
    return undeclared;
  };
  for (auto [global, shadow] : shadowsToDefine(module, derivatives)) {
    if (std::optional<size_t> place = placeOfShadow(module, *global, *shadow))
      afterPrimals[*place].shadows.push_back(shadow);
    else
      firstUse(shadow).shadows.push_back(shadow);
  }
  // The include comes first in the file: no primal stands before it.
  std::vector<Insertion> insertions{includeInsertion(module)};
  for (const auto &[offset, declared] : afterPrimals)
    insertions.push_back(declarationsAt(module, offset, declared));
  std::string section = printSection(module, all, undeclared, checks + guard.before, forOthers) + guard.after;
  bool endsLine = module.text.empty() || module.text.back() == '\n';
  insertions.push_back({module.text.size(), (endsLine ? "\n" : "\n\n") + section});
  return insertions;
}

std::string applyInsertions(const std::string &original, const std::vector<Insertion> &insertions) {
  size_t firstEnd = original.find('\n');
  bool usesCrLf = firstEnd != std::string::npos && firstEnd > 0 && original[firstEnd - 1] == '\r';
  std::string text;
  size_t done = 0;
  for (const Insertion &insertion : insertions) {
    text += original.substr(done, insertion.offset - done);
    for (char c : insertion.text)
      text += c == '\n' && usesCrLf ? std::string("\r\n") : std::string(1, c);
    done = insertion.offset;
  }
  return text + original.substr(done);
}

//===----------------------------------------------------------------------===//
// Other outputs
//===----------------------------------------------------------------------===//

/// Whether the printed body may stand for the text at bodyRange.
static bool canPrintInPlace(const Module &module, const Function &function) {
  const SourceRange &range = function.bodyRange;
  size_t end = size_t(range.offset) + range.length;
  if (!function.body || !function.inMainFile || function.isTemplateInstance || range.length < 2 ||
      end > module.text.size())
    return false;
  // What host and device see is two bodies, and the IR has one.
  if (function.bodiesDiffer && function.kind == FunctionKind::HostDevice)
    return false;
  return module.text[range.offset] == '{' && module.text[end - 1] == '}';
}

static unsigned indentOfLine(StringRef text, size_t offset) {
  size_t end = text.take_front(offset).rfind('\n');
  StringRef line = text.substr(end == StringRef::npos ? 0 : end + 1);
  return unsigned(line.size() - line.ltrim(' ').size());
}

std::string printRoundTrip(const Module &module) {
  std::vector<const Function *> functions;
  for (const std::unique_ptr<Function> &function : module.functions)
    if (canPrintInPlace(module, *function))
      functions.push_back(function.get());
  llvm::sort(functions, [](const Function *a, const Function *b) { return a->bodyRange.offset < b->bodyRange.offset; });
  std::string text;
  size_t done = 0;
  for (const Function *function : functions) {
    const SourceRange &range = function->bodyRange;
    if (range.offset < done)
      continue; // inside another one
    PrintOptions options;
    options.indent = indentOfLine(module.text, range.offset);
    options.pragmas = true;
    Stmt body = rewriteHeldExprs(function->body, [&](const Expr &held) {
      return rewriteExpr(held, [&](const Expr &e) -> Expr {
        auto *ref = llvm::dyn_cast<RefExpr>(e.get());
        Expr qualified = ref ? spellGlobal(*ref, function->namespaces) : nullptr;
        return qualified ? qualified : e;
      });
    });
    text += module.text.substr(done, range.offset - done) + printBody(body, function->returnType, options);
    done = size_t(range.offset) + range.length;
  }
  return text + module.text.substr(done);
}

} // namespace gpuad::emit
