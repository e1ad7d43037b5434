// usage: check_tuples BLOCK ORDER
#include "harness.h"
#include "tuples_grad.cu"

using namespace numeric;

#define CHECK(KERNEL) GPUAD_CHECK(KERNEL, cover(n), in<double>(n), out<double>(n), plain(n))

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 19;
  CHECK(tuple_value);
  CHECK(tuple_copy);
  CHECK(tuple_ref);
  CHECK(tuple_cref);
  CHECK(tuple_friend);
  CHECK(tuple_adl);
  CHECK(tuple_adl_ref);
  CHECK(tuple_loop);
  return verdict();
}
