#include "seen_grad.cu"

#include "harness.h"
using namespace numeric;

namespace numeric {
template <> struct layout<vec> : layout_of_doubles<vec> {};
template <> struct layout<rays> : layout_of_doubles<rays> {};
} // namespace numeric

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 24;
  GPUAD_CHECK(by_first, cover(n), plain(n), in<float4>(n), out<float>(n));
  GPUAD_CHECK(by_cast, cover(n), plain(n), in<double3>(n), out<double>(n));
  GPUAD_CHECK(in_memory, cover(n), plain(n), in<float3>(n), out<float3>(n));
  GPUAD_CHECK(by_method, cover(n), plain(n), in<vec>(n), out<vec>(n));
  GPUAD_CHECK(of_vectors, cover(n), plain(n), in<rays>(n), out<double>(n));
  return verdict();
}
