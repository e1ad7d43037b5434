//===- RuleTable.cpp - finding rules and asking them ----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rules/RuleTable.h"

#include "ir/Builder.h"
#include "rules/Formula.h"

#include <algorithm>
#include <cctype>

namespace gpuad::rules {

/// thread_block_tile<32>::sync without its template arguments.
static std::string withoutTemplateArguments(const std::string &name) {
  if (name.find("operator") != std::string::npos)
    return name;
  std::string kept;
  int depth = 0;
  for (char c : name) {
    depth += c == '<';
    if (depth == 0)
      kept += c;
    depth -= c == '>';
  }
  return kept;
}

std::string plainName(const std::string &qualifiedName) {
  std::string name = withoutTemplateArguments(qualifiedName), plain;
  size_t at = name.compare(0, 2, "::") == 0 ? 2 : 0;
  while (at < name.size()) {
    size_t next = name.find("::", at);
    bool isLast = next == std::string::npos;
    std::string part = name.substr(at, isLast ? next : next - at);
    // Namespaces with reserved names are implementation versions: __4, __1, __cxx11.
    if (isLast || part.compare(0, 2, "__") != 0)
      plain += isLast ? part : part + "::";
    if (isLast)
      break;
    at = next + 2;
  }
  return plain;
}

static bool hasClass(const ir::Type &type, TypeClass wanted) {
  const ir::Type &bare = ir::stripReference(type);
  auto isKind = [&](ir::ScalarKind kind) { return ir::isScalar(bare) && bare->scalar == kind; };
  switch (wanted) {
  case TypeClass::Any:
    return true;
  case TypeClass::Number:
    return ir::isFloating(bare) || ir::isInteger(bare);
  case TypeClass::Floating:
    return ir::isFloating(bare);
  case TypeClass::Integer:
    return ir::isInteger(bare) || ir::isBool(bare);
  case TypeClass::Float:
    return isKind(ir::ScalarKind::Float);
  case TypeClass::Double:
    return isKind(ir::ScalarKind::Double);
  case TypeClass::Half:
    return isKind(ir::ScalarKind::Half);
  case TypeClass::BFloat16:
    return isKind(ir::ScalarKind::BFloat16);
  case TypeClass::Pointer:
    return ir::isPointer(bare);
  case TypeClass::Record:
    return ir::isRecord(bare);
  }
  return false;
}

static bool isOneOf(const ir::Type &type, const std::vector<std::string> &classes) {
  std::string name = plainName(ir::stripReference(type)->spelling);
  return classes.empty() || std::find(classes.begin(), classes.end(), name) != classes.end();
}

static bool takes(const Rule &rule, const std::vector<ir::Type> &types) {
  if (types.empty())
    return true; // not known: the name decides
  bool arityMatters = rule.kind != RuleKind::Inactive && rule.kind != RuleKind::Forbidden && !rule.isVariadic;
  if (arityMatters && types.size() != rule.params.size())
    return false;
  for (size_t i = 0; i < std::min(types.size(), rule.params.size()); ++i)
    if (!hasClass(types[i], rule.params[i].type) || !isOneOf(types[i], rule.params[i].classes))
      return false;
  return true;
}

const ir::LibraryClass *RuleTable::findClass(const std::string &qualifiedName) const {
  auto found = classes.find(plainName(qualifiedName));
  return found == classes.end() ? nullptr : &found->second;
}

void RuleTable::add(ir::LibraryClass made) {
  std::string name = made.name;
  classes[name] = std::move(made);
}

const Rule *RuleTable::find(const ir::Callee &callee) const {
  auto found = byName.find(plainName(callee.name));
  if (found == byName.end())
    return nullptr;
  // One for certain classes is asked before one for anything.
  auto namesClasses = [](const Rule *rule) {
    return std::any_of(rule->params.begin(), rule->params.end(), [](const auto &one) { return !one.classes.empty(); });
  };
  const Rule *general = nullptr;
  for (const Rule *rule : found->second) {
    if (!takes(*rule, callee.parameterTypes))
      continue;
    if (namesClasses(rule))
      return rule;
    general = general ? general : rule;
  }
  return general;
}

const Rule *RuleTable::named(const std::string &name) const {
  for (auto it = all.rbegin(); it != all.rend(); ++it)
    if ((*it)->name == name)
      return it->get();
  return nullptr;
}

void RuleTable::add(std::unique_ptr<Rule> rule) {
  for (const std::string &name : rule->match) {
    std::vector<const Rule *> &known = byName[name];
    known.insert(known.begin(), rule.get()); // later layers are asked first
  }
  all.push_back(std::move(rule));
}

bool Rule::isRepeatable() const {
  switch (kind) {
  case RuleKind::Pure:
  case RuleKind::Compose:
  case RuleKind::Construct:
    return true;
  case RuleKind::Load: // take() clears what it reads
    return effects.writes.empty();
  case RuleKind::Inactive:
    return effects.writes.empty() && !effects.io && !effects.isVolatile;
  default:
    return false;
  }
}

static const FormulaRef *partialOf(const Rule &rule, unsigned index) {
  if (index >= rule.params.size())
    return nullptr;
  auto found = rule.partials.find(rule.params[index].name);
  return found == rule.partials.end() ? nullptr : &found->second;
}

bool RuleTable::isZero(const Rule &rule, unsigned index) const {
  const FormulaRef *formula = partialOf(rule, index);
  return !formula || ((*formula)->kind == FormulaKind::Number && (*formula)->number == 0);
}

std::vector<ir::Expr> RuleTable::given(const Rule &rule, const ir::CallExpr &call, const ir::Expr &result) const {
  std::vector<ir::Expr> values;
  for (const std::string &name : rule.given) {
    auto param =
        std::find_if(rule.params.begin(), rule.params.end(), [&](const auto &one) { return one.name == name; });
    size_t index = param - rule.params.begin();
    values.push_back(index < call.args.size() ? call.args[index] : result);
  }
  return values;
}

Singularity RuleTable::singularity(const Rule &rule, unsigned index) const {
  return isZero(rule, index) ? Singularity::None : rule.params[index].singularity;
}

static void addNeeds(const Rule &rule, const FormulaRef &formula, PartialNeeds &needs) {
  forEachFormula(formula, [&](const Formula &part) {
    if (part.kind == FormulaKind::Result)
      needs.result = true;
    else if (part.kind == FormulaKind::Let)
      addNeeds(rule, rule.lets[part.index].second, needs);
    else if (part.kind == FormulaKind::Param)
      needs.params.push_back(part.index);
  });
}

PartialNeeds RuleTable::needs(const Rule &rule, unsigned index) const {
  PartialNeeds needs;
  for (const std::string &name : rule.given) {
    needs.result |= name == "ret";
    for (unsigned i = 0; i < rule.params.size(); ++i)
      if (rule.params[i].name == name)
        needs.params.push_back(i);
  }
  if (isZero(rule, index))
    return needs;
  addNeeds(rule, *partialOf(rule, index), needs);
  std::sort(needs.params.begin(), needs.params.end());
  needs.params.erase(std::unique(needs.params.begin(), needs.params.end()), needs.params.end());
  return needs;
}

static ir::Stmt callOf(const std::string &function, const SourceRange &range) {
  ir::Callee callee;
  callee.name = callee.spelling = function;
  return ir::makeDo(ir::makeCall(callee, {}, ir::voidType(), range), range);
}

ir::Stmt RuleTable::mirrorOf(const Rule &rule, const SourceRange &range) const {
  return callOf(rule.transpose, range);
}

ir::Stmt RuleTable::barrierOfBlock(const SourceRange &range) const {
  auto found = std::find_if(all.begin(), all.end(), [](const auto &rule) {
    return rule->kind == RuleKind::Barrier && rule->ofBlock && rule->params.empty() && rule->transpose.empty();
  });
  return callOf((*found)->match.front(), range);
}

bool RuleTable::namesWidth(const Rule &rule, const FormulaRef &formula) const {
  bool found = false;
  forEachFormula(formula, [&](const Formula &part) {
    found |= part.kind == FormulaKind::Param && part.index == rule.params.size() + GroupNames.size() - 1;
  });
  return found;
}

} // namespace gpuad::rules
