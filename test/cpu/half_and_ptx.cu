// Half precision from the toolkit's headers, inline PTX, integer and rounding intrinsics, address spaces, elementary functions.
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(const float *x, float *out) {
  int i = threadIdx.x;
  __half h = __float2half(x[i]);
  __nv_bfloat16 b = __float2bfloat16(x[i]);
  __half2 pair = __halves2half2(h, __float2half(2.0f));
  pair = __hfma2(pair, pair, pair);
  out[8 * i + 0] = __half2float(h * h + h);
  out[8 * i + 1] = __bfloat162float(b * b + b);
  out[8 * i + 2] = __low2float(pair);
  out[8 * i + 3] = __high2float(pair);
  out[8 * i + 4] = __half2float(hsqrt(h));
  out[8 * i + 5] = h < __float2half(1.5f);
  out[8 * i + 6] = __half2float(__shfl_xor_sync(0xfu, h, 1));
  out[8 * i + 7] = __half2float(__float2half_rz(x[i] + 0.0007f));
}

__global__ void half_atomics(__half *h, __half2 *h2, __nv_bfloat16 *b) {
  atomicAdd(h, __float2half(1.0f));
  atomicAdd(h2, __halves2half2(__float2half(1.0f), __float2half(2.0f)));
  atomicAdd(b, __float2bfloat16(1.0f));
}

__device__ unsigned lane_from_ptx() {
  unsigned r;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}

__global__ void ptx(unsigned *out, float *reals, const int *in) {
  unsigned i = threadIdx.x, r, q;
  unsigned long long w;
  out[0 * 32 + i] = lane_from_ptx();
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(i), "r"(3), "r"(7));
  out[1 * 32 + i] = r;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(i + 0x80000000u), "r"(4));
  out[2 * 32 + i] = unsigned(w >> 32);
  asm("{ .reg .pred p; setp.gt.s32 p, %1, 10; selp.b32 %0, 5, 6, p; @p add.u32 %0, %0, 100; }" : "=r"(r) : "r"(i));
  out[3 * 32 + i] = r;
  asm("{ .reg .u32 t; .reg .pred P; mov.u32 t, 0;\n LOOP: add.u32 t, t, 2;\n setp.lt.u32 P, t, %1;\n @P bra LOOP;\n mov.u32 %0, t; }"
      : "=r"(r)
      : "r"(i));
  out[4 * 32 + i] = r;
  asm("add.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0;" : "=r"(r), "=r"(q) : "r"(0xfffffff0u), "r"(i));
  out[5 * 32 + i] = r + q * 1000;
  asm("ld.global.s32 %0, [%1+4];" : "=r"(r) : "l"(in));
  out[6 * 32 + i] = r;
  asm("bfe.u32 %0, %1, 4, 8;" : "=r"(r) : "r"(0xabcd0u + i));
  out[7 * 32 + i] = r;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(i), "r"(i * 3), "r"(i * 7));
  out[8 * 32 + i] = r;
  asm("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(r) : "r"(i));
  out[9 * 32 + i] = r;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(r), "=r"(q) : "l"(0x500000003ull));
  out[10 * 32 + i] = r * 10 + q;
  float f = float(i) + 0.5f;
  asm("fma.rn.f32 %0, %1, %1, 0f3F800000;" : "=f"(f) : "f"(f));
  reals[i] = f;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r) : "f"(f));
  out[11 * 32 + i] = r;
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(2 * i), "r"(i));
  out[12 * 32 + i] = r;
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(r) : "r"(2 * i), "r"(i + 20));
  out[13 * 32 + i] = r;
  asm volatile("" ::: "memory");
}

__global__ void integers(unsigned *out) {
  unsigned i = threadIdx.x;
  out[0 * 32 + i] = __brev(i) >> 24;
  out[1 * 32 + i] = __clz(i);
  out[2 * 32 + i] = __ffs(i);
  out[3 * 32 + i] = __popcll((1ull << i) - 1);
  out[4 * 32 + i] = __byte_perm(0x33221100u, 0x77665544u, 0x7531);
  out[5 * 32 + i] = __funnelshift_l(0x80000000u, i, 1);
  out[6 * 32 + i] = __umulhi(i << 28, 16);
  out[7 * 32 + i] = __vadd2(0x0001ffffu, 0x00010002u);
  out[8 * 32 + i] = __dp4a(0x01020304, 0x01010101, int(i));
  out[9 * 32 + i] = __sad(3, int(i), 5u);
  out[10 * 32 + i] = __float2int_rn(2.5f) * 10 + __float2int_ru(2.1f);
  out[11 * 32 + i] = unsigned(__float2int_rz(1e20f) == 0x7fffffff) + 2 * (__float2uint_rz(-5.0f) == 0);
}

__device__ double global_value;
__constant__ double constant_value;
__global__ void spaces(const float *memory, int *out) {
  __shared__ float s[2];
  extern __shared__ float d[];
  float local[4] = {0, 1, 2, 3};
  out[0] = __isShared(s) + 2 * __isShared(d) + 4 * __isShared(memory) + 8 * __isShared(local);
  out[1] = __isGlobal(memory) + 2 * __isGlobal(&global_value) + 4 * __isGlobal(s) + 8 * __isGlobal(local);
  out[2] = __isLocal(local) + 2 * __isLocal(s) + 4 * __isLocal(memory);
  out[3] = __isConstant(&constant_value) + 2 * __isConstant(memory);
}

__global__ void functions(const double *x, double *out) {
  int i = threadIdx.x;
  double v = x[i];
  float f = float(v);
  double *o = out + 24 * i;
  double s, c;
  sincos(v, &s, &c);
  o[0] = s * s + c * c;
  o[1] = exp(log(v));
  o[2] = erfinv(erf(v / 4));
  o[3] = erfcinv(erfc(v / 4));
  o[4] = normcdfinv(normcdf(v / 4));
  o[5] = sinpi(v) * sinpi(v) + cospi(v) * cospi(v);
  o[6] = rsqrt(v) * sqrt(v);
  o[7] = cbrt(v) * cbrt(v) * cbrt(v);
  o[8] = erfcx(v) * exp(-v * v) / erfc(v);
  o[9] = __expf(f) / expf(f);
  o[10] = __dadd_ru(1.0, 1e-30) > 1.0;
  o[11] = __dadd_rd(1.0, 1e-30) == 1.0;
  o[12] = __fmul_rz(1.0000001f, 1.0000001f) <= __fmul_ru(1.0000001f, 1.0000001f);
  o[13] = fma(v, v, -v * v);
  o[14] = hypot(3.0, 4.0);
  o[15] = tgamma(5.0);
  o[16] = cyl_bessel_i0(1.0);
  o[17] = norm3d(1.0, 2.0, 2.0);
  o[18] = __saturatef(f) + fdim(v, 1.0) - (v > 1 ? v - 1 + 1 : v);
  o[19] = ldexp(frexp(v, &i), 0) > 0;
  o[20] = j0(0.0) + y0(1.0) * 0;
  o[21] = atan2(1.0, 1.0);
  o[22] = pow(v, 2.0) / (v * v);
  o[23] = exp10(2.0);
}

void test_halves() {
  std::vector<float> x = {1.0f, 1.5f, 2.0f, 0.25f};
  device_array<float> dx(x), out(32);
  halves<<<1, 4>>>(dx, out);
  std::vector<float> got = out.get();
  for (int i = 0; i < 4; ++i) {
    float v = x[i];
    CHECK_NEAR(got[8 * i + 0], v * v + v, 2e-3);
    CHECK_NEAR(got[8 * i + 1], v * v + v, 2e-2);
    CHECK_NEAR(got[8 * i + 2], v * v + v, 2e-3);
    CHECK_NEAR(got[8 * i + 3], 6, 0);
    CHECK_NEAR(got[8 * i + 4], std::sqrt(v), 2e-3);
    CHECK_NEAR(got[8 * i + 5], v < 1.5f, 0);
    CHECK_NEAR(got[8 * i + 6], x[i ^ 1], 0);
    CHECK(got[8 * i + 7] <= v + 0.0007f);
  }
  device_array<__half> h(2, __half(0.0f));
  device_array<__half2> h2(1, __half2(__half(0.0f), __half(0.0f)));
  device_array<__nv_bfloat16> b(2, __nv_bfloat16(0.0f));
  half_atomics<<<1, 10>>>(h, h2, b);
  CHECK_NEAR(float(h.get()[0]), 10, 0);
  CHECK_NEAR(float(h.get()[1]), 0, 0);
  CHECK_NEAR(float(h2.get()[0].y), 20, 0);
  CHECK_NEAR(float(b.get()[0]), 10, 0);
}

void test_ptx() {
  device_array<unsigned> out(14 * 32);
  device_array<float> reals(32);
  device_array<int> in(std::vector<int>{1, -2, 3});
  ptx<<<1, 32>>>(out, reals, in);
  std::vector<unsigned> got = out.get();
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned fma = unsigned(std::nearbyint((i + 0.5) * (i + 0.5) + 1));
    const unsigned wrapped = (i + 20) % 32, ones = (1u << wrapped) - 1;
    const unsigned right[14] = {i,
                                i * 3 + 7,
                                2,
                                i > 10 ? 105u : 6u,
                                i <= 2 ? 2u : (i + 1) / 2 * 2,
                                i < 16 ? 0xfffffff0u + i : i - 16 + 1000,
                                unsigned(-2),
                                (0xabcd0u + i) >> 4 & 255,
                                i ^ (i * 3) ^ (i * 7),
                                i ^ 1,
                                35,
                                fma,
                                i < 16 ? ((1u << i) - 1) << 2 * i : 0,
                                ones << 2 * i % 32};
    for (int k = 0; k < 14; ++k)
      CHECK(got[k * 32 + i] == right[k]);
    CHECK_NEAR(reals.get()[i], (i + 0.5) * (i + 0.5) + 1, 1e-6);
  }
  integers<<<1, 32>>>(out);
  got = out.get();
  const unsigned right[12] = {0xa8, 27, 1, 21, 0x77553311u, 43, 5, 0x00020001u, 31, 23, 23, 3};
  for (int k = 0; k < 12; ++k)
    CHECK(got[k * 32 + 21] == right[k]);
}

void test_spaces() {
  device_array<float> memory(4, 0.0f);
  device_array<int> out(4, 0);
  spaces<<<1, 1, 16>>>(memory, out);
  CHECK(out.get()[0] == 3);
  CHECK(out.get()[1] == 3);
  CHECK(out.get()[2] == 1);
#ifdef __GPUAD_CPU__
  CHECK(out.get()[3] == 1);
#endif
}

void test_functions() {
  device_array<double> x(std::vector<double>{0.3, 1.7}), out(48);
  functions<<<1, 2>>>(x, out);
  std::vector<double> got = out.get();
  const double v[2] = {0.3, 1.7};
  for (int i = 0; i < 2; ++i) {
    const double right[24] = {1, v[i], v[i] / 4, v[i] / 4, v[i] / 4, 1, 1, v[i], 1, 1, 1, 1, 1,
                              0, 5,    24,       1.2660658777520084, 3, 0, 1, 1, std::atan(1.0), 1, 100};
    for (int k = 0; k < 24; ++k)
      CHECK_NEAR(got[24 * i + k], right[k], k == 9 ? 1e-5 : 1e-7);
  }
}

int main() {
  test_halves();
  test_ptx();
  test_spaces();
  test_functions();
  return verdict();
}
