//===- Undo.h - memory that the adjoint overwrites and puts back ---------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform. A derivative that loads what the function itself has
/// stored to memory of its caller must store there too. Each store of the forward sweep
/// keeps the old value first, in one log, and the reverse sweep puts the values back,
/// newest first, each at the mirrored place of its store. So the reverse of an item
/// finds memory as it was behind the item. What is run again (an arm, an iteration)
/// needs memory as it was in front: where it loads what it overwrites, the log is
/// rewound to the start of the region first.
///
/// Memory through which threads hand values to each other, with barriers between, is kept
/// and put back in the same way: each thread puts back its own stores in the mirrored
/// epoch, in which nobody else touches these elements. What is run again must not leave
/// its epoch then.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_UNDO_H
#define GPUAD_TRANSFORM_UNDO_H

#include "ir/ValueForm.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuad::transform {

/// How memory is when a region is run again for its reverse.
enum class Rerun {
  Behind,  ///< as the region left it: its loads read other elements than it stores to
  Rewound, ///< as the region found it; its stores are not repeated, as none of its loads sees them
  Redone   ///< as the region found it, and its stores are repeated, and put back one by one
};

class UndoPlan {
public:
  /// The objects whose stores are done and undone.
  std::set<ir::MemoryBase, ir::InOrder> objects;
  ir::OrderedMap<const ir::Region, Rerun> reruns; ///< Behind where not named
  /// Of these, the ones that threads hand to each other.
  std::set<ir::MemoryBase, ir::InOrder> betweenThreads;
  ir::Var *log = nullptr;
  /// By what the counters of the loops around a loop's body move; none of it is zero.
  ir::OrderedMap<const ir::Region, std::vector<ir::Expr>> stepsAround;

  /// Stores to shared memory in front of every load from it: what was there is nothing that
  /// anybody asks for.
  ir::OrderedSet<const ir::StoreItem> first;

  void findFirst(const ir::Region &body);
  /// Whether what the place held is kept.
  bool keeps(const ir::StoreItem &store) const { return covers(store) && !first.count(&store); }
  void findSteps(const ir::Region &region, const std::vector<ir::Expr> &outer = {});
  bool covers(const ir::Expr &place) const { return objects.count(ir::memoryBase(place)) != 0; }
  bool covers(const ir::StoreItem &store) const { return covers(store.place); }
  Rerun rerunOf(const ir::Region &region) const {
    auto found = reruns.find(&region);
    return found == reruns.end() ? Rerun::Behind : found->second;
  }
  /// Whether the log has to tell where a run of the region began, and what it stored to:
  /// it does not where flatStores() tells that.
  bool isMarked(const ir::Region &region) const { return rerunOf(region) != Rerun::Behind && !flatStores(region); }
  bool needsAddresses() const;
  /// The stores of the region, all of them on its top level, with their places as they
  /// can be worked out before it is run. None: it is not so simple.
  std::optional<std::vector<std::pair<const ir::StoreItem *, ir::Expr>>> flatStores(const ir::Region &region) const;
  /// The number of its mark in the log.
  unsigned numberOf(const ir::Region &region);

  bool loads(const ir::Expr &e) const;
  /// Whether nothing but shared memory is put back, which nobody misses where it is not.
  bool isOfBlockAlone() const;
  bool storesIn(const ir::Region &region) const;
  bool storesIn(const ir::Item &item) const;
  /// Entries that one run of the region makes itself, without its branches and loops.
  /// Its own mark is counted.
  unsigned entriesOf(const ir::Region &region) const;
  /// Whether what the item loads is what it loaded in the primal, when it is run again
  /// inside `regions`, outermost first, each of which is being run again.
  bool mayReload(const ir::ValueItem &load, const std::vector<const ir::Region *> &regions) const;
  /// Whether a barrier has to be in front of where the region is run again: what it loads,
  /// it loads in front of a barrier of its own.
  bool waitsBefore(const ir::Region &region) const;
  /// Changes how a region is run again, so that mayReload() comes to hold in the end. False:
  /// nothing helps.
  bool allow(const ir::ValueItem &load, const std::vector<const ir::Region *> &regions);

private:
  bool isDisturbed(const ir::Region &region, const ir::ValueItem &item, bool behind) const;
  bool staysInEpoch(const ir::Region &region, const ir::ValueItem &item, bool withStores) const;

  ir::OrderedMap<const ir::Region, unsigned> numbers;
};

/// Every store of the region and of what is inside.
void forEachStore(const ir::Region &region, llvm::function_ref<void(const ir::StoreItem &)> visit);

/// Why the stores to the object cannot be undone; empty: they can.
std::string whyNotUndone(const ir::ValueFunction &function, const ir::MemoryBase &object);
/// Whether a barrier lies between accesses to the object: then threads may hand values to
/// each other there.
bool isHandedOn(const ir::ValueFunction &function, const ir::MemoryBase &object);

/// Gives every load from the object a value of its own, so that it stands at one place;
/// a choice that loads is one value as a whole.
void nameLoads(ir::ValueFunction &function, const ir::MemoryBase &object);

/// The scalars of a place, field by field; empty: it holds what cannot be kept.
std::vector<ir::Expr> scalarsOf(const ir::Expr &place);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_UNDO_H
