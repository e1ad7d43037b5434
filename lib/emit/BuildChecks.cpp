//===- BuildChecks.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/BuildChecks.h"

#include "emit/Names.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuad::emit {

using namespace ir;
using llvm::StringRef;

namespace {
/// The text that derivatives were made from, its directives apart.
struct ReadText {
  std::set<std::string> names;         ///< in code
  std::vector<std::string> conditions; ///< of #if, #ifdef, #elif inside
};
} // namespace

static void collectCallees(const Function &function, OrderedSet<const Function> &seen) {
  if (!seen.insert(&function).second || !function.body)
    return;
  forEachExprIn(function.body, [&](const Expr &e) {
    if (auto *call = llvm::dyn_cast<CallExpr>(e.get()); call && call->callee.function)
      collectCallees(*call->callee.function, seen);
  });
}

static void readLines(StringRef text, ReadText &read) {
  std::string code;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    StringRef directive = line.ltrim();
    if (!directive.consume_front("#")) {
      code += line.str() + "\n";
      continue;
    }
    directive = directive.ltrim();
    if (directive.starts_with("if") || directive.starts_with("elif"))
      read.conditions.push_back(directive.str());
    else if (directive.starts_with("pragma"))
      code += directive.str() + "\n";
  }
  for (std::string &name : identifiersIn(code))
    read.names.insert(std::move(name));
}

static ReadText readPrimals(const Module &module, const std::vector<Derivative> &derivatives) {
  OrderedSet<const Function> functions;
  for (const Derivative &derivative : derivatives)
    collectCallees(*derivative.primal, functions);
  ReadText read;
  for (const std::unique_ptr<Function> &function : module.functions) {
    size_t begin = function->range.offset, end = begin + function->range.length;
    if (functions.count(function.get()) && function->inMainFile && end <= module.text.size())
      readLines(StringRef(module.text).slice(begin, end), read);
  }
  return read;
}

/// Whether the file itself gives the macro a value only where the command line does not.
static bool isOverridable(StringRef text, StringRef name) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    StringRef directive = line.ltrim();
    if (!directive.consume_front("#"))
      continue;
    std::vector<std::string> words = identifiersIn(directive);
    bool asks = !words.empty() && (words[0] == "ifndef" || (words[0] == "if" && directive.contains('!')));
    if (asks && llvm::is_contained(words, name))
      return true;
  }
  return false;
}

static bool isNumber(StringRef value) {
  value = value.trim("()- ");
  if (value.empty() || !(llvm::isDigit(value[0]) || value[0] == '.'))
    return false;
  return value.find_first_not_of("0123456789.abcdefABCDEFxXuUlLpP+-'") == StringRef::npos;
}

static bool isTypeName(StringRef value) {
  static const char *const Types[] = {"float", "double", "int", "unsigned", "long", "short", "char", "bool", "__half"};
  return llvm::is_contained(Types, value);
}

/// Stops a build in which `name` does not stand for `value`.
static std::string checkValue(const std::string &name, const std::string &value) {
  std::string message = "gpuad-translate read this file with " + name + " = " + (value.empty() ? "nothing" : value) +
                        "; translate it with the macros of this build";
  std::string text = "#ifndef " + name + "\n#error \"" + message + "\"\n#endif\n";
  if (isNumber(value))
    text += "static_assert((" + name + ") == (" + value + "), \"" + message + "\");\n";
  else if (isTypeName(value))
    text += "static_assert(std::is_same_v<" + name + ", " + value + ">, \"" + message + "\");\n";
  return text;
}

/// "__CUDA_ARCH__ >= 700" and its like in a condition, each with its truth here.
static void checkArchitecture(StringRef condition, unsigned arch, std::set<std::string> &checks) {
  static const char *const Operators[] = {">=", "<=", "==", "!=", ">", "<"};
  const StringRef name = "__CUDA_ARCH__";
  for (size_t at = condition.find(name); at != StringRef::npos; at = condition.find(name, at + 1)) {
    StringRef after = condition.substr(at + name.size()).ltrim();
    for (StringRef op : Operators) {
      if (!after.consume_front(op))
        continue;
      StringRef digits = after.ltrim().take_while([](char c) { return llvm::isDigit(c); });
      unsigned number = 0;
      if (!digits.getAsInteger(10, number)) {
        bool holds = op == ">="   ? arch >= number
                     : op == "<=" ? arch <= number
                     : op == "==" ? arch == number
                     : op == "!=" ? arch != number
                     : op == ">"  ? arch > number
                                  : arch < number;
        std::string test = "__CUDA_ARCH__ " + op.str() + " " + digits.str();
        checks.insert(holds ? "!(" + test + ")" : test);
      }
      break;
    }
  }
}

static std::string architectureChecks(const ReadText &read, const std::string &architecture) {
  unsigned arch = 0;
  if (StringRef(architecture).drop_until([](char c) { return llvm::isDigit(c); }).consumeInteger(10, arch) || !arch)
    return {};
  std::set<std::string> checks;
  for (const std::string &condition : read.conditions)
    checkArchitecture(condition, arch * 10, checks);
  std::string text;
  for (const std::string &check : checks)
    text += "#if defined(__CUDA_ARCH__) && " + check + "\n#error \"gpuad-translate read this file for " + architecture +
            "; translate it with --cuda-arch of this build\"\n#endif\n";
  return text;
}

std::string printBuildChecks(const Module &module, const std::vector<Derivative> &derivatives,
                             const std::string &architecture) {
  ReadText read = readPrimals(module, derivatives);
  std::set<std::string> asked;
  for (const std::string &condition : read.conditions)
    for (std::string &name : identifiersIn(condition))
      asked.insert(std::move(name));
  std::string text;
  for (const auto &[name, value] : module.macroValues) {
    bool isGiven = llvm::is_contained(module.commandLineMacros, name);
    bool isUsed = read.names.count(name) || asked.count(name);
    if (isUsed && (isGiven || isOverridable(module.text, name)))
      text += checkValue(name, value);
  }
  // A macro that was not there and would change the reading. Names that begin with an
  // underscore are the compiler's, and the compilers differ in them.
  for (const std::string &name : asked)
    if (name[0] != '_' && name != "NDEBUG" && name != "defined" && !StringRef(name).starts_with("if") &&
        !StringRef(name).starts_with("elif") && !llvm::is_contained(module.macroNames, name))
      text += "#ifdef " + name + "\n#error \"gpuad-translate read this file without " + name +
              "; translate it with the macros of this build\"\n#endif\n";
  return text + architectureChecks(read, architecture);
}

} // namespace gpuad::emit
