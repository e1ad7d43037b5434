//===- ValueFormBuilder.h - state of toValueForm -------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform. Online SSA construction: the builder walks structured
/// code with an environment that binds every surface variable to the value it
/// holds at that point (Braun et al., "Simple and efficient construction of static
/// single assignment form", CC 2013, for structured control flow).
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_VALUEFORMBUILDER_H
#define GPUAD_TRANSFORM_VALUEFORMBUILDER_H

#include "ir/Builder.h"
#include "ir/ValueForm.h"
#include "rules/RuleTable.h"
#include "support/Diagnostics.h"
#include "transform/CalleePlan.h"
#include "transform/Sums.h"

#include <map>
#include <set>

namespace gpuad::transform {

/// What a surface variable holds: one value, or for a struct that was written in
/// parts, a binding for each field. A null value is undefined.
struct Binding {
  ir::Expr value;
  std::vector<Binding> parts;
  bool isSplit() const { return !parts.empty(); }
};

struct PlaceChoice;

/// A place: a surface variable with a path of fields, or memory; or one of two places.
struct Place {
  ir::Var *local = nullptr;
  std::vector<unsigned> path;
  ir::Expr memory;
  ir::Type type;
  /// Of a variable that is seen as an object of a base class: the first of its fields.
  std::optional<unsigned> firstField;
  std::shared_ptr<const PlaceChoice> choice; ///< then there is neither a variable nor memory
};

/// Behind a pointer that leads to one array or another.
struct PlaceChoice {
  ir::Expr condition;
  Place first, second;
  std::string name = "chosen"; ///< of what is loaded from there
  /// Of the numbers of one object, chosen by an index: what says that it is the second, unless that is a choice.
  ir::Expr isSecond = nullptr;
};

using Base = ir::MemoryBase;

/// What is known about memory at a point of the program.
struct MemoryState {
  struct Known {
    ir::Expr place, value;
  };
  std::map<Base, std::vector<Known>> known;     ///< values that were just stored or loaded
  std::map<Base, std::vector<ir::Expr>> stored; ///< places that may have been stored to
  std::set<Base> storedAnywhere;                ///< places unknown: by earlier iterations
};

/// What threads do to memory together.
struct AtomicUpdate {
  rules::AtomicOp op = rules::AtomicOp::None;
  std::string function;
  ir::Expr value;
};

class ValueFormBuilder {
public:
  ValueFormBuilder(ir::Function &owner, const rules::RuleTable &rules, const KeptCalls &kept, DiagnosticSink &sink)
      : owner(owner), rules(rules), kept(kept), sink(sink) {}

  /// Reads what the primal's own run kept.
  void useRecord(ir::Var *var) {
    record = var;
    keptCount = owner.makeVar("kept", ir::intType());
    environment[keptCount] = Binding{ir::intLit(0), {}};
  }
  void bindParameter(ir::Var *primal, ir::Var *own);
  void bindObject(unsigned param, ir::Var *primal, ir::Var *own);
  /// Two pointer parameters, as the builder's own, that may be one array.
  void allowAlias(ir::Var *a, ir::Var *b) { partners.insert(partners.end(), {{a, b}, {b, a}}); }
  /// Builds the body of `function`; returns the value it returns, or null.
  ir::Expr run(const ir::Function &function, ir::Region &into);
  bool hasFailed() const { return failed; }
  const std::vector<ir::Var *> &sharedArrays() const { return shared; }
  const std::set<std::pair<ir::Var *, ir::Var *>, ir::InOrder> &loadedAfterStore() const { return aliasQuestions; }
  std::vector<ir::ApartPointers> fieldsLoadedAfterStore() const;
  const std::vector<ir::Stmt> &localDeclarations() const { return declarations; }
  std::vector<ir::BoundObject> objectsAtEnd();

private:
  using Environment = ir::OrderedMap<ir::Var, Binding>;

  // Statements (ValueFormStmt.cpp).
  void block(const ir::Stmt &s);
  void statement(const ir::Stmt &s);
  void declaration(const ir::DeclStmt &s);
  void assignment(const ir::AssignStmt &s);
  void effect(const ir::DoStmt &s);
  void branch(const ir::IfStmt &s);
  void switchOf(const ir::SwitchStmt &s);
  void makeBranch(ir::Expr condition, llvm::function_ref<void()> thenBody, llvm::function_ref<void()> elseBody,
                  SourceRange range);
  bool mergePointers(Binding &merged, const ir::Expr &thenValue, const ir::Expr &elseValue, const std::string &name,
                     ir::BranchItem &item);
  void mergeBindings(ir::Var *surface, Binding &merged, const Binding &thenOne, const Binding &elseOne,
                     const ir::Type &type, const std::string &name, ir::BranchItem &item);
  void mergeMemory(const MemoryState &thenState, const MemoryState &elseState, ir::BranchItem *item);

  // Loops (ValueFormLoop.cpp).
  /// A loop of the surface code.
  struct LoopSource {
    std::vector<ir::Stmt> init, increment;
    ir::Expr condition; ///< null: true
    ir::Stmt body;
    std::string pragma;
    SourceRange range;
    ir::Expr mostTrips; ///< null: no bound is known
  };
  /// A variable, or a part of one, that some iteration assigns.
  struct Change {
    ir::Var *surface = nullptr;
    std::vector<unsigned> path;
    ir::Type type;
    std::string name;
    ir::Expr before, after; ///< what it holds in front of a trial iteration, a value of its own, and behind it
  };
  struct LoopChanges {
    std::vector<Change> variables;
    std::set<Base> storedBases;
    ir::OrderedSet<ir::Var> inBody; ///< variables that the body itself assigns, however it names them
    bool assigns(ir::Var *surface) const {
      for (const Change &change : variables)
        if (change.surface == surface)
          return true;
      return false;
    }
  };
  /// An element of memory that a loop keeps in a variable (ValueFormPromote.cpp).
  struct Promoted {
    ir::Expr place, value;
    ir::Expr runs;          ///< whether there is an iteration
    bool wasStored = false; ///< to the object, at places unknown, in front of the loop
  };
  void promote(ir::LoopItem &loop, const MemoryState &before, std::vector<Promoted> &promoted);
  void storePromoted(const std::vector<Promoted> &promoted, const SourceRange &range);
  void loop(const ir::Stmt &s);
  void buildLoop(LoopSource source);
  // Checkpoints (ValueFormCheckpoint.cpp).
  void buildCheckpointed(LoopSource source, uint64_t states);
  void keepAsAsked(Binding &binding, const ir::Var &surface, const SourceRange &range);
  ir::Expr bindHelper(const ir::Expr &value, const std::string &name);
  ir::Var *counterOf(LoopSource &source);
  void takeIncrement(LoopSource &source);
  bool asCounted(const LoopSource &source, ir::Var *counter, const LoopChanges &changes, ir::LoopItem &item);
  static bool declares(const LoopSource &source, const ir::Var *counter);
  void leaveCounted(ir::Var *counter, const ir::LoopItem &item);
  // What an iteration changes (ValueFormTrial.cpp).
  LoopChanges changesOf(const LoopSource &source);
  void compareBindings(const Binding &before, const Binding &after, Change change, LoopChanges &changes);
  // Pointers that lead to one array or another (ValueFormPointers.cpp).
  /// A pointer that leads to several arrays in turn while a loop runs.
  struct Wanderer {
    Change change;
    std::vector<ir::Expr> bases;
    ir::Expr before;              ///< what it holds in front of the loop
    ir::Expr current;             ///< what it holds in an iteration: an address in each of the bases
    bool hasOffset = false;       ///< it does not always lead to the first element
    size_t which = 0, offset = 0; ///< their places among what the loop carries
  };
  /// Those whose arrays only change places, in each iteration in the same way.
  struct Turns {
    ir::Var *count = nullptr; ///< iterations so far; null: it is not so simple
    std::vector<size_t> next; ///< whose place each of them takes
  };
  std::vector<Wanderer> followPointers(const LoopSource &source, LoopChanges &changes);
  bool addBases(Wanderer &one, const ir::Expr &pointer);
  Turns turnsOf(const std::vector<Wanderer> &wanderers);
  ir::Expr pointerInTurn(const std::vector<Wanderer> &wanderers, size_t one, const Turns &turns) const;
  void carryPointers(std::vector<Wanderer> &wanderers, Turns &turns, ir::LoopItem &item);
  void finishPointers(const std::vector<Wanderer> &wanderers, const Turns &turns, ir::LoopItem &item);
  void carry(const Change &change, ir::LoopItem &item);
  void finishCarried(const Change &change, ir::Carried &carried, const ir::Expr &base);

  // Expressions (ValueFormExpr.cpp).
  ir::Expr eval(const ir::Expr &e);
  ir::Expr evalNode(const ir::Expr &e);
  ir::Expr evalCast(const ir::CastExpr &e, const ir::Expr &whole);
  ir::Expr evalAs(const std::string &name, const ir::Expr &e);
  ir::Expr evalChoice(const ir::SelectExpr &e);
  ir::Expr evalLogical(const ir::BinaryExpr &e);
  ir::Expr evalBinary(const ir::BinaryExpr &e);
  ir::Expr evalCall(const ir::CallExpr &e, const ir::Expr &whole);
  ir::Expr inlineCall(const ir::CallExpr &e);
  struct Argument {
    Binding binding;
    ir::Var *object = nullptr; ///< of parameters that are memory, by value
  };
  Argument argumentFor(ir::Var *param, const ir::Expr &written, const SourceRange &range,
                       ir::OrderedSet<ir::Var> &outer);
  // Calls that stay calls (ValueFormKept.cpp).
  struct Passed {
    ir::CallArgument argument;
    Place place;              ///< what is written behind the call
    ir::Var *local = nullptr; ///< the variable that the callee reaches by address
    Base base;                ///< the memory that it reaches
  };
  bool hasEffectsInside(const ir::Function &callee) const;
  std::optional<ir::Expr> keepCall(const ir::CallExpr &e, const std::vector<Argument> &arguments, size_t first);
  std::optional<Passed> passedFor(const ir::Function &callee, unsigned param, const Argument &argument);
  std::optional<Passed> passObject(ir::Var *param, const analysis::ParamShape &shape, Place place,
                                   const SourceRange &range);
  std::optional<Passed> passMemory(const analysis::ParamShape &shape, const ir::Expr &address);
  static bool overlap(const std::vector<Passed> &passed);
  Place placeOfCall(const ir::CallExpr &e);
  ir::Expr expand(const ir::CallExpr &call, const rules::Rule &rule, const SourceRange &range);
  /// Variables of a scope that is left are forgotten: when the code runs again, its
  /// loops and branches must not take them for variables that they change.
  ir::OrderedSet<ir::Var> boundVariables() const;
  void forgetAllBut(const ir::OrderedSet<ir::Var> &outer);
  Place evalPlace(const ir::Expr &e);
  Place findPlace(const ir::Expr &e);
  void refuseVolatile(const Place &place, const SourceRange &range);
  bool volatileRefused = false; ///< said once
  Place placeOfVariable(const ir::Expr &e);
  Place placeBehind(const ir::Expr &pointer, const ir::Expr &index, const ir::Type &type, const SourceRange &range);
  Place placeOfAddress(const ir::Expr &place);
  ir::Expr addressOf(const Place &place);
  ir::Expr movedPointer(const ir::Expr &pointer, ir::Expr offset, bool isBack, const SourceRange &range);
  std::optional<Place> elementOfObject(const ir::Expr &pointer, const ir::Expr &index, const ir::Type &type,
                                       const SourceRange &range);
  ir::Expr loadChosen(const Place &place, const SourceRange &range);
  ir::Expr loadParts(const ir::Expr &place, const SourceRange &range);
  void bindChosen(const Place &place, const ir::Expr &value, const SourceRange &range);
  ir::Expr settledPointer(const ir::Expr &pointer, const std::string &name, const SourceRange &range);
  ir::Expr mergedPointer(const ir::Expr &pointer, bool isThen, const std::string &name, ir::BranchItem &item);
  ir::Expr load(const Place &place, const SourceRange &range);
  ir::Expr atom(const ir::Expr &e, const std::string &name, const SourceRange &range);
  ir::Expr named(const ir::Expr &e, const std::string &name, const SourceRange &range, ir::LoadClass load,
                 bool isTemporary);
  ir::Expr exchange(const ir::CallExpr &e, const ir::Expr &whole, bool isOfBlock);
  void nameExchange(const ir::Expr &value, const std::string &name);
  ir::Var *unnamedExchange = nullptr; ///< of a block: takes the name of the variable that it is given to

  // Bindings (ValueFormExpr.cpp).
  Binding *find(ir::Var *local, const std::vector<unsigned> &path, bool split);
  void splitBinding(Binding &binding, const ir::Type &type);
  ir::Expr wholeValue(const Binding &binding, const ir::Type &type);
  void bind(const Place &place, const ir::Expr &value, const SourceRange &range);
  Binding bindingFor(const ir::Expr &value, const ir::Type &type, const std::string &name, const SourceRange &range);

  // Objects with arrays, and base classes (ValueFormObjects.cpp).
  ir::Var *newObject(const ir::Type &type, const std::string &name, const ir::Expr &init, const SourceRange &range);
  ir::Var *copyOf(const ir::Expr &value, bool isFresh, const ir::Type &type, const std::string &name,
                  const SourceRange &range);
  ir::Expr objectOf(const ir::Expr &value, const std::string &name, const SourceRange &range);
  ir::Expr chooseObject(const ir::Expr &condition, const ir::SelectExpr &e);
  void storeObject(const Place &place, const ir::Expr &value, const SourceRange &range);
  ir::Expr elementValue(const ir::Expr &array, const ir::Expr &index, const ir::Type &type, const SourceRange &range);
  void copyInLoop(const Place &place, const ir::Expr &value, const SourceRange &range);
  Place fieldOf(Place place, unsigned field, const ir::Type &type, const SourceRange &range);
  bool isBaseOfMemory(const Place &place) const;
  Place asClass(Place place, const ir::Type &type, const SourceRange &range);
  ir::Expr loadBase(const Place &place, const SourceRange &range);
  ir::Expr castObjectAddress(const ir::Expr &pointer, const ir::Type &type, const SourceRange &range);

  // Memory (ValueFormMemory.cpp).
  ir::Expr loadMemory(const ir::Expr &place, const SourceRange &range);
  void storeMemory(const ir::Expr &place, const ir::Expr &value, const SourceRange &range);
  bool holdsAlready(const ir::Expr &place, const ir::Expr &value) const;
  ir::StoreItem *overwrittenStore(const ir::Expr &place);
  void refuseUnknownOrigin(const ir::Expr &place, const Base &base, const SourceRange &range);
  void noteField(const Base &base, const ir::Expr &place);
  void askAboutFields(const Base &loaded, const Base &stored);
  void askAboutAliases(const Base &loaded);
  bool isPartner(const Base &a, const Base &b) const;
  ir::Expr loadBesidePartners(const ir::Expr &place, const ir::Expr &own);
  void clobber(const Base &base, const ir::Expr &place);
  bool isLocalArray(const Base &base) const;
  ir::Var *sharedArray(ir::Var *surface);
  void passBarrier();

  // Atomics (ValueFormAtomic.cpp).
  void offerNumber(const ir::CallExpr &call, const ir::CallExpr &offer, const SourceRange &range);
  ir::Expr resultKept(const ir::CallExpr &e);
  ir::Expr resultUnread(const ir::CallExpr &e, const rules::Rule &rule);
  const char *whyOrdered(const Base &base, const AtomicUpdate &update);
  struct Update {
    const ir::CallExpr &call;
    const std::vector<ir::Expr> &args; ///< evaluated; the first one, the address, is open
    ir::Expr value;
  };
  void updatePlace(const Place &place, const Update &update, const rules::Rule &rule, const SourceRange &range);
  void updateAtomically(const ir::CallExpr &call, const rules::Rule &rule, const SourceRange &range);

  template <class... Args> void refuse(diag::Id id, const SourceRange &range, Args &&...args) {
    failed = true;
    if (speculating == 0)
      diag::report(sink, id, range, std::forward<Args>(args)...);
  }
  template <class Kind> Kind &emit(const SourceRange &range) {
    auto item = std::make_unique<Kind>();
    item->range = range;
    Kind &made = *item;
    region->items.push_back(std::move(item));
    return made;
  }
  template <class Body> void in(ir::Region &other, Body body) {
    ir::Region *saved = region;
    region = &other;
    body();
    region = saved;
  }

  ir::Function &owner;
  const rules::RuleTable &rules;
  const KeptCalls &kept;
  DiagnosticSink &sink;
  ir::Region *region = nullptr;
  std::vector<std::pair<unsigned, ir::Var *>> boundObjects; ///< parameters, and the variables that hold their objects
  Environment environment;
  MemoryState memory;
  ir::OrderedMap<ir::Var, ir::Var *> arrays;            ///< surface array -> the owner's
  ir::OrderedMap<ir::Var, ir::ArrayItem *> localArrays; ///< of the owner, with where they are made
  ir::OrderedMap<ir::Var, ir::Var *> sharedOf;          ///< surface variable -> the owner's
  std::vector<ir::Var *> shared;                        ///< of the owner
  ir::OrderedMap<ir::Var, ir::Expr> namedPlaces;        ///< value -> the place that it was loaded from
  std::vector<const ir::Function *> callStack;
  ir::OrderedMap<const ir::Function, std::pair<ir::Stmt, ir::Var *>> structured;
  std::set<std::pair<ir::Var *, ir::Var *>, ir::InOrder> aliasQuestions;
  std::map<Base, ir::Expr, ir::InOrder> pointers;           ///< of parameters and by-value structs
  std::set<std::pair<Base, Base>> fieldQuestions;           ///< the same for pointers in structs
  ir::OrderedMap<ir::Var, AtomicUpdate> updatedSince;       ///< shared arrays, since the last barrier of the block
  std::string choiceName = "chosen";                        ///< of the value of the next conditional expression
  std::vector<std::pair<ir::Var *, ir::Var *>> partners;    ///< parameters that may be one array, in both orders
  ir::OrderedMap<const ir::StmtNode, ir::Expr> mostTripsOf; ///< loops with a bound on their trip count
  std::vector<ir::Stmt> declarations;                       ///< of local types, which both sweeps may name
  ir::Var *record = nullptr;                                ///< what the primal's run kept; null: nothing
  ir::Var *keptCount = nullptr; ///< as a variable of the user's: how much it has kept so far
  unsigned speculating = 0;
  bool failed = false;
};

/// A place made from each of the places that it may be.
Place eachPlace(const Place &place, llvm::function_ref<Place(const Place &)> change);
/// A pointer made from each of the addresses that it may be.
ir::Expr eachAddress(const ir::Expr &pointer, llvm::function_ref<ir::Expr(const ir::Expr &)> change);
/// &a[i][j] as an address among all elements of `a`, for arithmetic that may leave the row. Others stay.
ir::Expr flatAddress(const ir::Expr &address);
/// A place that such an address leads to, with an index for each dimension where these are known.
ir::Expr structuredPlace(const ir::Expr &place);
/// The address of another place in the same row, or array.
ir::Expr movedAddress(const ir::Expr &address, const ir::Expr &place);
/// A pointer that leads to one array or another.
bool isChoice(const ir::Expr &pointer);

/// The sum of two integer expressions with literals folded: (i + 1) + 2 is i + 3.
ir::Expr foldedSum(const ir::Expr &a, const ir::Expr &b);
/// Whether a and b name different memory for sure, given the same base.
bool provablyDifferent(const ir::Expr &a, const ir::Expr &b);
/// `var = var + step` or `var = var - step`: the step, negative ones negated; null for
/// any other statement.
ir::Expr stepOf(const ir::Stmt &increment, ir::Var *&var, bool &isNegative);
/// The type of offsets from a base pointer, wide enough that sums of them do not
/// overflow where pointer arithmetic would not.
ir::Type offsetType();
/// A symbolic pointer as (base pointer or array, offset in elements); none for the
/// address of a variable.
std::optional<std::pair<ir::Expr, ir::Expr>> baseAndOffset(const ir::Expr &pointer);
/// Arrays and structs with arrays are memory; other structs are split into values.
bool isMemoryType(const ir::Type &type);
/// A struct of values, some of which are pointers: it is taken apart where it changes.
bool holdsPointers(const ir::Type &type);
/// A call of a function of the module that returns a reference.
bool isReferenceCall(const ir::Expr &e);
/// A call of which the value is an object of its own.
bool isFreshObject(const ir::Expr &e);
/// Whether the expression is a value, a literal, or nothing more than that.
bool isAtom(const ir::Expr &e);
bool isNumber(const ir::Expr &e); ///< a literal
double numberOf(const ir::Expr &e);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_VALUEFORMBUILDER_H
