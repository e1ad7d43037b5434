//===- RuleTable.h - what is known about functions -------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A rule says what is known about a function that is not differentiated from its
/// source: math, intrinsics, atomics, barriers, the runtime API. Rules come from
/// YAML files, built in and users' in one schema (docs/rule-schema.md); this is
/// their form in memory, and the only way in which names of functions reach C++.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RULES_RULETABLE_H
#define GPUAD_RULES_RULETABLE_H

#include "gpuad/Diagnostic.h"
#include "ir/LibraryClass.h"
#include "ir/Stmt.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuad::rules {

enum class RuleKind {
  Pure,       ///< result = f(arguments); `partials` are its derivatives
  Inactive,   ///< no derivative; may still read memory or be a barrier to motion when `effects` says so
  Forbidden,  ///< refused when a derivative flows through it, with `note` as advice
  Compose,    ///< `expansion` gives the result, or each number in it, from the numbers in the arguments
  Construct,  ///< the result is an aggregate of the arguments in field order: make_float4
  Load,       ///< the result is the memory at an argument: __ldg(p) is *p
  Store,      ///< writes an argument to memory: __stcs(p, v) is *p = v; without `value`: zero
  Part,       ///< the result points into memory that the first argument stands for
  Undo,       ///< keeps memory at an argument in an object, puts it back, or marks where that begins
  Expand,     ///< stands for a few assignments: sincosf(x, s, c)
  Barrier,    ///< all threads of a group wait
  Fence,      ///< orders memory, waits for nobody
  Collective, ///< lanes exchange values
  Group,      ///< threads do something together through an object; `expansion` says what, without the object
  Atomic,     ///< read-modify-write of memory; `atomicOp` says which
  Memory,     ///< host: allocation, copies, sets
  Library     ///< host library calls
};

/// Whether a function gives the bits of a number, or the number of bits.
enum class Bits { None, OfNumber, ToNumber };

/// Which of its arguments a function gives.
enum class Selection { None, Largest, Smallest };

enum class AtomicOp { None, Add, Sub, Min, Max, Exchange, CompareSwap, IntegerOnly };

/// What a rule asks of a parameter's type where overloads of one name differ in meaning.
enum class TypeClass { Any, Number, Floating, Integer, Float, Double, Half, BFloat16, Pointer, Record };

/// What formulas of kind Group may name besides the parameters, in the order in which arguments follow those of the
/// call: sums over the items of this thread in front of the one in question, and with it; the size of the part of a
/// warp that the object is for.
inline constexpr std::array<const char *, 3> GroupNames = {"before", "through", "width"};

/// How formulas of kind Compose name the numbers in an object, in order: z.x, z.y.
inline constexpr std::array<const char *, 4> PartNames = {"x", "y", "z", "w"};

/// How a partial derivative can fail to be finite at arguments that a program may
/// well pass: then a zero seed times the partial is not zero but NaN, and the
/// product must be guarded by a test of the seed.
enum class Singularity {
  None,
  Pole,        ///< infinite or undefined at some arguments: asin at 1 and above
  NotPositive, ///< infinite or undefined only where this argument is 0 or below: sqrt, log
  Overflow     ///< too large to represent for large arguments only: exp
};

struct RuleParam {
  std::string name;
  std::string defaultValue; ///< empty: none
  bool isOutput = false;    ///< a pointer through which a result comes
  TypeClass type = TypeClass::Any;
  std::vector<std::string> classes; ///< of one of which the argument must be; empty: of any
  Singularity singularity = Singularity::None;
  std::array<double, 2> domain = {0, 0}; ///< where the numeric test samples; lower == upper: not given
  bool hasDomain = false;
};

/// Which precision a spelling computes in.
enum class Precision { Any, Float, Double };

/// One name under which a rule is found.
struct Spelling {
  std::string name;
  Precision precision = Precision::Any;
  bool isFast = false; ///< a hardware approximation: its derivative may use such as well
};

/// A formula of the rule language, parsed: arithmetic, calls of functions that have
/// rules, select(c, a, b), comparisons, parameters, `ret`, names bound by `let`.
struct Formula;
using FormulaRef = std::shared_ptr<const Formula>;

/// What a call does besides giving a value.
struct Effects {
  std::vector<std::string> reads;  ///< parameters whose memory is read, with ranges: "src[0:bytes]"
  std::vector<std::string> writes; ///< parameters whose memory is written
  std::string order;               ///< "stream", "handle", "host": what orders it among others; empty: nothing
  bool io = false;                 ///< seen outside the program, or ends it: printf, assert, trap
  bool isVolatile = false;         ///< gives another value each time: clock, the generators of random numbers
};

/// What an inactive function tells of its thread's place in the launch.
enum class ThreadPlace {
  Unknown, ///< another value for each thread, perhaps
  Same,    ///< the same for all threads
  Block,   ///< the place of the block
  Thread,  ///< the rank of the thread in its block
  Lane,    ///< the rank of the thread in its tile, a part of the block
  Tile     ///< the rank of the tile
};

struct Rule {
  std::string name;
  RuleKind kind = RuleKind::Pure;
  std::vector<std::string> match;
  std::vector<Spelling> spellings; ///< as `match`, with the precision of each
  std::vector<RuleParam> params;
  std::map<std::string, FormulaRef> partials; ///< by parameter; a parameter without one has derivative zero
  std::vector<std::pair<std::string, FormulaRef>> lets;
  std::vector<std::pair<std::string, FormulaRef>>
      expansion; ///< Compose, Expand, Group: output parameter (or "ret") = formula, in order
  /// Shorter forms of a call whose condition holds at translation time: pow(x, 2) is x * x.
  std::vector<std::pair<FormulaRef, FormulaRef>> simplify;
  FormulaRef value;   ///< the function in terms of others, for the numeric test; may be null
  FormulaRef inverse; ///< the first argument in terms of `ret`, for the numeric test; may be null
  AtomicOp atomicOp = AtomicOp::None;
  Bits bits = Bits::None;
  Selection selects = Selection::None;
  Effects effects;
  std::vector<std::string> active; ///< parameters that may carry derivatives, where no partials say so
  std::string transpose; ///< Collective: the function that sends the seed back to `value`; Barrier: its mirror image
  /// Collective, Barrier: the last argument of a thread that is there but shall not count.
  std::optional<int64_t> idle;
  bool ofBlock = false;           ///< Barrier, Collective: all threads of the block wait, and see what all have written
  std::string tangent;            ///< Collective: the function that is given tangents instead; empty: itself.
                                  ///< Inactive: the method that is given the object's tangent besides, or that
                                  ///< of the argument that `given` names.
                                  ///< Atomic: what sets the number and its tangent, each given with its place
  std::vector<std::string> given; ///< Collective: parameters, or "ret", that both are given besides, behind the others
  ThreadPlace place = ThreadPlace::Unknown;
  bool integerResult = false; ///< the result is an integer or bool
  bool isVariadic = false;    ///< takes any further arguments
  bool hostOnly = false;
  bool deviceOnly = false;
  std::string section;   ///< heading of its file on the page of supported functions
  std::string note;      ///< what a user should know: corner cases, advice where refused
  std::string unchecked; ///< why the numeric test leaves the rule out; empty: it does not
  std::vector<std::string> headers;
  SourceRange range; ///< in its YAML file

  /// The same value for the same arguments and memory, and no effect: may be dropped, moved and repeated.
  bool isRepeatable() const;
};

/// What a partial derivative reads: parameters by index, and the call's result.
struct PartialNeeds {
  std::vector<unsigned> params;
  bool result = false;
};

class RuleTable {
public:
  /// The rule for a callee, or null. Matches the qualified declaration name (with
  /// and without a leading ::), and the parameter types where a rule asks for them.
  const Rule *find(const ir::Callee &callee) const;
  const std::vector<std::unique_ptr<Rule>> &rules() const { return all; }
  /// What is known of a class of a library, or null; the name as in find().
  const ir::LibraryClass *findClass(const std::string &qualifiedName) const;

  /// Whether the derivative by parameter `index` is structurally zero.
  bool isZero(const Rule &rule, unsigned index) const;
  /// What the partial by `index` reads, so that it can be recorded or named.
  PartialNeeds needs(const Rule &rule, unsigned index) const;
  /// The partial by `index` as an expression over the call's arguments and result,
  /// in the precision of the call (float: cosf; __sinf: __cosf), with constants
  /// folded. `result` may be null when needs() says it is not read.
  ir::Expr partial(const Rule &rule, unsigned index, const ir::CallExpr &call, const std::vector<ir::Expr> &args,
                   const ir::Expr &result) const;
  /// What stands at the mirrored place of a barrier that gives a result.
  ir::Stmt mirrorOf(const Rule &rule, const SourceRange &range) const;
  /// How the partial by `index` can fail to be finite.
  Singularity singularity(const Rule &rule, unsigned index) const;
  /// partial * seed, written as a person would (seed / x for the partial 1 / x). A
  /// partial that has a singularity is guarded, so that a zero seed gives exactly
  /// zero, unless the caller knows better (`mayBeSingular`); `seed` then occurs
  /// twice and should be a name.
  ir::Expr contribution(const Rule &rule, unsigned index, const ir::Expr &seed, const ir::CallExpr &call,
                        const std::vector<ir::Expr> &args, const ir::Expr &result, bool mayBeSingular = true) const;
  /// Collective: what `transpose` and `tangent` are given behind the arguments of the call.
  std::vector<ir::Expr> given(const Rule &rule, const ir::CallExpr &call, const ir::Expr &result) const;
  /// Expand: the value of the k-th entry of `expansion`, over the arguments.
  ir::Expr expansionValue(const Rule &rule, unsigned entry, const ir::CallExpr &call,
                          const std::vector<ir::Expr> &args) const;
  /// Compose: the same as a number of that type; `args` are the numbers in the arguments, four for each object (null
  /// where it has fewer).
  ir::Expr composedValue(const Rule &rule, unsigned entry, const ir::Type &number,
                         const std::vector<ir::Expr> &args) const;
  /// Group: the same for one item of a thread, as a number of that type; `args` are those of the call, items summed,
  /// then what GroupNames stand for.
  ir::Expr groupValue(const Rule &rule, unsigned entry, const ir::Type &number,
                      const std::vector<ir::Expr> &args) const;

  /// Group: whether the formula names the size of the part of a warp.
  bool namesWidth(const Rule &rule, const FormulaRef &formula) const;
  /// A barrier at which all threads of a block wait.
  ir::Stmt barrierOfBlock(const SourceRange &range) const;

  /// The rule that has this name (its identity, not a spelling), or null.
  const Rule *named(const std::string &name) const;
  /// Puts a rule in; one of an earlier layer with the same name, or with the same
  /// spelling for the same types, gives way.
  void add(std::unique_ptr<Rule> rule);
  void add(ir::LibraryClass made);

  std::vector<std::unique_ptr<Rule>> all;
  std::map<std::string, std::vector<const Rule *>> byName; ///< by spelling
  std::map<std::string, ir::LibraryClass> classes;
};

/// A qualified name without a leading ::, without template arguments, and without
/// inline namespaces of implementations (cuda::std::__4::sin is cuda::std::sin).
std::string plainName(const std::string &qualifiedName);

} // namespace gpuad::rules

#endif // GPUAD_RULES_RULETABLE_H
