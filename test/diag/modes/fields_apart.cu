// Numbers of an object that do not lie side by side are no array.
// RUN: not %gpuad %s --adjoint='apart(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: %gpuad %s --adjoint='beside(y)/(x)' -o %t.cu -- %stub
struct alignas(16) vector3 {
  float x, y, z;
};
struct spread {
  float a;
  alignas(16) float b;
};
__global__ void apart(const float *x, float *y) {
  int i = threadIdx.x;
  spread v;
  v.a = x[i];
  v.b = 2 * x[i];
  float s = 0;
  for (int k = 0; k < 8; k += 4)
    // CHECK: fields_apart.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: reverse mode does not take {{.*}} [gpuad-not-in-reverse]
    s += (&v.a)[k];
  y[i] = s;
}
__global__ void beside(const float *x, float *y) {
  int i = threadIdx.x;
  vector3 v;
  v.x = x[i], v.y = 2 * x[i], v.z = x[i] * x[i];
  float s = 0;
  for (int k = 0; k < 3; ++k)
    s += (&v.x)[k] * (k + 1);
  y[i] = s;
}
