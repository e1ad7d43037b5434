// usage: check_bindings BLOCK ORDER
#include "bindings_grad.cu"
#define GPUAD_DUAL_SOURCE "bindings.cu"
#include "harness.h"

using namespace numeric;

#define CHECK(KERNEL) GPUAD_CHECK(KERNEL, cover(n), in<double>(n), out<double>(n), plain(n))

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 19;
  CHECK(bind_value);
  CHECK(bind_const);
  CHECK(bind_cref);
  CHECK(bind_rref);
  CHECK(bind_ref);
  CHECK(bind_change);
  CHECK(bind_array);
  CHECK(bind_array_ref);
  CHECK(bind_array_cref);
  CHECK(bind_array2);
  CHECK(bind_array2_copy);
  CHECK(bind_init_list);
  CHECK(bind_derived);
  CHECK(bind_derived_ref);
  CHECK(bind_mixed);
  CHECK(bind_mixed_loop);
  CHECK(bind_if);
  CHECK(bind_range_for);
  CHECK(bind_range_for_mut);
  CHECK(bind_vector);
  CHECK(bind_vector_ref);
  CHECK(bind_nested);
  CHECK(bind_nested_ref);
  CHECK(bind_ptrfield);
  CHECK(bind_capture);
  CHECK(bind_loop_head);
  CHECK(bind_global_ref);
  CHECK(bind_macro);
  CHECK(bind_long_rows);
  CHECK(bind_order);
  return verdict();
}
