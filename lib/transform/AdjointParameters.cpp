//===- AdjointParameters.cpp - parameters and shadows --------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AdjointMaker.h"
#include "transform/MovedShadows.h"

#include "transform/PruneBarriers.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "support/Diagnostics.h"
#include "transform/LoadedPointers.h"
#include "transform/Places.h"

#include <functional>
#include <utility>

namespace gpuad::transform {
using namespace ir;

void AdjointMaker::makeParameters() {
  owner = std::make_unique<Function>();
  owner->name = request.name;
  owner->namespaces = primal.namespaces;
  owner->kind = primal.kind;
  owner->returnType = voidType();
  owner->templateParameters = primal.templateParameters;
  owner->templateArguments = primal.templateArguments;
  owner->isTemplateInstance = primal.isTemplateInstance;
  owner->attributes = primal.attributes;
  owner->isStatic = primal.isStatic;
  owner->isInline = primal.isInline;
  owner->range = primal.range;
  for (unsigned i = 0; i < primal.params.size(); ++i) {
    Param made;
    if (pattern)
      ownParameter(i, made);
    else
      made.own = owner->makeVar(primal.params[i]->name, primal.params[i]->type, Storage::Parameter);
    made.own->range = primal.params[i]->range;
    params.push_back(made);
  }
  if (!pattern)
    return;
  owner->kind = pattern->kind;
  owner->isTemplateInstance = false;
  owner->templateParameters.clear();
  owner->templateArguments.clear();
}

/// The objects that a HEAD lists: (x, "") for arrays and values, (v, ".base") for
/// what the pointers of a by-value struct reach.
std::set<MemoryBase, InOrder> AdjointMaker::objectsOf(const std::vector<Listed> &listed) const {
  std::set<MemoryBase, InOrder> objects;
  for (const Listed &one : listed) {
    Var *own = params[one.param].own;
    std::string path;
    for (const std::string &field : one.fields)
      path += "." + field;
    for (const std::string &pointer : pointersIn(own->type)) // an empty path lists them all
      if (path.empty() || isListedField({path}, pointer.substr(0, pointer.find('*'))))
        objects.insert({own, pointer});
    bool isBehind = isPointer(own->type) || isReference(own->type);
    if (holdsFloating(isBehind ? innermost(elementOf(own->type)) : own->type))
      objects.insert({own, ""});
  }
  return objects;
}

bool AdjointMaker::flowsThrough(const ValueFunction &function, const analysis::ValueActivity &activity,
                                Var *own) const {
  bool stores = false, loads = false;
  std::function<void(const Region &)> visit = [&](const Region &region) {
    auto read = [&](const Expr &e) {
      activity.forEachLeaf(
          e, [&](const Expr &leaf) { loads |= leaf->kind != ExprKind::Ref && memoryBase(leaf).first == own; });
    };
    for (const auto &item : region.items) {
      if (auto *store = llvm::dyn_cast<StoreItem>(item.get())) {
        stores |= memoryBase(store->place).first == own;
        if (activity.isActive(memoryBase(store->place)))
          read(store->increment ? store->increment : store->value);
      }
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get()); value && activity.isActive(value->var))
        read(value->expr);
      if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
        for (unsigned i = 0; i < call->args.size(); ++i)
          loads |= call->args[i].isMemory && memoryBase(call->args[i].value).first == own &&
                   activity.isActiveArgument(*call, i);
      if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
        visit(branch->thenRegion);
        visit(branch->elseRegion);
      }
      if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
        visit(loop->body);
    }
  };
  visit(function.body);
  return stores && loads;
}

/// What the shadow of an array holds: numbers that are added into; behind pointers, too.
static Type shadowElement(const Type &element) {
  return withConst(isPointer(element) ? pointerTo(withConst(elementOf(element), false)) : element,
                   isPointer(element) && element->isConst);
}

/// Which parameters get a shadow, and of which form.
void AdjointMaker::shadowParameters(const ValueFunction &function, const analysis::ValueActivity &activity) {
  if (pattern)
    return shadowArguments();
  for (unsigned i = 0; i < params.size(); ++i) {
    Param &param = params[i];
    auto lists = [&](const std::vector<Listed> &listed) {
      for (const Listed &one : listed)
        if (one.param == i)
          return true;
      return false;
    };
    bool isInput = lists(request.independents), isOutput = lists(request.dependents);
    param.listed = isInput || isOutput;
    bool active = param.listed;
    for (const MemoryBase &object : activity.variedObjects())
      active |= object.first == param.own && activity.isActive(object);
    if (!active)
      continue;
    const Type &type = param.own->type;
    std::string name = param.own->name + "_bar";
    Type shadow;
    if (isPointer(type)) {
      shadow = pointerTo(shadowElement(elementOf(type)));
    } else if (isReference(type)) {
      const Type &element = elementOf(type);
      shadow = pointerTo(withConst(isArray(element) ? elementOf(element) : element, false));
    } else if (isRecord(type) && !holdsFloating(type)) {
      shadow = withConst(type, false); // a view: its pointers point to shadow data
    } else {
      shadow = pointerTo(withConst(type, false));
    }
    param.shadow = owner->makeVar(name, shadow, Storage::Parameter);
    param.mustNotBeNull = (isInput && isOutput) || !param.listed || flowsThrough(function, activity, param.own);
    bool byValue = !isPointer(type) && !isReference(type) && holdsFloating(type);
    if (byValue) {
      param.mustNotBeNull = false;
      param.sum = owner->makeVar(param.own->name + "_sum", withConst(type, false));
    }
    findViewPointers(param, activity);
    if (!param.mustNotBeNull && isPointer(shadow))
      param.want = owner->makeVar("want_" + param.own->name, withConst(boolType(), true));
  }
  for (Param &param : params) {
    owner->params.push_back(param.own);
    if (param.shadow)
      owner->params.push_back(param.shadow);
  }
  if (request.returnIsDependent) {
    returnBar = owner->makeVar("return_bar", withConst(stripReference(primal.returnType), false), Storage::Parameter);
    owner->params.push_back(returnBar);
  }
}

bool AdjointMaker::shadowSharedArrays(const ValueFunction &function, const analysis::ValueActivity &activity) {
  Var *dynamic = nullptr;
  uint64_t own = 0, all = 0;
  for (Var *array : function.sharedArrays) {
    own += bytesOf(array->type);
    all += bytesOf(array->type) * (activity.isActive(MemoryBase{array, ""}) ? 2 : 1);
  }
  if (all > MostShared) {
    diag::report(sink, diag::Id::NotInReverse, primal.nameRange,
                 "so much shared memory, which with its shadow is more than any GPU has for a block,");
    return false;
  }
  bool moves = own <= MostStaticShared && all > MostStaticShared;
  auto takeBytes = [&] {
    if (!sharedBytes)
      owner->params.push_back(sharedBytes = owner->makeVar("shared_bytes", unsignedType(), Storage::Parameter));
  };
  for (Var *array : function.sharedArrays) {
    if (array->storage == Storage::DynamicShared && std::exchange(dynamic, array)) {
      diag::report(sink, diag::Id::NotInReverse, array->range,
                   "a second name for dynamic shared memory ('" + array->name + "')");
      return false;
    }
    Var *shadow = nullptr;
    if (activity.isActive(MemoryBase{array, ""})) {
      bool isDynamic = array == dynamic, isMoved = moves && !isDynamic;
      Type type = isDynamic ? pointerTo(elementOf(array->type)) : isMoved ? referenceTo(array->type) : array->type;
      shadow = owner->makeVar(array->name + "_bar", type, isDynamic || isMoved ? Storage::Local : array->storage);
      shadow->alignment = isDynamic || isMoved ? "" : array->alignment;
      if (isDynamic || isMoved) {
        sharedPointers.insert(shadow);
        takeBytes();
      }
      if (isMoved)
        movedShared.push_back(array->type);
    }
    sharedArrays.push_back({array, shadow});
  }
  return true;
}

/// Declarations of shared memory; the shadows start at zero, set by all threads together.
void AdjointMaker::shareArrays(std::vector<Stmt> &to) {
  auto call = [&](const char *name, std::vector<Expr> args, Type type) {
    Callee callee;
    callee.name = callee.spelling = name;
    return makeCall(callee, std::move(args), std::move(type));
  };
  std::vector<Expr> shadows;
  if (sharedBytes)
    to.push_back(returnUnlessRoom(owner->name, sharedBytes, movedShared));
  std::vector<Type> moved;
  for (auto [array, shadow] : sharedArrays) {
    to.push_back(makeDecl(array));
    if (!shadow)
      continue;
    if (isReference(shadow->type)) {
      to.push_back(makeDecl(shadow, shadowInDynamic(array->type, sharedBytes, moved)));
      moved.push_back(array->type);
      shadows.push_back(makeRef(shadow));
      continue;
    }
    if (sharedPointers.count(shadow)) {
      to.push_back(
          makeDecl(shadow, call("gpuad::behind_shared", {makeRef(array), makeRef(sharedBytes)}, shadow->type)));
      to.push_back(makeDo(call("gpuad::clear_shared_bytes", {makeRef(shadow), makeRef(sharedBytes)}, voidType())));
      continue;
    }
    to.push_back(makeDecl(shadow));
    shadows.push_back(makeRef(shadow));
  }
  if (!shadows.empty())
    to.push_back(makeDo(call(ClearShared, shadows, voidType())));
}

/// Where the memory lies that a parameter leads to.
MemorySpace AdjointMaker::spaceOf(unsigned param) const {
  if (pattern)
    return pattern->args[param].space;
  return primal.isKernel()                   ? MemorySpace::Global
         : primal.kind == FunctionKind::Host ? MemorySpace::Private
                                             : MemorySpace::Generic;
}

/// Tells the builder where adjoints live.
void AdjointMaker::connect(AdjointBuilder &builder) {
  for (auto [array, shadow] : sharedArrays)
    if (shadow)
      builder.useShadow({array, ""}, Shadow{makeRef(shadow), nullptr, MemorySpace::Shared});
  connectGlobals(builder);
  for (unsigned i = 0; i < params.size(); ++i) {
    Param &param = params[i];
    if (!param.shadow)
      continue;
    if (param.sum) {
      bool isMemory = isRecord(param.own->type);
      builder.useBar(param.own, param.sum);
      if (isMemory)
        builder.useShadow({param.own, ""}, Shadow{makeRef(param.sum), nullptr});
    }
    const Type &type = param.own->type;
    if (isPointer(type))
      builder.useShadow({param.own, ""}, Shadow{makeRef(param.shadow), param.want, spaceOf(i)});
    for (const std::string &table : param.tables) { // what the caller keeps pointers to, it allocated
      builder.useShadow({param.own, table},
                        Shadow{makeRef(param.shadow), param.want, spaceOf(i), !param.mustNotBeNull});
      if (isRecord(type))
        builder.usePointersOf(param.own,
                              isPointer(param.shadow->type) ? makeDeref(makeRef(param.shadow)) : makeRef(param.shadow));
    }
    if (isReference(type)) {
      Expr root = makeRef(param.shadow);
      builder.useShadow({param.own, ""},
                        Shadow{isArray(elementOf(type)) ? root : makeDeref(root), param.want, spaceOf(i)});
    }
    for (const ViewPointer &view : param.views)
      builder.useShadow({param.own, view.path}, Shadow{makeRef(view.pointer), view.want, spaceOf(i)});
  }
}

/// Locals for the pointers of a struct's shadow: their elements are written, const or
/// not in the type of the struct.
void AdjointMaker::findViewPointers(Param &param, const analysis::ValueActivity &activity) {
  for (const std::string &path : pointersIn(param.own->type)) {
    if (!activity.isActive(MemoryBase{param.own, path}) && !param.listed)
      continue;
    if (path.back() == '*') {
      param.tables.push_back(path);
      continue;
    }
    ViewPointer view;
    view.path = path;
    view.source = isPointer(param.shadow->type) ? makeDeref(makeRef(param.shadow)) : makeRef(param.shadow);
    std::string name = param.own->name;
    for (size_t at = 1; at <= path.size();) {
      size_t dot = std::min(path.find('.', at), path.size());
      std::string field = path.substr(at, dot - at);
      name += "_" + field;
      view.source = makeMember(view.source, *fieldIndex(view.source->type, field));
      at = dot + 1;
    }
    const Type &element = elementOf(view.source->type);
    view.pointer = owner->makeVar(name + "_bar", pointerTo(withConst(element, false)));
    if (element->isConst)
      view.source = makeCast(CastStyle::Const, view.source, view.pointer->type);
    if (!param.mustNotBeNull)
      view.want = owner->makeVar("want_" + name, withConst(boolType(), true));
    param.views.push_back(view);
  }
}

std::vector<Stmt> AdjointMaker::prologue() {
  std::vector<Stmt> list;
  for (const Param &param : params)
    if (param.want)
      list.push_back(makeDecl(param.want, makeBinary(BinaryOp::Ne, makeRef(param.shadow),
                                                     makeLit("nullptr", int64_t(0), param.shadow->type), boolType())));
  for (const Param &param : params)
    for (const ViewPointer &view : param.views) {
      Expr none = makeLit("nullptr", int64_t(0), view.pointer->type);
      Expr source = param.want && view.want ? makeSelect(makeRef(param.want), view.source, none, view.pointer->type)
                                            : view.source;
      list.push_back(makeDecl(view.pointer, source));
      if (view.want)
        list.push_back(makeDecl(view.want, makeBinary(BinaryOp::Ne, makeRef(view.pointer),
                                                      makeLit("nullptr", int64_t(0), view.pointer->type), boolType())));
    }
  for (const Param &param : params)
    if (param.seed)
      list.push_back(makeDecl(param.seed, makeDeref(makeRef(param.shadow))));
  for (const Param &param : params)
    if (param.sum)
      list.push_back(makeDecl(param.sum, zeroOf(param.sum->type)));
  declareGlobalSums(list);
  shareArrays(list);
  return list;
}

/// Adds what a thread summed for a by-value parameter, each floating field by itself that is asked for.
void AdjointMaker::addLeaves(std::vector<Stmt> &to, const Expr &place, const Expr &value, const Type &type,
                             const FieldList *listed, const std::string &path) {
  if (isRecord(type)) {
    for (unsigned i = 0; i < type->record->fields.size(); ++i) {
      const Field &field = type->record->fields[i];
      std::string name = path.empty() ? field.name : path + "." + field.name;
      bool isAskedFor = !listed || isListedField(*listed, name) || isRecord(field.type);
      if (holdsFloating(field.type) && isAskedFor)
        addLeaves(to, makeMember(place, i), makeMember(value, i), field.type,
                  listed && isListedField(*listed, name) ? nullptr : listed, name);
    }
    return;
  }
  if (isArray(type)) {
    to.push_back(forEachIndex(*owner, type, "k", [&](const Expr &index) {
      std::vector<Stmt> body;
      addLeaves(body, makeIndex(place, index), makeIndex(value, index), elementOf(type));
      return body;
    }));
    return;
  }
  AccumHow how = pattern             ? AccumHow::Plain // into a variable of the caller's
                 : primal.isKernel() ? AccumHow::BlockReduced
                                     : AccumHow::Undecided;
  to.push_back(makeAccum(place, value, how));
}

std::vector<Stmt> AdjointMaker::epilogue() {
  std::vector<Stmt> list;
  std::map<unsigned, FieldList> listedFields = fieldsListed(request);
  for (const Param &param : params) {
    if (!param.sum)
      continue;
    Expr place = makeDeref(makeRef(param.shadow));
    if (param.seed) { // the seed is used up: left is the adjoint of what the object held before
      list.push_back(makeAssign(place, makeRef(param.sum)));
      continue;
    }
    std::vector<Stmt> adds;
    auto listed = listedFields.find(unsigned(&param - params.data()));
    addLeaves(adds, place, makeRef(param.sum), param.sum->type,
              listed == listedFields.end() || pattern ? nullptr : &listed->second, "");
    if (!param.want) {
      list.insert(list.end(), adds.begin(), adds.end());
      continue;
    }
    list.push_back(makeIf(makeRef(param.want), makeBlock(adds)));
  }
  addGlobalSums(list);
  return list;
}

} // namespace gpuad::transform
