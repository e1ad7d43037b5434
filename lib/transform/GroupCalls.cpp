//===- GroupCalls.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/GroupCalls.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/RewriteStmts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace gpuad::transform {
using namespace ir;

namespace {
/// More items than that are left to the library, and refused where they matter.
constexpr uint64_t MostItems = 64;
constexpr int64_t LanesOfWarp = 32;
constexpr unsigned NarrowestExchanged = 32; ///< bits of integers that lanes can exchange

/// A call, taken apart.
struct GroupCall {
  const CallExpr *call = nullptr;
  const rules::Rule *rule = nullptr;
  Type number;        ///< of each item
  size_t items = 0;   ///< the argument that holds what this thread gives
  uint64_t count = 0; ///< how many items that are; 0: a number, no array
  int64_t width = 0;
};

/// The size of the part of a warp that an object is for: the first integer among the
/// arguments of its class, or a whole warp. None: an argument that is no plain number.
std::optional<int64_t> widthOf(const Callee &method) {
  // Its name has the arguments as they are, whatever names the user has for them.
  llvm::StringRef arguments = llvm::StringRef(method.name).rsplit("::").first.split('<').second;
  if (!arguments.consume_back(">"))
    return std::nullopt;
  llvm::StringRef after = arguments.rsplit(',').second.trim();
  if (after.empty())
    return LanesOfWarp;
  int64_t width = 0;
  bool isNumber = !after.getAsInteger(10, width) && width > 0 && width <= LanesOfWarp;
  return isNumber ? std::optional(width) : std::nullopt;
}

class Replacer {
public:
  Replacer(Function &function, const rules::RuleTable &rules) : function(function), rules(rules) {}

  void run() {
    function.body = rewriteStmts(function.body, [&](const Stmt &s) { return statement(s); });
    function.body = rewriteHeldExprs(
        function.body, [&](const Expr &held) { return rewriteExpr(held, [&](const Expr &e) { return returned(e); }); });
    while (removeObjects())
      ;
  }

private:
  std::optional<GroupCall> take(const Expr &e) const;
  std::vector<Expr> argumentsOf(const GroupCall &group) const;
  Expr item(const GroupCall &group, uint64_t k) const {
    const Expr &items = group.call->args[group.items];
    return group.count == 0 ? converted(items, group.number) : makeIndex(items, intLit(int64_t(k)));
  }
  static Expr converted(const Expr &e, const Type &number) {
    const Expr &written = stripImplicit(e);
    bool isKnown = written->kind == ExprKind::Lit || sameType(written->type, number);
    return isKnown ? e : makeCast(CastStyle::CStyle, written, number);
  }
  Expr returned(const Expr &e);
  Stmt statement(const Stmt &s);
  void remember(const GroupCall &group) {
    for (Var *var : variablesIn(group.call->args[0]))
      objects.insert(var);
  }
  bool removeObjects();

  Function &function;
  const rules::RuleTable &rules;
  OrderedSet<Var> objects; ///< what replaced calls were made on
};

std::optional<GroupCall> Replacer::take(const Expr &e) const {
  GroupCall group;
  group.call = llvm::dyn_cast<CallExpr>(e.get());
  group.rule = group.call && !group.call->callee.function ? rules.find(group.call->callee) : nullptr;
  if (!group.rule || group.rule->kind != rules::RuleKind::Group)
    return std::nullopt;
  auto param = llvm::find_if(group.rule->params, [](const auto &one) { return one.name == "value"; });
  group.items = param - group.rule->params.begin();
  const std::vector<Type> &types = group.call->callee.parameterTypes;
  if (group.items >= group.call->args.size() || types.size() != group.call->args.size())
    return std::nullopt;
  const Type &given = stripReference(types[group.items]);
  group.number = withConst(isArray(given) ? elementOf(given) : given, false);
  group.count = isArray(given) ? given->extent.value_or(MostItems + 1) : 0;
  bool isNumber = isFloating(group.number) || (isInteger(group.number) && group.number->bits >= NarrowestExchanged);
  std::optional<int64_t> width = widthOf(group.call->callee);
  if (!isNumber || group.count > MostItems || (isArray(given) && group.count == 0))
    return std::nullopt;
  bool asksWidth = false;
  for (const auto &[target, formula] : group.rule->expansion)
    asksWidth |= rules.namesWidth(*group.rule, formula);
  if (asksWidth && !width)
    return std::nullopt;
  group.width = width.value_or(LanesOfWarp);
  return group;
}

/// The arguments of the call, the items summed, and the size of the part of a warp.
std::vector<Expr> Replacer::argumentsOf(const GroupCall &group) const {
  std::vector<Expr> args = group.call->args;
  Expr sum = item(group, 0);
  for (uint64_t k = 1; k < group.count; ++k)
    sum = add(sum, item(group, k));
  args[group.items] = sum;
  args.insert(args.end(), {zeroOf(group.number), sum, intLit(group.width)});
  return args;
}

/// What stands for a call that gives a value.
Expr Replacer::returned(const Expr &e) {
  std::optional<GroupCall> group = take(e);
  if (!group || group->rule->expansion.size() != 1 || group->rule->expansion[0].first != "ret")
    return e;
  remember(*group);
  Expr value = rules.groupValue(*group->rule, 0, group->number, argumentsOf(*group));
  auto ranged = std::make_shared<CallExpr>(*llvm::cast<CallExpr>(value.get()));
  ranged->range = e->range;
  return ranged;
}

/// What stands for a call that gives its results through references. All that it reads is
/// named in front: a result may lie where an item does.
Stmt Replacer::statement(const Stmt &s) {
  auto *whole = llvm::dyn_cast<DoStmt>(s.get());
  std::optional<GroupCall> group = whole ? take(whole->call) : std::nullopt;
  if (!group || group->rule->expansion[0].first == "ret")
    return s;
  remember(*group);
  std::vector<Stmt> list;
  auto named = [&](const std::string &name, const Expr &e) {
    if (e->kind == ExprKind::Ref || e->kind == ExprKind::Lit)
      return e;
    Var *var = function.makeVar(name, withConst(group->number, true));
    list.push_back(makeDecl(var, e, s->range));
    return makeRef(var);
  };
  uint64_t count = std::max<uint64_t>(group->count, 1);
  std::vector<Expr> through; // the sums of the first items
  for (uint64_t k = 0; k < count; ++k)
    through.push_back(
        named(k == 0 ? "item" : "items", k == 0 ? item(*group, 0) : add(through[k - 1], item(*group, k))));
  std::vector<Expr> args = group->call->args;
  args[group->items] = through.back();
  args.insert(args.end(), {zeroOf(group->number), through.back(), intLit(group->width)});
  std::vector<std::pair<Expr, Expr>> exchanged; // each once
  auto byName = [&](const Expr &e) -> Expr {
    if (e->kind != ExprKind::Call)
      return e;
    for (const auto &[call, name] : exchanged)
      if (equal(call, e))
        return name;
    llvm::StringRef function = llvm::cast<CallExpr>(e.get())->callee.name;
    auto ranged = std::make_shared<CallExpr>(*llvm::cast<CallExpr>(e.get()));
    ranged->range = s->range;
    exchanged.push_back({e, named(function.rsplit("::").second.split('_').second.str(), ranged)});
    return exchanged.back().second;
  };
  std::vector<Stmt> results;
  for (unsigned entry = 0; entry < group->rule->expansion.size(); ++entry) {
    auto param = llvm::find_if(group->rule->params,
                               [&](const auto &one) { return one.name == group->rule->expansion[entry].first; });
    const Expr &place = group->call->args[param - group->rule->params.begin()];
    bool isEach = isArray(place->type);
    for (uint64_t k = 0; k < (isEach ? count : 1); ++k) {
      args[args.size() - 3] = k == 0 ? zeroOf(group->number) : through[k - 1];
      args[args.size() - 2] = through[k];
      Expr value = rewriteExpr(rules.groupValue(*group->rule, entry, group->number, args), byName);
      results.push_back(makeAssign(isEach ? makeIndex(place, intLit(int64_t(k))) : place, value, s->range));
    }
  }
  llvm::append_range(list, results);
  return makeBlock(list, s->range);
}

/// Objects, and the shared memory that they were made of, that nothing names any more.
bool Replacer::removeObjects() {
  OrderedSet<Var> named;
  forEachStmt(function.body, [&](const Stmt &s) {
    for (const Expr &held : expressionsOf(s))
      for (Var *var : variablesIn(held))
        named.insert(var);
    if (auto *text = llvm::dyn_cast<TextStmt>(s.get()); text && !text->declaresVars)
      named.insert(text->mentions.begin(), text->mentions.end());
  });
  bool any = false;
  function.body = rewriteStmts(function.body, [&](const Stmt &s) -> Stmt {
    auto isLeft = [&](Var *var) { return !objects.count(var) || named.count(var); };
    auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
    auto *text = llvm::dyn_cast<TextStmt>(s.get());
    bool declares = decl || (text && text->declaresVars && !text->mentions.empty());
    if (!declares || (decl ? isLeft(decl->var) : llvm::any_of(text->mentions, isLeft)))
      return s;
    if (decl && decl->init)
      for (Var *var : variablesIn(decl->init))
        objects.insert(var);
    any = true;
    return makeBlock({});
  });
  return any;
}
} // namespace

void replaceGroupCalls(Module &module, const rules::RuleTable &rules) {
  for (const std::unique_ptr<Function> &function : module.functions)
    if (function->body && function->runsOnDevice())
      Replacer(*function, rules).run();
}

} // namespace gpuad::transform
