// Conversions, precedence and literals come back with the meaning they had.
// RUN: %gpuad %s --round-trip -o %t.cu -- %stub
// RUN: FileCheck %s --input-file=%t.cu
// RUN: %clang %stub -fsyntax-only -Werror --cuda-device-only --cuda-gpu-arch=sm_80 %t.cu
struct Vec {
  float x, y;
};
__global__ void mixed(int n, unsigned u, float a, double d, float *p, Vec *v, short s) {
  // CHECK: float half_of = n / 2;
  float half_of = n / 2;
  // CHECK: double wide = (double)a * a;
  double wide = (double)a * a;
  // CHECK: float narrow = (float)(d * 0.5) + 0.1f;
  float narrow = (float)(d * 0.5) + 0.1f;
  // CHECK: p[n - (2 - s)] = a - (half_of - narrow);
  p[n - (2 - s)] = a - (half_of - narrow);
  // CHECK: v->x += v[u >> 1].y * float(wide);
  v->x += v[u >> 1].y * float(wide);
  // CHECK: p[1] = -(-a);
  *(p + 1) = - -a;
  // CHECK: p[2] = n > 1 && (u & 3) == 1 ? a : -1.5e-3f;
  p[2] = n > 1 && (u & 3) == 1 ? a : -1.5e-3f;
  // CHECK: if (n & 1 || (s < 2 && u != 7)) p[3] /= a * half_of;
  if (n & 1 || (s < 2 && u != 7))
    p[3] /= a * half_of;
}
