//===- Names.cpp ----------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Names.h"

#include "ir/Walk.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

#include <map>

namespace gpuad::emit {

using namespace ir;

bool isKeyword(llvm::StringRef name) {
  static const llvm::StringSet<> Keywords = {
      "alignas",     "alignof",   "and",        "and_eq",    "asm",       "auto",         "bitand",
      "bitor",       "bool",      "break",      "case",      "catch",     "char",         "char16_t",
      "char32_t",    "char8_t",   "class",      "co_await",  "co_return", "co_yield",     "compl",
      "concept",     "const",     "const_cast", "consteval", "constexpr", "constinit",    "continue",
      "decltype",    "default",   "delete",     "do",        "double",    "dynamic_cast", "else",
      "enum",        "explicit",  "export",     "extern",    "false",     "float",        "for",
      "friend",      "goto",      "if",         "inline",    "int",       "long",         "mutable",
      "namespace",   "new",       "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
      "or",          "or_eq",     "private",    "protected", "public",    "register",     "reinterpret_cast",
      "requires",    "return",    "short",      "signed",    "sizeof",    "static",       "static_assert",
      "static_cast", "struct",    "switch",     "template",  "this",      "thread_local", "throw",
      "true",        "try",       "typedef",    "typeid",    "typename",  "union",        "unsigned",
      "using",       "virtual",   "void",       "volatile",  "wchar_t",   "while",        "xor",
      "xor_eq",      "threadIdx", "blockIdx",   "blockDim",  "gridDim",   "warpSize",     "gpuad"};
  return Keywords.contains(name);
}

NameTable::NameTable(const Module &module)
    : macros(module.macroNames.begin(), module.macroNames.end()),
      globals(module.takenNames.begin(), module.takenNames.end()) {}

static std::string numbered(const std::string &base, unsigned number) {
  return number == 1 ? base : base + "_" + std::to_string(number);
}

std::string NameTable::freshGlobal(const std::string &base) {
  for (unsigned number = 1;; ++number) {
    std::string name = numbered(base, number);
    if (!isForbidden(name) && globals.insert(name).second)
      return name;
  }
}

/// Where the literal or comment at `i` ends, or `i` when there is none.
static size_t skipIgnored(llvm::StringRef text, size_t i) {
  if (text.substr(i).starts_with("//"))
    return std::min(text.find('\n', i), text.size());
  if (text.substr(i).starts_with("/*")) {
    size_t end = text.find("*/", i + 2);
    return end == llvm::StringRef::npos ? text.size() : end + 2;
  }
  if (text[i] != '"' && text[i] != '\'')
    return i;
  size_t end = i + 1;
  while (end < text.size() && text[end] != text[i])
    end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

std::vector<std::string> identifiersIn(llvm::StringRef text) {
  std::vector<std::string> found;
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t i = 0; i < text.size();) {
    size_t after = skipIgnored(text, i);
    if (after != i) {
      i = after;
      continue;
    }
    if (!isPart(text[i])) {
      ++i;
      continue;
    }
    size_t start = i;
    bool isNumber = llvm::isDigit(text[start]); // the suffix of 1.f is no name
    while (i < text.size() && (isPart(text[i]) || (isNumber && text[i] == '.')))
      ++i;
    if (!isNumber)
      found.push_back(text.slice(start, i).str());
  }
  return found;
}

namespace {
/// Which variables can see which, and what else the body calls by name.
class Scopes {
public:
  explicit Scopes(const Function &function) {
    for (const std::unique_ptr<Var> &var : function.vars)
      owned.insert(var.get());
    for (Var *param : function.params)
      declare(param);
    if (function.body)
      visit(function.body);
  }
  std::vector<Var *> order; ///< of first declaration
  OrderedMap<Var, OrderedSet<Var>> neighbours;
  std::set<std::string> outside; ///< names that mean something else in the body

private:
  void declare(Var *var) {
    if (!neighbours.count(var))
      order.push_back(var);
    OrderedSet<Var> &near = neighbours[var];
    for (Var *other : visible)
      if (other != var) {
        near.insert(other);
        neighbours[other].insert(var);
      }
    visible.push_back(var);
    noteType(var->type);
  }
  void note(llvm::StringRef text) {
    for (std::string &name : identifiersIn(text))
      outside.insert(std::move(name));
  }
  /// Names of the runtime are qualified: locals do not hide them.
  void noteType(const Type &type) {
    std::string text = spell(type);
    if (!llvm::StringRef(text).starts_with("gpuad::"))
      note(text);
  }
  void noteExpr(const Expr &e) {
    if (auto *call = llvm::dyn_cast<CallExpr>(e.get()))
      note((call->callee.isMethod ? "" : call->callee.spelling) + call->callee.templateArguments);
    else if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()); ref && !owned.count(ref->var))
      note(ref->var->name);
    else if (auto *text = llvm::dyn_cast<TextExpr>(e.get()))
      note(text->text);
    else if (auto *lit = llvm::dyn_cast<LitExpr>(e.get()))
      note(lit->spelling);
    else if (llvm::isa<CastExpr, InitExpr>(e.get()) && e->type)
      note(spell(e->type));
  }
  void visit(const Stmt &s) {
    for (const Expr &held : expressionsOf(s))
      forEachExpr(held, [&](const Expr &e) { noteExpr(e); });
    if (auto *text = llvm::dyn_cast<TextStmt>(s.get()))
      note(text->text);
    if (auto *launch = llvm::dyn_cast<LaunchStmt>(s.get()))
      note(launch->callee.spelling + launch->callee.templateArguments);
    if (auto *decl = llvm::dyn_cast<DeclStmt>(s.get()))
      return declare(decl->var);
    size_t outer = visible.size();
    for (const Stmt &inner : nestedStmts(s)) {
      size_t before = visible.size();
      visit(inner);
      // What a branch declares ends with it; what a block or a for's head declares,
      // with the block or loop.
      if (!llvm::isa<BlockStmt, ForStmt>(s.get()))
        visible.resize(before);
    }
    visible.resize(outer);
  }

  OrderedSet<Var> owned;
  std::vector<Var *> visible;
};
} // namespace

void nameVariables(Function &function, const NameTable &names) {
  Scopes scopes(function);
  // Names inside verbatim text include those of the variables that it mentions.
  std::set<std::string> pinned;
  for (Var *var : scopes.order)
    if (var->pinned)
      pinned.insert(var->name);
  OrderedSet<Var> done;
  auto clashes = [&](Var *var, const std::string &name) {
    if (names.isForbidden(name) || scopes.outside.count(name) || pinned.count(name))
      return true;
    for (Var *near : scopes.neighbours[var])
      if (done.count(near) && near->name == name)
        return true;
    return false;
  };
  for (Var *var : scopes.order)
    if (var->pinned || var->isThis)
      done.insert(var);
  for (Var *var : scopes.order) {
    if (done.count(var))
      continue;
    std::string base = var->name.empty() ? "unused" : var->name;
    unsigned number = 1;
    while (clashes(var, numbered(base, number)))
      ++number;
    var->name = numbered(base, number);
    done.insert(var);
  }
}

std::string internalNamespace(const std::string &path) {
  std::string name = "gpuad_" + llvm::sys::path::stem(path).str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

} // namespace gpuad::emit
