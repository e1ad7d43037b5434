// What a class holds is not known where its fields have no names of their own, or hide those of a base class. Its
// objects may carry a derivative all the same.
// RUN: not %gpuad %s --tangent="unnamed(out)/(in)" --tangent="hidden(out)/(in)" -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not %gpuad %s --adjoint="unnamed(out)/(in)" --adjoint="hidden(out)/(in)" -o %t.cu -- %stub 2>&1 | FileCheck %s

struct Vector {
  union {
    struct {
      float x, y;
    };
    float v[2];
  };
};

__global__ void unnamed(float *out, const float *in) {
  Vector a;
  a.x = in[threadIdx.x];
  // CHECK: unknown_fields.cu:[[#@LINE-1]]:3: error: a derivative flows through an assignment, which gpuad does not understand: 'a.x = in[threadIdx.x];'{{.*}}[gpuad-opaque-code]
  out[threadIdx.x] = a.v[0];
}

struct Base {
  float x;
};
struct Derived : Base {
  float x;
};

__global__ void hidden(float *out, const float *in) {
  Derived d;
  d.Base::x = in[threadIdx.x];
  // CHECK: unknown_fields.cu:[[#@LINE-1]]:3: error: a derivative flows through an assignment, which gpuad does not understand: 'd.Base::x = in[threadIdx.x];'{{.*}}[gpuad-opaque-code]
  out[threadIdx.x] = d.Base::x;
}
