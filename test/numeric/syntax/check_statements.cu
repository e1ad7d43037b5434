// usage: check_statements BLOCK ORDER
#include "statements_grad.cu"
#define GPUAD_DUAL_SOURCE "statements.cu"
#include "harness.h"

using namespace numeric;

#define CHECK(KERNEL) GPUAD_CHECK(KERNEL, cover(n), in<double>(n), out<double>(n), plain(n))

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 19;
  CHECK(local_class);
  CHECK(nested_class);
  CHECK(nested_conditional);
  CHECK(cond_assign);
  CHECK(comma);
  CHECK(chained);
  CHECK(compound_refs);
  CHECK(loop_refs);
  CHECK(ptr_walk);
  CHECK(ptr_walk_lt);
  CHECK(ptr_walk_down);
  CHECK(ptr_local_walk);
  CHECK(do_while);
  CHECK(do_while0);
  CHECK(unused_label);
  CHECK(switch_nested);
  CHECK(switch_scoped);
  CHECK(switch_return);
  CHECK(static_members);
  CHECK(decltype_auto);
  CHECK(deep_arrays);
  CHECK(array_params);
  CHECK(ptr_to_array);
  CHECK(restrict_member);
  CHECK(const_places);
  CHECK(alias_templates);
  CHECK(small_ints);
  CHECK(down_loop);
  CHECK(aligned);
  CHECK(attributes);
  CHECK(unrolls);
  CHECK(macros);
  CHECK(odd);
  CHECK(declared_first);
  CHECK(overloads);
  CHECK(recursion);
  return verdict();
}
