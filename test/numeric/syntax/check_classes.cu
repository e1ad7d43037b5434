// usage: check_classes BLOCK ORDER
#include "classes_grad.cu"
#include "harness.h"

using namespace numeric;

#define CHECK(KERNEL) GPUAD_CHECK(KERNEL, cover(n), in<double>(n), out<double>(n), plain(n))

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 19;
  CHECK(if_init);
  CHECK(if_cond);
  CHECK(if_cond_int);
  CHECK(if_cond_ptr);
  CHECK(switch_init);
  CHECK(switch_cond);
  CHECK(while_cond);
  CHECK(for_cond);
  CHECK(while_cond_real);
  CHECK(folds);
  CHECK(fold_bool);
  CHECK(fold_effects);
  CHECK(fold_store);
  CHECK(pack_forward);
  CHECK(pack_ints);
  CHECK(variable_templates);
  CHECK(constexprs);
  CHECK(constexpr_arrays);
  CHECK(default_members);
  CHECK(nested_aggregates);
  CHECK(constructors);
  CHECK(conversions);
  CHECK(hidden_friends);
  CHECK(crtp);
  CHECK(enums);
  CHECK(usings);
  CHECK(literals);
  CHECK(volatile_local);
  return verdict();
}
