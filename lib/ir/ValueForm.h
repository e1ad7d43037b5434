//===- ValueForm.h - structured SSA --------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The form in which reverse mode works. Every scalar local becomes *values* that
/// are defined once; branches yield values through merges, loops through carried
/// variables; what is left as memory is what really is memory: arrays, and what
/// pointers reach. Calls of functions of the module are inlined, or items of their
/// own when the function has an adjoint of its own; early exits are gone (structured),
/// so a slice of a region can be run again anywhere its free values are known.
///
/// The region tree is the normal form that theory calls a structured region tree;
/// merges and carried variables are the block arguments of MLIR's scf dialect.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_VALUEFORM_H
#define GPUAD_IR_VALUEFORM_H

#include "ir/Function.h"

#include <memory>
#include <set>
#include <utility>

namespace gpuad::ir {

/// Identity of the object that a memory place lies in: its root variable and, for
/// pointers inside structs, the path of fields that leads to it: (v, ".base"). A star
/// stands for a pointer that is itself loaded: (rows, "*") for rows[i][k], (m, ".x*") for
/// m->x[k]. Of a pointer, the object that it leads to.
using MemoryBase = std::pair<Var *, std::string>;
MemoryBase memoryBase(const Expr &place);

/// The pointer behind which a place lies; null: it lies in a variable.
Expr pointerOf(const Expr &place);
/// That pointer, where it stands in memory or in an array itself (rows[i] of rows[i][k]); null: it
/// is a variable's or a field's. Two of these may lead to the same memory.
Expr loadedPointer(const Expr &place);
bool isBehindLoaded(const MemoryBase &object);

/// Whether a pointer cast turns numbers into what holds none: the bits of a float as an
/// int. Bytes are taken for a way to reckon addresses.
bool seesBits(const CastExpr &cast);

/// Whether two different pointer parameters may be the same array: they are of one
/// element type, and neither is marked `__restrict__`.
bool mayBeOneArray(const Var *a, const Var *b);

struct Item;
/// A sequence of items that run in order.
struct Region : Ordered {
  std::vector<std::unique_ptr<Item>> items;
};

enum class ItemKind { Value, Store, Array, Branch, Loop, Effect, Call };

/// What a memory load can rely on when it is run again in the reverse sweep.
enum class LoadClass {
  None,  ///< the value is not a load from written memory
  Entry, ///< reads what was there before the function wrote anything
  Array, ///< reads a local or shared array, which the derivative keeps as well
  Stale  ///< may read what the function itself stored: cannot be loaded again
};

struct Item : Ordered {
  ItemKind kind;
  SourceRange range;
  virtual ~Item() = default;

protected:
  explicit Item(ItemKind kind) : kind(kind) {}
};

/// var = expr, the only definition of var.
struct ValueItem : Item {
  ValueItem() : Item(ItemKind::Value) {}
  static bool classof(const Item *item) { return item->kind == ItemKind::Value; }
  Var *var = nullptr;
  Expr expr;
  LoadClass load = LoadClass::None;
  bool isSaved = false; ///< to be put back: it may be uninitialised
  std::string resultOf; ///< the atomic whose result it would be, which nothing may need; empty: another value
  /// The threads of the block wait for each other here, and find the same: what they voted.
  bool isVote = false;
  Stmt mirror; ///< of a vote: the barrier at the mirrored place
};

/// Whether the variable is an array that the derivative has a copy of: in local or
/// shared memory. A shared scalar is an array of one element in value form.
bool isOwnArray(const Var *var);
bool isShared(const Var *var);

/// What a slot holds that is recorded of a variable: an element of an array, a number of an
/// object with arrays inside, where all are of one type, and else the whole.
Type slotType(const Var &var);
/// How many of them the variable has.
uint64_t slotsOf(const Var &var);
/// Whether the object is recorded number by number.
bool isObjectOfSlots(const Var &var);

/// place = value, or an atomic update of place with value.
struct StoreItem : Item {
  StoreItem() : Item(ItemKind::Store) {}
  static bool classof(const Item *item) { return item->kind == ItemKind::Store; }
  Expr place, value;
  /// The increment when value is `place + increment` and the old value serves
  /// nothing else; the shadow is then read and stays.
  Expr increment;
  /// Threads may update one place together: `increment`, and `value`, is what is added, or
  /// for an operation on integers what it is given.
  bool isAtomic = false;
  Expr update; ///< of an atomic: the call, for memory in which the derivative does it again
  bool picks =
      false; ///< an atomic after which one of the numbers that threads offered, or the one that was there, is there
  Expr won;  ///< of such a one: whether it is this thread's number
  Var *old = nullptr; ///< what the place held, to be put back when the store is reversed; null: it is not
};

/// A local array, fresh whenever control comes here.
struct ArrayItem : Item {
  ArrayItem() : Item(ItemKind::Array) {}
  static bool classof(const Item *item) { return item->kind == ItemKind::Array; }
  Var *array = nullptr;
  Expr init; ///< null: uninitialised
};

/// A value that a branch yields.
struct Merge {
  Var *var = nullptr;
  Expr thenValue, elseValue; ///< atoms: a Ref of a value, or a literal
};

struct BranchItem : Item {
  BranchItem() : Item(ItemKind::Branch) {}
  static bool classof(const Item *item) { return item->kind == ItemKind::Branch; }
  Expr condition;         ///< over values
  bool isForExit = false; ///< threads that are not in the arm have left: they may be missing at its barriers
  Region thenRegion, elseRegion;
  std::vector<Merge> merges;
};

/// A value that goes from one iteration to the next. `var` is the value at the
/// start of an iteration and, after the loop, the final one.
struct Carried {
  Var *var = nullptr;
  Expr init, next; ///< atoms
  /// next = var + step with a loop-invariant step: a closed form of the iteration.
  Expr step;
  /// next = var << shift, or var >> -shift: another one. 0: it is not.
  int shift = 0;
  bool hasClosedForm() const { return step || shift != 0; }
};

/// A loop. Counted: iv runs from begin by step while `iv compare end`, all three
/// invariant. Otherwise it runs while `condition` (over values of conditionRegion,
/// carried variables and outer values) holds; a do-loop tests at its end.
struct LoopItem : Item {
  LoopItem() : Item(ItemKind::Loop) {}
  static bool classof(const Item *item) { return item->kind == ItemKind::Loop; }
  bool isCounted = false;
  Var *iv = nullptr;
  Expr begin, end, step; ///< step: positive or negative literal, or an invariant value taken as positive
  BinaryOp compare = BinaryOp::Lt;
  bool stepIsNegative = false;
  std::vector<Carried> carried;
  Region conditionRegion;
  Expr condition;
  Region body;
  std::string pragma;
  /// An upper bound of the trip count known at translation time; 0: none.
  uint64_t staticTrips = 0;
  /// An upper bound of the trip count over values from outside; null: none but itself.
  Expr mostTrips;
  /// The number of iterations that ran, counted by the forward form; not for counted loops.
  Var *trips = nullptr;
  /// It runs as long as the condition holds for any thread of the block. A thread takes part
  /// in the iterations at whose start its condition holds: the first ones, `joined` of them.
  bool isVoted = false;
  Var *joined = nullptr;
};

/// Whether it tells if the thread is still in a voted loop.
bool isMembership(const LoopItem &loop, const Carried &carried);

/// A call that is kept for its effect and carries no derivative: a barrier.
struct EffectItem : Item {
  EffectItem() : Item(ItemKind::Effect) {}
  static bool classof(const Item *item) { return item->kind == ItemKind::Effect; }
  bool isOfBlock = false; ///< all threads of the block wait for each other, not only those of a warp
  bool isOfGrid = false;  ///< all threads of the launch do
  Stmt stmt;
};

/// Whether threads wait here for each other.
bool isBarrier(const Item &item);
/// Whether all threads of the block do.
bool isBarrierOfBlock(const Item &item);
/// Whether all threads of the launch do.
bool isBarrierOfGrid(const Item &item);

/// What a kept call passes for one parameter of its callee.
struct CallArgument {
  Expr value; ///< a value, a list of values for a struct, or an address in memory; null: nothing yet
  /// The variable in which the value is passed, where the callee takes its address: one
  /// that it may write holds another value behind the call. Null: `value` is passed.
  Var *object = nullptr;
  bool isWritten = false; ///< the object is
  bool isMemory = false;  ///< `value` is an address; what it leads to is only read
};

/// A call that is no part of the caller: its callee has an adjoint of its own, writes
/// nothing but its result and the objects passed to it, and reads memory as it was when
/// the caller was entered, or arrays that the derivative keeps.
struct CallItem : Item {
  CallItem() : Item(ItemKind::Call) {}
  static bool classof(const Item *item) { return item->kind == ItemKind::Call; }
  Expr call; ///< as the user wrote it: how the callee is spelled
  const Function *callee = nullptr;
  std::vector<CallArgument> args; ///< one for each parameter of the callee
  Var *result = nullptr;          ///< null: none
};

/// The values that a kept call defines.
std::vector<Var *> valuesOf(const CallItem &item);
/// The arrays of the function's own, local or shared, that it reads.
std::vector<Var *> arraysReadBy(const CallItem &item);

/// A parameter of which the function has a value of its own: an object of the caller's
/// that is passed by reference or by pointer.
struct BoundObject {
  unsigned param = 0;
  Expr last; ///< the value when the function ends
};

/// The call that reads what the primal's own run kept. A thread's place in the launch tells
/// nothing about it.
constexpr const char *KeptResult = "gpuad::record_view::kept";
/// And the one that reads whether a number that it offered was picked.
constexpr const char *KeptWin = "gpuad::record_view::won";
/// Whether e holds such a call.
bool readsKept(const Expr &e);

/// Two pointers in memory or in structs that may lead to one array, which is read behind the
/// first one and stored to behind the second one. Both over parameters and the block's index;
/// null: they cannot be told when a block begins.
struct ApartPointers {
  Expr loaded, stored;
  MemoryBase read, written;
  bool afterStore = false; ///< the primal may read what it has stored
};

/// A function in value form. Variables belong to `owner`.
struct ValueFunction {
  Function *owner = nullptr;
  const Function *primal = nullptr;
  Region body;
  std::vector<Stmt> declarations;   ///< of local types, as text
  Expr result;                      ///< the returned value, an atom; null: void
  std::vector<BoundObject> objects; ///< of an adjoint that its callers share
  bool seedsMayBeZero = false;      ///< a caller may discard what the function gives
  /// Pointer parameters (a, b) where a is loaded after a store to b: were they the
  /// same array, the load could see what was stored.
  std::set<std::pair<Var *, Var *>, InOrder> loadedAfterStore;
  std::vector<ApartPointers> apart;
  OrderedSet<Var> aliased;         ///< pointer parameters that may be the same array as another one
  std::vector<Var *> sharedArrays; ///< in the order of their use
};

} // namespace gpuad::ir

#endif // GPUAD_IR_VALUEFORM_H
