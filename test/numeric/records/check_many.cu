// usage: check_many BLOCK ORDER
#include "many_grad.cu"
#define GPUAD_DUAL_SOURCE "many.cu"
#include "harness.h"
#include "small_stack.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 37;
  for (int m : {0, 1, 9})
    GPUAD_CHECK(ring_of_sixteen, cover(n), plain(n), plain(m), in<double>(n), out<double>(n));
  GPUAD_CHECK(fourteen_until_small, cover(n), plain(n), plain(3), in<double>(n), out<double>(n));
  GPUAD_CHECK(thirteen_in_arrays, cover(n), plain(n), in<float>(n), out<float>(n));
  small_stack::check("fourteen_until_small", fourteen_until_small_adjoint, cover(n), plain(n), plain(3), in<double>(n),
                     out<double>(n));
  return verdict();
}
