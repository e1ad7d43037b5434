//===- OutputFile.cpp -----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/OutputFile.h"

#include "emit/BuildChecks.h"
#include "emit/CudaPrinter.h"
#include "emit/MacroGuard.h"
#include "emit/Placement.h"
#include "emit/PrivateAccess.h"
#include "emit/SourceScopes.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <map>

namespace gpuad::emit {

using namespace ir;
using llvm::StringRef;

static const char *const RuntimeInclude = "#include <gpuad/runtime.cuh>\n";

static std::string fileName(const std::string &path) {
  return llvm::sys::path::filename(path).str();
}

//===----------------------------------------------------------------------===//
// Insertions
//===----------------------------------------------------------------------===//

namespace {
/// Functions that stand in one place, each namespace opened once for those that
/// follow each other in it.
class Section {
public:
  void add(const std::vector<std::string> &in, const std::string &piece, bool apart) {
    if (in != current || text.empty()) {
      close();
      if (!text.empty())
        text += "\n";
      text += openNamespaces(in);
      if (!in.empty() && apart)
        text += "\n";
      current = in;
      inner = apart;
    } else if (apart) {
      text += "\n";
    }
    text += piece;
  }
  std::string finish() {
    close();
    return text;
  }

private:
  void close() {
    if (text.empty() || current.empty())
      return;
    text += (inner ? "\n" : "") + closeNamespaces(current);
    current.clear();
  }
  std::string text;
  std::vector<std::string> current;
  bool inner = false;
};
} // namespace

static std::string prototypes(const Emitted &one) {
  return printPrototype(one) + (hasLauncher(one) ? printLauncherPrototype(one) : "");
}

/// Where the declarations of a derivative may follow its primal; none when its place
/// is inside something, in a header, or not known.
static std::optional<size_t> placeOfPrototypes(const Module &module, const Emitted &one) {
  const Function &primal = *one.derivative().primal;
  size_t end = size_t(primal.range.offset) + primal.range.length;
  if (!primal.inMainFile || primal.range.length == 0 || end > module.text.size())
    return std::nullopt;
  std::optional<std::vector<std::string>> around = namespacesAround(module.text, end);
  bool fits = around && (*around == one.namespaces || around->empty());
  return fits ? std::optional<size_t>(placeAfter(module.text, end)) : std::nullopt;
}

static Insertion prototypesAfter(const Module &module, size_t offset, const std::vector<const Emitted *> &functions) {
  std::vector<std::string> around = namespacesAround(module.text, offset).value_or(std::vector<std::string>());
  Section section;
  for (const Emitted *one : functions)
    section.add(around == one->namespaces ? std::vector<std::string>() : one->namespaces, prototypes(*one), false);
  bool atLineStart = offset == 0 || module.text[offset - 1] == '\n';
  return {offset, (atLineStart ? "\n" : "\n\n") + section.finish() + (atLineStart ? "" : "\n")};
}

static std::string title(const Module &module) {
  std::string line = "// ---- derivatives ";
  return line + std::string(120 - line.size(), '-') + "\n// Made by gpuad-translate from " + fileName(module.path) +
         ".\nGPUAD_GENERATED_BEGIN\n";
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
static std::string printSection(const Module &module, const std::vector<Emitted> &all,
                                const std::vector<const Emitted *> &undeclared, const std::string &checks) {
  std::string text = title(module) + checks + "\n" + printMethodAccess(module, all);
  Section early;
  for (const Emitted *one : undeclared)
    early.add(one->namespaces, prototypes(*one), false);
  if (std::string declared = early.finish(); !declared.empty())
    text += declared + "\n";
  Section section;
  for (const Emitted &one : all)
    if (one.function().kind != FunctionKind::Host)
      section.add(one.namespaces, printDefinition(one), true);
  for (const Emitted &one : all)
    if (hasLauncher(one))
      section.add(one.namespaces, printLauncher(one), true);
  for (const Emitted &one : all)
    if (one.function().kind == FunctionKind::Host)
      section.add(one.namespaces, printDefinition(one), true);
  return text + section.finish() + "GPUAD_GENERATED_END\n";
}

static Insertion includeInsertion(const Module &module) {
  size_t offset = std::min<size_t>(module.includeOffset, module.text.size());
  if (StringRef(module.text).starts_with("\xef\xbb\xbf"))
    offset = std::max<size_t>(offset, 3); // a byte order mark must stay first
  bool atLineStart = offset == 0 || module.text[offset - 1] == '\n' || module.text[offset - 1] == '\xbf';
  return {offset, (atLineStart ? "" : "\n") + std::string(RuntimeInclude)};
}

std::vector<Insertion> planInsertions(const Module &module, std::vector<Derivative> &derivatives,
                                      const std::string &architecture) {
  if (derivatives.empty())
    return {};
  std::string checks = printBuildChecks(module, derivatives, architecture) + openPrivateMembers(derivatives);
  MacroGuard guard = guardAgainstMacros(module, derivatives);
  std::vector<Emitted> all = placeDerivatives(module, derivatives);
  std::map<size_t, std::vector<const Emitted *>> afterPrimals;
  std::vector<const Emitted *> undeclared;
  for (const Emitted *one : calledBeforeDefined(all))
    undeclared.push_back(one);
  for (const Emitted &one : all) {
    if (one.isInternal)
      continue;
    if (std::optional<size_t> place = placeOfPrototypes(module, one))
      afterPrimals[*place].push_back(&one);
    else
      undeclared.push_back(&one);
  }
  // The include comes first in the file: no primal stands before it.
  std::vector<Insertion> insertions{includeInsertion(module)};
  for (const auto &[offset, functions] : afterPrimals)
    insertions.push_back(prototypesAfter(module, offset, functions));
  std::string section = printSection(module, all, undeclared, checks + guard.before) + guard.after;
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

static std::string includeGuard(const std::string &path) {
  std::string guard = "GPUAD_" + StringRef(fileName(path)).upper();
  for (char &c : guard)
    if (!llvm::isAlnum(c))
      c = '_';
  return guard;
}

std::string printHeader(const Module &module, const std::vector<Derivative> &derivatives,
                        const std::string &headerPath) {
  std::string guard = includeGuard(headerPath);
  std::string text = "// The derivatives that gpuad-translate made from " + fileName(module.path) +
                     ". Include it after the types that\n// their parameters name.\n#ifndef " + guard + "\n#define " +
                     guard + "\n\n" + RuntimeInclude + "\n";
  Section section;
  for (const Derivative &derivative : derivatives) {
    Emitted one;
    one.instances = {const_cast<Derivative *>(&derivative)};
    one.namespaces = derivative.function->namespaces;
    one.templateHeader = derivative.function->templateHeader;
    bool isReachable = derivative.isPublic && !derivative.function->isStatic && !llvm::is_contained(one.namespaces, "");
    if (isReachable)
      section.add(one.namespaces, prototypes(one), false);
  }
  return text + section.finish() + "\n#endif // " + guard + "\n";
}

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
    text += module.text.substr(done, range.offset - done) + printBody(function->body, function->returnType, options);
    done = size_t(range.offset) + range.length;
  }
  return text + module.text.substr(done);
}

} // namespace gpuad::emit
