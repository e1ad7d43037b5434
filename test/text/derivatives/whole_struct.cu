// Copying a struct: its shadow as a whole where all of it is floating-point, else the floating fields, arrays by element.
// REQUIRES: nvcc, cuda-toolkit
// RUN: %gpuad %s %cuda --tangent='plain(p)/(p,x)' --tangent='tagged(p)/(p,x)' -o %t.cu
// RUN: sed '1,/^.. ---- derivatives/d' %t.cu | FileCheck %s
// RUN: %nvcc -Werror all-warnings -arch=sm_80 -I%runtime -c %t.cu -o %t.o
//
// CHECK-LABEL: plain_tangent
// CHECK: p_dot[i] = own_dot;
// CHECK-NEXT: p[i] = own;
struct particle {
  particle() : position{}, mass(0) {}
  float position[3];
  float mass;
};
__global__ void plain(particle *p, const float *x) {
  int i = threadIdx.x;
  particle own = p[i];
  own.position[1] *= x[i];
  p[i] = own;
}
// CHECK-LABEL: tagged_tangent
// CHECK: for (int k = 0; k < 2; ++k) {
// CHECK-NEXT: for (int k_2 = 0; k_2 < 3; ++k_2) p_dot[i].frame[k][k_2] = own_dot.frame[k][k_2];
// CHECK-NEXT: }
// CHECK-NEXT: p_dot[i].mass = own_dot.mass;
// CHECK-NEXT: p[i] = own;
struct tag {
  int id;
  float frame[2][3];
  float mass;
};
__global__ void tagged(tag *p, const float *x) {
  int i = threadIdx.x;
  tag own = p[i];
  own.frame[1][2] *= x[i];
  p[i] = own;
}
