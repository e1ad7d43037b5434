//===- AlignCollectives.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AlignCollectives.h"

#include "analysis/ThreadDependence.h"
#include "analysis/WarpsApart.h"
#include "ir/Builder.h"
#include "ir/Items.h"
#include "ir/Walk.h"
#include "transform/Collectives.h"
#include "transform/ValueFormBuilder.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>

namespace gpuad::transform {
using namespace ir;

namespace {
using Items = std::vector<std::unique_ptr<Item>>;

Var *variableOf(const Expr &e) {
  auto *ref = e ? llvm::dyn_cast<RefExpr>(e.get()) : nullptr;
  return ref ? ref->var : nullptr;
}

/// Distributes a condition over a list of items: what threads do together is left out of it.
class Guard {
public:
  /// `isApart`: whether threads differed in a branch before.
  Guard(Function &owner, const rules::RuleTable &rules, Expr live, const OrderedSet<const Item> &common,
        llvm::function_ref<bool(const BranchItem &)> isApart)
      : owner(owner), rules(rules), live(std::move(live)), common(common), isApart(isApart) {}

  /// What the other threads do instead, in front of all.
  void otherwise(Region region);
  /// Where `value` leaves the guarded code, it is called `var`, and for the other threads it is `elseValue`.
  void yields(const Merge &merge);
  void add(Items items, Items &out);
  /// The value as code outside of the guard names it.
  Expr outside(const Expr &e);
  /// The merges that were not made on the way.
  void finish(const std::vector<Merge> &merges, Items &out);
  void close(Items &out);

private:
  void open();
  void append(std::unique_ptr<Item> item);
  void exchange(std::unique_ptr<Item> item, Items &out);
  void branch(BranchItem &item, Items &out);
  void loop(std::unique_ptr<LoopItem> item, Items &out);
  Var *exported(Var *var);
  bool isOfOthers(const Expr &e) const {
    Var *var = variableOf(e);
    return var && ofOthers.count(var) != 0;
  }

  Function &owner;
  const rules::RuleTable &rules;
  Expr live;
  const OrderedSet<const Item> &common;
  llvm::function_ref<bool(const BranchItem &)> isApart;
  std::unique_ptr<BranchItem> run;       ///< the guarded items since the last meeting
  BranchItem *first = nullptr;           ///< the run in which the others do something
  OrderedMap<Var, BranchItem *> home;    ///< the run that defines a value
  OrderedMap<Var, Var *> names;          ///< what a value is called outside
  OrderedMap<Var, const Merge *> wanted; ///< by the value that leaves
  OrderedSet<Var> ofOthers;
};

void Guard::open() {
  if (run)
    return;
  run = std::make_unique<BranchItem>();
  run->condition = live;
}

void Guard::close(Items &out) {
  if (run)
    out.push_back(std::move(run));
}

void Guard::otherwise(Region region) {
  if (region.items.empty())
    return;
  open();
  first = run.get();
  for (const auto &item : region.items)
    for (Var *var : definedBy(*item))
      ofOthers.insert(var);
  first->elseRegion = std::move(region);
}

void Guard::yields(const Merge &merge) {
  if (Var *var = variableOf(merge.thenValue))
    wanted.try_emplace(var, &merge);
}

Var *Guard::exported(Var *var) {
  if (auto found = names.find(var); found != names.end())
    return found->second;
  BranchItem *from = home[var];
  Merge merge;
  auto want = wanted.find(var);
  if (want != wanted.end() && (from == first || !isOfOthers(want->second->elseValue))) {
    merge = *want->second;
  } else {
    merge.var = owner.makeVar(var->name, withConst(var->type, false));
    merge.thenValue = makeRef(var);
    merge.elseValue = isScalar(var->type) ? zeroOf(merge.var->type) : nullptr;
  }
  from->merges.push_back(merge);
  return names[var] = merge.var;
}

Expr Guard::outside(const Expr &e) {
  return substitute(e, [&](Var *var) -> Expr {
    auto found = home.find(var);
    return found == home.end() || found->second == run.get() ? nullptr : makeRef(exported(var));
  });
}

void Guard::append(std::unique_ptr<Item> item) {
  open();
  rewriteItem(*item, [&](const Expr &e) { return outside(e); });
  for (Var *var : definedBy(*item))
    home[var] = run.get();
  run->thenRegion.items.push_back(std::move(item));
}

/// A thread that is not live takes part with what does not count.
void Guard::exchange(std::unique_ptr<Item> item, Items &out) {
  const rules::Rule *rule = exchangeOf(*item, rules);
  if (!rule || !rule->idle) {
    close(out);
    rewriteItem(*item, [&](const Expr &e) { return outside(e); });
    return out.push_back(std::move(item));
  }
  auto *value = llvm::cast<ValueItem>(item.get());
  const Expr &whole = stripImplicit(value->expr);
  std::vector<Expr> args = llvm::cast<CallExpr>(whole.get())->args;
  Merge merge;
  merge.var = owner.makeVar("counted", withConst(args.back()->type, false));
  merge.thenValue = outside(args.back());
  merge.elseValue = isBool(args.back()->type) ? boolLit(*rule->idle != 0) : intLit(*rule->idle);
  open();
  run->merges.push_back(merge);
  close(out);
  for (Expr &arg : args)
    arg = outside(arg);
  args.back() = makeRef(merge.var);
  Expr call = withChildren(whole, args);
  value->expr = rewriteExpr(value->expr, [&](const Expr &e) { return e == whole ? call : e; });
  out.push_back(std::move(item));
}

void Guard::branch(BranchItem &item, Items &out) {
  close(out);
  auto fresh = std::make_unique<BranchItem>();
  fresh->range = item.range;
  fresh->isForExit = item.isForExit || !isApart(item);
  fresh->condition = outside(item.condition);
  fresh->merges = item.merges;
  auto arm = [&](Region &from, Region &to, Expr Merge::*value) {
    add(std::move(from.items), to.items);
    close(to.items);
    for (Merge &merge : fresh->merges)
      if (merge.*value)
        merge.*value = outside(merge.*value);
  };
  arm(item.thenRegion, fresh->thenRegion, &Merge::thenValue);
  arm(item.elseRegion, fresh->elseRegion, &Merge::elseValue);
  out.push_back(std::move(fresh));
}

void Guard::loop(std::unique_ptr<LoopItem> item, Items &out) {
  close(out);
  if (item->isVoted) { // a thread that is not live never is in it
    rewriteItem(*item, [&](const Expr &e) { return outside(e); });
    return out.push_back(std::move(item));
  }
  for (Expr *e : {&item->begin, &item->end, &item->step, &item->condition, &item->mostTrips})
    if (*e)
      *e = outside(*e);
  std::vector<Merge> stays;
  for (Carried &carried : item->carried) {
    carried.init = outside(carried.init);
    if (carried.step)
      carried.step = outside(carried.step);
    stays.push_back({owner.makeVar(carried.var->name, carried.var->type), carried.next, makeRef(carried.var)});
  }
  for (const Merge &merge : stays)
    yields(merge);
  Items body = std::move(item->body.items);
  item->body.items.clear();
  add(std::move(body), item->body.items);
  close(item->body.items);
  for (Carried &carried : item->carried)
    carried.next = outside(carried.next);
  for (const Merge &merge : stays)
    if (Var *var = variableOf(merge.thenValue))
      wanted.erase(var);
  out.push_back(std::move(item));
}

void Guard::add(Items items, Items &out) {
  for (auto &item : items) {
    if (common.count(item.get())) {
      out.push_back(std::move(item));
    } else if (llvm::isa<ArrayItem>(item.get())) {
      close(out);
      rewriteItem(*item, [&](const Expr &e) { return outside(e); });
      out.push_back(std::move(item));
    } else if (!meetingsIn(*item, rules).any()) {
      append(std::move(item));
    } else if (auto *inner = llvm::dyn_cast<BranchItem>(item.get())) {
      branch(*inner, out);
    } else if (llvm::isa<LoopItem>(item.get())) {
      loop(std::unique_ptr<LoopItem>(llvm::cast<LoopItem>(item.release())), out);
    } else {
      exchange(std::move(item), out);
    }
  }
}

void Guard::finish(const std::vector<Merge> &merges, Items &out) {
  std::vector<Merge> left;
  for (const Merge &merge : merges) {
    Var *var = variableOf(merge.thenValue);
    if (var && home.count(var) && exported(var) == merge.var)
      continue;
    Merge late = merge;
    if (isOfOthers(merge.elseValue) && run.get() != first) {
      late.elseValue = makeRef(owner.makeVar(merge.var->name, merge.var->type));
      first->merges.push_back({variableOf(late.elseValue), nullptr, merge.elseValue});
    }
    left.push_back(late);
  }
  if (!left.empty())
    open();
  for (Merge &merge : left) {
    if (merge.thenValue)
      merge.thenValue = outside(merge.thenValue);
    run->merges.push_back(merge);
  }
  close(out);
}

/// Takes what threads do together out of all conditions in which they differ, one after the other.
class Aligner {
public:
  Aligner(ValueFunction &function, const rules::RuleTable &rules)
      : function(function), owner(*function.owner), rules(rules) {}

  void run() {
    do {
      dependence.emplace(function, rules);
      lanes.emplace(function, *dependence);
    } while (step(function.body));
  }

private:
  static constexpr analysis::ThreadDependence::Mask Threads = 7;

  bool step(Region &region);
  std::optional<Items> splitBranch(BranchItem &branch);
  bool voteWithin(Region &region, const Region &body, OrderedSet<const Item> &common);
  Items voteIn(std::unique_ptr<LoopItem> loop);
  bool isApart(const BranchItem &branch) const;
  bool isLeftApart(const LoopItem &loop) const;
  Expr clonedCondition(const LoopItem &loop, Items &to, llvm::function_ref<Expr(const Carried &)> value);

  ValueFunction &function;
  Function &owner;
  const rules::RuleTable &rules;
  std::optional<analysis::ThreadDependence> dependence;
  std::optional<analysis::LaneAgreement> lanes;
};

bool Aligner::isApart(const BranchItem &branch) const {
  Meetings met = meetingsIn(branch, rules);
  return (met.block && (dependence->of(branch.condition) & Threads)) || (met.warp && !lanes->agree(branch.condition));
}

bool Aligner::isLeftApart(const LoopItem &loop) const {
  if (loop.isVoted || !meetingsIn(loop, rules).block)
    return false;
  auto trips = loop.isCounted ? dependence->of(loop.begin) | dependence->of(loop.end) | dependence->of(loop.step)
                              : dependence->of(loop.condition);
  return trips & Threads;
}

/// Replaces the first item in which threads differ; innermost ones first.
bool Aligner::step(Region &region) {
  for (size_t i = 0; i < region.items.size(); ++i) {
    Items fresh;
    if (auto *branch = llvm::dyn_cast<BranchItem>(region.items[i].get())) {
      if (step(branch->thenRegion) || step(branch->elseRegion))
        return true;
      auto split = branch->isForExit && isApart(*branch) ? splitBranch(*branch) : std::nullopt;
      if (!split)
        continue;
      fresh = std::move(*split);
    } else if (auto *loop = llvm::dyn_cast<LoopItem>(region.items[i].get())) {
      if (step(loop->body))
        return true;
      if (!isLeftApart(*loop))
        continue;
      fresh = voteIn(std::unique_ptr<LoopItem>(llvm::cast<LoopItem>(region.items[i].release())));
    } else {
      continue;
    }
    region.items.erase(region.items.begin() + i);
    region.items.insert(region.items.begin() + i, std::make_move_iterator(fresh.begin()),
                        std::make_move_iterator(fresh.end()));
    return true;
  }
  return false;
}

/// Around meetings in `body`, whatever not all threads can follow: loops become voted ones, the branches are split
/// later on. `common`: what all threads have to run to follow the rest. False: a loop that only a warp could vote on.
bool Aligner::voteWithin(Region &region, const Region &body, OrderedSet<const Item> &common) {
  for (size_t i = 0; i < region.items.size(); ++i) {
    Meetings met = meetingsIn(*region.items[i], rules);
    if (!met.any())
      continue;
    Common ofOne(body, rules);
    auto *loop = llvm::dyn_cast<LoopItem>(region.items[i].get());
    if (ofOne.decides(*region.items[i])) {
      common.insert(ofOne.items().begin(), ofOne.items().end());
    } else if (loop && !met.block) {
      return false;
    } else if (loop) {
      Items voted = voteIn(std::unique_ptr<LoopItem>(llvm::cast<LoopItem>(region.items[i].release())));
      region.items.erase(region.items.begin() + i);
      size_t count = voted.size();
      region.items.insert(region.items.begin() + i, std::make_move_iterator(voted.begin()),
                          std::make_move_iterator(voted.end()));
      i += count - 1;
      continue;
    }
    if (auto *branch = llvm::dyn_cast<BranchItem>(region.items[i].get()))
      if (!voteWithin(branch->thenRegion, body, common) || !voteWithin(branch->elseRegion, body, common))
        return false;
    if (loop && !loop->isVoted && !voteWithin(loop->body, body, common))
      return false;
  }
  return true;
}

/// None: the threads do something else together in each arm, or what is around it cannot be had by all of them.
std::optional<Items> Aligner::splitBranch(BranchItem &branch) {
  bool inThen = meetingsIn(branch.thenRegion, rules).any(), inElse = meetingsIn(branch.elseRegion, rules).any();
  if (inThen && inElse)
    return std::nullopt;
  Region &body = inThen ? branch.thenRegion : branch.elseRegion;
  OrderedSet<const Item> common;
  if (meetingsIn(body, rules).unknown || !voteWithin(body, body, common))
    return std::nullopt;
  Items out;
  Expr live = inThen ? branch.condition : logicalNot(branch.condition);
  constexpr unsigned ShortCondition = 6;
  unsigned size = 0;
  forEachExpr(live, [&](const Expr &) { ++size; });
  if (size > ShortCondition) {
    auto named = std::make_unique<ValueItem>();
    named->range = branch.range;
    named->var = owner.makeVar("live", withConst(boolType(), false));
    named->expr = live;
    live = makeRef(named->var);
    out.push_back(std::move(named));
  }
  std::vector<Merge> merges = branch.merges;
  if (!inThen)
    for (Merge &merge : merges)
      std::swap(merge.thenValue, merge.elseValue);
  auto apart = [this](const BranchItem &item) { return isApart(item); };
  Guard guard(owner, rules, live, common, apart);
  guard.otherwise(std::move(inThen ? branch.elseRegion : branch.thenRegion));
  for (const Merge &merge : merges)
    guard.yields(merge);
  guard.add(std::move(body.items), out);
  guard.finish(merges, out);
  return out;
}

/// Without the flags that are known: !false && i < n is i < n.
static Expr folded(const Expr &e) {
  return rewriteExpr(e, [](const Expr &one) -> Expr {
    auto isKnown = [](const Expr &part, bool as) {
      auto *lit = llvm::dyn_cast<LitExpr>(part.get());
      auto *value = lit ? std::get_if<bool>(&lit->value) : nullptr;
      return value && *value == as;
    };
    if (auto *unary = llvm::dyn_cast<UnaryExpr>(one.get()); unary && unary->op == UnaryOp::Not)
      if (isKnown(unary->operand, false) || isKnown(unary->operand, true))
        return boolLit(isKnown(unary->operand, false));
    if (auto *both = llvm::dyn_cast<BinaryExpr>(one.get()); both && both->op == BinaryOp::LogicalAnd)
      return isKnown(both->lhs, true) ? both->rhs : isKnown(both->rhs, true) ? both->lhs : one;
    return one;
  });
}

/// What the loop tests, computed once more with other values of what it carries.
Expr Aligner::clonedCondition(const LoopItem &loop, Items &to, llvm::function_ref<Expr(const Carried &)> value) {
  OrderedMap<Var, Var *> fresh;
  auto replaced = [&](const Expr &e) {
    return substitute(e, [&](Var *var) -> Expr {
      if (auto copy = fresh.find(var); copy != fresh.end())
        return makeRef(copy->second);
      for (const Carried &carried : loop.carried)
        if (carried.var == var)
          return value(carried);
      return nullptr;
    });
  };
  for (const auto &item : loop.conditionRegion.items) {
    to.push_back(cloneItem(*item, owner, fresh));
    rewriteItem(*to.back(), replaced);
  }
  auto named = std::make_unique<ValueItem>();
  named->range = loop.range;
  named->var = owner.makeVar("goes_on", withConst(boolType(), false));
  named->expr = folded(replaced(loop.condition ? loop.condition : boolLit(true)));
  Expr result = makeRef(named->var);
  to.push_back(std::move(named));
  return result;
}

/// The loop, run as long as any thread of the block is in it. Each thread tests at the end of its iterations
/// whether it goes on.
Items Aligner::voteIn(std::unique_ptr<LoopItem> loop) {
  Items out;
  if (loop->isCounted) { // the counter stops with the thread
    auto next = std::make_unique<ValueItem>();
    next->range = loop->range;
    next->var = owner.makeVar(loop->iv->name, withConst(loop->iv->type, false));
    next->expr =
        makeBinary(loop->stepIsNegative ? BinaryOp::Sub : BinaryOp::Add, makeRef(loop->iv), loop->step, loop->iv->type);
    Carried counter;
    counter.var = loop->iv;
    counter.init = loop->begin;
    counter.next = makeRef(next->var);
    counter.step = loop->stepIsNegative ? neg(loop->step) : loop->step;
    loop->condition = makeBinary(loop->compare, makeRef(loop->iv), loop->end, boolType());
    if (!isAtom(counter.init)) {
      auto begin = std::make_unique<ValueItem>();
      begin->var = owner.makeVar(loop->iv->name, withConst(loop->iv->type, false));
      begin->expr = counter.init;
      counter.init = makeRef(begin->var);
      out.push_back(std::move(begin));
    }
    loop->carried.push_back(counter);
    loop->body.items.push_back(std::move(next));
    loop->iv = nullptr;
    loop->isCounted = false;
    loop->trips = owner.makeVar("trips", intType());
  }
  Expr starts = clonedCondition(*loop, out, [](const Carried &carried) { return carried.init; });
  Items body = std::move(loop->body.items);
  loop->body.items.clear();
  Expr goesOn = clonedCondition(*loop, body, [](const Carried &carried) { return carried.next; });
  Carried running;
  running.var = owner.makeVar("running", withConst(boolType(), false));
  running.init = starts;
  running.next = goesOn;
  loop->carried.push_back(running);
  loop->conditionRegion.items.clear();
  loop->condition = makeRef(running.var);
  loop->mostTrips = nullptr; // a bound for this thread, not for the block
  loop->isVoted = true;
  loop->joined = owner.makeVar("joined", intType());

  Region region;
  region.items = std::move(body);
  OrderedSet<const Item> common;
  voteWithin(region, region, common);
  auto apart = [this](const BranchItem &item) { return isApart(item); };
  Guard guard(owner, rules, makeRef(running.var), common, apart);
  std::vector<Merge> merges;
  for (const Carried &carried : loop->carried)
    merges.push_back({owner.makeVar(carried.var->name, carried.var->type), carried.next, makeRef(carried.var)});
  merges.back().elseValue = boolLit(false);
  for (const Merge &merge : merges)
    guard.yields(merge);
  guard.add(std::move(region.items), loop->body.items);
  guard.finish(merges, loop->body.items);
  for (size_t i = 0; i < merges.size(); ++i)
    loop->carried[i].next = makeRef(merges[i].var);
  out.push_back(std::move(loop));
  return out;
}
} // namespace

void alignCollectives(ValueFunction &function, const rules::RuleTable &rules) {
  Aligner(function, rules).run();
}

} // namespace gpuad::transform
