//===- MakeTangent.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/MakeTangent.h"

#include "analysis/LiveWords.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "support/Diagnostics.h"
#include "transform/DeadCode.h"
#include "transform/Simplify.h"
#include "transform/TangentBuilder.h"
#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <map>

namespace gpuad::transform {
using namespace ir;

namespace {
/// A tangent to make: for the request itself, or for a callee with a pattern.
struct Job {
  const Function *primal = nullptr;
  ActivePattern pattern;
  std::string name;
};

/// The bytes of a slot, where the call claims some of a stack; else 0. "<float, 8>", "<8>": slots of other records are
/// larger.
unsigned bytesClaimed(const CallExpr &call) {
  if (!call.callee.isMethod || spell(withConst(stripReference(call.args[0]->type), false)) != "gpuad::stack")
    return 0;
  const std::string &arguments = call.callee.templateArguments;
  size_t last = arguments.find_last_of("<, ");
  if (last != std::string::npos && isdigit(static_cast<unsigned char>(arguments[last + 1])))
    return unsigned(std::stoi(arguments.substr(last + 1)));
  if (isPointer(call.type))
    return elementOf(call.type)->bits / 8;
  return spell(withConst(call.type, false)) == "gpuad::undo_log" ? 8 : 0;
}

/// What the launcher has to give: the kernel says it where it enters, and where it claims, or
/// the function that is its body does.
StackNeed stackNeedOf(const Stmt &body) {
  StackNeed need;
  forEachExprIn(body, [&](const Expr &e) {
    auto *call = llvm::dyn_cast<CallExpr>(e.get());
    if (call && call->callee.name == "enter_with" && call->args.size() == 3)
      need.slots = call->args[2];
    if (call)
      need.bytesPerSlot = std::max(need.bytesPerSlot, bytesClaimed(*call));
  });
  return need;
}

/// The most that a slot has to hold, in a generated kernel and the function that is its body.
unsigned bytesPerSlot(const Function &kernel) {
  unsigned bytes = stackNeedOf(kernel.body).bytesPerSlot;
  forEachExprIn(kernel.body, [&](const Expr &e) {
    auto *call = llvm::dyn_cast<CallExpr>(e.get());
    const Function *callee = call ? analysis::definitionOf(call->callee) : nullptr;
    if (callee && callee->isGenerated && callee->body)
      bytes = std::max(bytes, stackNeedOf(callee->body).bytesPerSlot);
  });
  return bytes;
}

/// What a parameter of the tangent is that stands for one of its primal, which may be a derivative itself.
ParamRole roleOf(const Function &primal, const Var &param, bool isShadowed) {
  if (isStackOfAdjoint(primal, param) && (primal.isKernel() || isShadowed))
    return ParamRole::Stack;
  if (isRecordOfAdjoint(primal, param))
    return ParamRole::Record;
  return &param == sharedBytesOfDerivative(primal) ? ParamRole::SharedBytes : ParamRole::Primal;
}

class TangentMaker {
public:
  TangentMaker(const Request &request, const rules::RuleTable &rules, TangentCallees &callees,
               GlobalShadows &globalShadows, DiagnosticSink &sink)
      : request(request), rules(rules), callees(callees), globalShadows(globalShadows), sink(sink), flows(rules) {}
  std::vector<Derivative> make();

private:
  std::optional<Derivative> makeRequested();
  bool passesOn(const analysis::Activity &activity, unsigned param, const std::vector<bool> &isInput,
                const std::vector<bool> &isOutput) const;
  std::optional<Derivative> makeCallee(const Job &job);
  std::optional<Derivative> build(const Function &primal, const std::string &name, const analysis::Activity &activity,
                                  const std::vector<bool> &shadowed, const std::vector<bool> &nullable,
                                  bool returnsDual);
  std::string nameOfShadow(const Function &primal, const Var &param, const std::string &tangent) const;
  std::string nameCallee(const Function &callee, const ActivePattern &pattern);
  bool hasEffect(const CallExpr &call) const {
    if (call.callee.function)
      return true;
    const rules::Rule *rule = rules.find(call.callee);
    return !rule || !rule->isRepeatable();
  }

  const Request &request;
  const rules::RuleTable &rules;
  TangentCallees &callees;
  GlobalShadows &globalShadows;
  DiagnosticSink &sink;
  analysis::CallFlows flows;
  std::vector<std::pair<Var *, Var *>> globals; ///< that are active in the request, with their shadows
  std::map<unsigned, FieldList> listedFields;   ///< of the request: parameters that are listed by field only
  std::deque<Job> jobs;
  std::vector<std::pair<const Function *, ActivePattern>> added; ///< callees named by this request
};

std::string TangentMaker::nameCallee(const Function &callee, const ActivePattern &pattern) {
  std::string &name = callees.names[{&callee, pattern}];
  if (name.empty()) {
    // The class in front of a method's name, without its template arguments.
    for (char c : callee.className.substr(0, callee.className.find('<')))
      name += isalnum(static_cast<unsigned char>(c)) ? c : '_';
    name += (name.empty() ? "" : "_") + plainName(callee) + "_tangent";
    if (unsigned count = callees.taken[name]++)
      name += "_" + std::to_string(count + 1);
    jobs.push_back({&callee, pattern, name});
    added.push_back({&callee, pattern});
  }
  return callees.internalNamespace + "::" + name;
}

/// Callees before their callers, as far as calls do not go in a circle.
std::vector<Derivative> inCallOrder(std::vector<Derivative> made) {
  std::map<std::string, size_t> indexOf;
  for (size_t i = 0; i < made.size(); ++i)
    if (!made[i].isPublic)
      indexOf[made[i].function->name] = i;
  std::vector<size_t> order;
  std::vector<bool> visited(made.size());
  std::function<void(size_t)> visit = [&](size_t i) {
    if (visited[i])
      return;
    visited[i] = true;
    forEachExprIn(made[i].function->body, [&](const Expr &e) {
      auto *call = llvm::dyn_cast<CallExpr>(e.get());
      if (!call)
        return;
      size_t colon = call->callee.name.rfind("::");
      auto found = indexOf.find(colon == std::string::npos ? call->callee.name : call->callee.name.substr(colon + 2));
      if (found != indexOf.end())
        visit(found->second);
    });
    order.push_back(i);
  };
  for (size_t i = 0; i < made.size(); ++i)
    visit(i);
  std::vector<Derivative> sorted;
  for (size_t i : order)
    sorted.push_back(std::move(made[i]));
  return sorted;
}

/// x_dot. In the tangent of a derivative x_dot may be taken: then x_dot_2. What the
/// user calls keeps the name of the contract, or is refused.
std::string TangentMaker::nameOfShadow(const Function &primal, const Var &param, const std::string &tangent) const {
  std::string base = param.name + "_dot", name = base;
  bool mayChoose = primal.isGenerated || tangent != request.name;
  auto isTaken = [&](const std::string &candidate) {
    return llvm::any_of(primal.params, [&](const Var *other) { return other->name == candidate; });
  };
  for (unsigned number = 2; mayChoose && isTaken(name); ++number)
    name = base + "_" + std::to_string(number);
  return name;
}

/// What of a by-value struct's shadow nobody asked for counts for nothing, whatever the caller left there: numbers, and
/// pointers that the function only reads through.
static void clearUnlisted(const Expr &shadow, const std::string &path, const FieldList &listed,
                          std::vector<Stmt> &list) {
  const std::vector<Field> &fields = shadow->type->record->fields;
  for (unsigned i = 0; i < fields.size(); ++i) {
    Expr field = makeMember(shadow, i);
    std::string name = path.empty() ? fields[i].name : path + "." + fields[i].name;
    if (isListedField(listed, name))
      continue;
    if (isRecord(field->type))
      clearUnlisted(field, name, listed, list);
    else if (isPointer(field->type) && analysis::leadsToConst(field->type) && reachesFloating(field->type))
      list.push_back(makeAssign(field, makeLit("nullptr", int64_t(0), field->type)));
    else if (isFloating(field->type))
      list.push_back(makeAssign(field, zeroOf(field->type)));
  }
}

std::optional<Derivative> TangentMaker::build(const Function &primal, const std::string &name,
                                              const analysis::Activity &activity, const std::vector<bool> &shadowed,
                                              const std::vector<bool> &nullable, bool returnsDual) {
  Derivative derivative;
  derivative.mode = DerivativeMode::Tangent;
  derivative.primal = &primal;
  auto owner = std::make_unique<Function>();
  owner->name = name;
  owner->namespaces = primal.namespaces;
  owner->kind = primal.kind;
  owner->returnType = returnsDual ? dualType(withConst(stripReference(primal.returnType), false)) : primal.returnType;
  owner->templateParameters = primal.templateParameters;
  owner->templateArguments = primal.templateArguments;
  owner->isTemplateInstance = primal.isTemplateInstance;
  owner->attributes = primal.attributes;
  owner->isStatic = primal.isStatic;
  owner->isInline = primal.isInline;
  owner->range = primal.range;
  TangentBuilder builder(
      primal, *owner, activity, rules, flows,
      [this](const Function &callee, const ActivePattern &pattern) { return nameCallee(callee, pattern); }, sink);
  for (auto [global, shadow] : globals) {
    builder.mapVar(global, global, shadow, nullptr);
    derivative.globals.push_back({global, shadow});
  }
  std::vector<Stmt> wants;
  for (unsigned i = 0; i < primal.params.size(); ++i) {
    Var *param = primal.params[i];
    Var *own = owner->makeVar(param->name, param->type, Storage::Parameter);
    own->range = param->range;
    own->pinned = param->pinned;
    owner->params.push_back(own);
    ParamRole role = roleOf(primal, *param, shadowed[i]);
    bool isStack = role == ParamRole::Stack;
    derivative.params.push_back({own, role, i, false});
    Var *dot = nullptr, *want = nullptr;
    if (isStack || role == ParamRole::Record) {
      Var *twin = owner->makeVar(nameOfShadow(primal, *param, name), param->type, Storage::Parameter);
      owner->params.push_back(twin);
      derivative.params.push_back({twin, isStack ? ParamRole::StackTangent : ParamRole::RecordTangent, i, false});
      dot = isStack ? twin : nullptr;
    } else if (shadowed[i]) {
      dot = owner->makeVar(nameOfShadow(primal, *param, name), param->type, Storage::Parameter);
      owner->params.push_back(dot);
      derivative.params.push_back({dot, ParamRole::Shadow, i, isPointer(param->type) && !nullable[i]});
      if (nullable[i] && isPointer(param->type)) {
        want = owner->makeVar("want_" + param->name, withConst(boolType(), true));
        wants.push_back(makeDecl(
            want, makeBinary(BinaryOp::Ne, makeRef(dot), makeLit("nullptr", int64_t(0), dot->type), boolType())));
      }
    }
    builder.mapVar(param, own, dot, want);
    if (auto fields = listedFields.find(i); fields != listedFields.end() && dot && isRecord(dot->type))
      clearUnlisted(makeRef(dot), "", fields->second, wants);
  }
  Stmt body = builder.run(primal.body, returnsDual);
  if (builder.hasFailed())
    return std::nullopt;
  derivative.movedShared = builder.movedArrays();
  if (llvm::any_of(primal.params, [&](const Var *param) { return isStackOfAdjoint(primal, *param); })) {
    derivative.stack = stackNeedOf(body);
    derivative.stack->bytesPerSlot = std::max(derivative.stack->bytesPerSlot, bytesPerSlot(primal));
  }
  if (Var *sharedBytes = builder.sharedBytesParameter()) {
    owner->params.push_back(sharedBytes);
    derivative.params.push_back({sharedBytes, ParamRole::SharedBytes, 0, false});
  }
  auto &list = llvm::cast<BlockStmt>(body.get())->stmts;
  wants.insert(wants.end(), list.begin(), list.end());
  owner->body = makeBlock(wants);
  auto effects = [this](const CallExpr &call) { return hasEffect(call) ? CallEffect::Any : CallEffect::None; };
  eliminateDead(*owner, effects);
  simplify(*owner, [this](const CallExpr &call) { return hasEffect(call); });
  eliminateDead(*owner, effects);
  derivative.function = std::move(owner);
  return derivative;
}

/// Whether the derivative flows through the memory of a parameter: an output that is
/// read on the way to another one, an input that another one is written to. Its shadow
/// cannot be left out then.
bool TangentMaker::passesOn(const analysis::Activity &activity, unsigned param, const std::vector<bool> &isInput,
                            const std::vector<bool> &isOutput) const {
  const std::vector<Var *> &params = request.primal->params;
  const Type &type = params[param]->type;
  bool isReadOnly = !(isPointer(type) || isReference(type)) || analysis::leadsToConst(type);
  if (isInput[param] && isReadOnly && !isOutput[param])
    return false;
  for (unsigned k = 0; k < params.size(); ++k) {
    if (k == param)
      continue;
    if (!isInput[param] && isOutput[k] && activity.reachedFrom(params[param]).count(params[k]))
      return true;
    if (!isOutput[param] && isInput[k] && activity.reachedFrom(params[k]).count(params[param]))
      return true;
  }
  return !isInput[param] && request.returnIsDependent && activity.reachedFrom(params[param]).count(nullptr);
}

std::optional<Derivative> TangentMaker::makeRequested() {
  const Function &primal = *request.primal;
  analysis::Activity activity(primal, rules, flows);
  OrderedSet<Var> independents, dependents;
  std::vector<bool> shadowed(primal.params.size()), isInput(primal.params.size()), isOutput(primal.params.size());
  for (const Listed &one : request.independents) {
    independents.insert(primal.params[one.param]);
    isInput[one.param] = shadowed[one.param] = true;
  }
  for (const Listed &one : request.dependents) {
    dependents.insert(primal.params[one.param]);
    isOutput[one.param] = shadowed[one.param] = true;
  }
  listedFields = fieldsListed(request);
  independents.insert(request.globalIndependents.begin(), request.globalIndependents.end());
  dependents.insert(request.globalDependents.begin(), request.globalDependents.end());
  activity.solve(independents, dependents, request.returnIsDependent);
  OrderedSet<Var> active = activity.activeGlobals();
  active.insert(request.globalIndependents.begin(), request.globalIndependents.end());
  active.insert(request.globalDependents.begin(), request.globalDependents.end());
  for (Var *global : active) {
    Var *shadow = globalShadows.shadowOf(global, DerivativeMode::Tangent, primal, sink);
    if (!shadow)
      return std::nullopt;
    globals.push_back({global, shadow});
  }
  std::vector<bool> nullable(primal.params.size());
  for (unsigned i = 0; i < primal.params.size(); ++i) {
    bool isListed = shadowed[i];
    shadowed[i] = shadowed[i] || activity.isActive(primal.params[i]);
    nullable[i] = isListed && !(isInput[i] && isOutput[i]) && !passesOn(activity, i, isInput, isOutput);
  }
  std::optional<Derivative> derivative =
      build(primal, request.name, activity, shadowed, nullable, request.returnIsDependent);
  if (!derivative)
    return std::nullopt;
  derivative->needsLauncher = primal.isKernel();
  derivative->mayLackRegisters = analysis::mayLackRegisters(*derivative->function);
  derivative->comment = "Tangent of " + primal.qualifiedName() + ": " + describeLists(request) + ".";
  return derivative;
}

std::optional<Derivative> TangentMaker::makeCallee(const Job &job) {
  const Function &primal = *job.primal;
  listedFields.clear();
  analysis::Activity activity(primal, rules, flows);
  OrderedSet<Var> active;
  for (unsigned i = 0; i < primal.params.size(); ++i)
    if (job.pattern.params[i])
      active.insert(primal.params[i]);
  for (Var *global : job.pattern.globals)
    active.insert(global);
  activity.solve(active, active, job.pattern.result);
  std::vector<bool> nullable = job.pattern.params;
  std::optional<Derivative> derivative =
      build(primal, job.name, activity, job.pattern.params, nullable, job.pattern.result);
  if (!derivative)
    return std::nullopt;
  derivative->isPublic = false;
  // An instance of a template is an ordinary function here: its name tells it apart.
  derivative->function->isTemplateInstance = false;
  derivative->function->templateParameters.clear();
  derivative->function->templateArguments.clear();
  derivative->comment = "Tangent of " + primal.qualifiedName() + ".";
  return derivative;
}

std::vector<Derivative> TangentMaker::make() {
  std::vector<Derivative> made;
  std::optional<Derivative> requested = makeRequested();
  bool failed = !requested;
  while (!failed && !jobs.empty()) {
    Job job = jobs.front();
    jobs.pop_front();
    std::optional<Derivative> callee = makeCallee(job);
    failed = !callee;
    if (callee)
      made.push_back(std::move(*callee));
  }
  if (failed) { // no later request may rely on what was not made
    for (const auto &key : added)
      callees.names.erase(key);
    return {};
  }
  made.push_back(std::move(*requested));
  return inCallOrder(std::move(made));
}

} // namespace

std::vector<Derivative> makeTangent(const Request &request, const rules::RuleTable &rules, TangentCallees &callees,
                                    GlobalShadows &globalShadows, DiagnosticSink &sink) {
  return TangentMaker(request, rules, callees, globalShadows, sink).make();
}

} // namespace gpuad::transform
