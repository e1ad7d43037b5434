// What a derived class adds cannot be seen through a reference to a base class that is made for it.
// RUN: not %gpuad %s --tangent='areas(y)/(s)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// CHECK: not_in_forward_base.cu:[[#@LINE + 9]]:{{[0-9]+}}: error: forward mode does not take a base class that holds no number in place of the object that does yet [gpuad-not-in-forward]
template <class D> struct shape {
  __device__ float twice_area() const { return 2 * static_cast<const D *>(this)->area(); }
};
struct disc : shape<disc> {
  float r;
  __device__ float area() const { return 3.0f * r * r; }
};
template <class S> __device__ float measured(const shape<S> &s) { return s.twice_area(); }
__global__ void areas(const disc *s, float *y) { y[threadIdx.x] = measured(s[threadIdx.x]); }
