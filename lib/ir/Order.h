// Sets and maps of nodes, walked in the order in which the nodes were made.
//
// What is walked becomes text sooner or later, and an order of addresses would differ from run to run.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

namespace gpuad::ir {

/// Base of what may be a key: knows when it was made. A copy is a node of its own.
class Ordered {
public:
  Ordered() : serial(next()) {}
  Ordered(const Ordered &) : serial(next()) {}
  Ordered &operator=(const Ordered &) { return *this; }

private:
  friend struct InOrder;

  static std::uint64_t next() {
    static std::uint64_t made = 0;
    return ++made;
  }

  std::uint64_t serial;
};

/// Earlier nodes first; null before all. Pairs by their first parts, then by their second ones.
struct InOrder {
  bool operator()(const Ordered *left, const Ordered *right) const { return serialOf(left) < serialOf(right); }

  template <typename First, typename Second>
  bool operator()(const std::pair<First, Second> &left, const std::pair<First, Second> &right) const {
    if (before(left.first, right.first))
      return true;
    return !before(right.first, left.first) && before(left.second, right.second);
  }

private:
  static std::uint64_t serialOf(const Ordered *node) { return node ? node->serial : 0; }

  template <typename Part> static bool before(const Part &left, const Part &right) {
    if constexpr (std::is_pointer_v<Part>)
      return serialOf(left) < serialOf(right);
    else
      return left < right;
  }
};

template <typename Node> using OrderedSet = std::set<Node *, InOrder>;
template <typename Node, typename Value> using OrderedMap = std::map<Node *, Value, InOrder>;

} // namespace gpuad::ir
