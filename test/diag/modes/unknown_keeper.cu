// An object of a library that keeps references: what is written through it reaches the variables behind.
// RUN: not %gpuad %s --tangent="through(y)/(x)" -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=THROUGH
// RUN: not %gpuad %s --adjoint="through(y)/(x)" -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=THROUGH
// RUN: not %gpuad %s --tangent="copied(y)/(x)" -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=COPIED
// RUN: not %gpuad %s --adjoint="copied(y)/(x)" -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=COPIED
// RUN: not %gpuad %s --tangent="place(y)/(x)" -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: not %gpuad %s --adjoint="place(y)/(x)" -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=PLACE

// as std::tie makes
struct Keeper {
  double &first, &second;
  __device__ Keeper(double& a, double& b) : first(a), second(b) {}
};
__device__ Keeper keep(double& a, double& b);
__device__ void write(Keeper to, double v);
__device__ double& first_of(const Keeper& to);
__device__ double& either(double& a, double& b, int n);

__global__ void through(const double* x, double* y) {
  double a, b;
  Keeper both = keep(a, b);
  // THROUGH: [[#@LINE+1]]:3: error: nothing is known about 'write'{{.*}} [gpuad-missing-rule]
  write(both, x[0] * x[0]);
  y[0] = a * b;
}

__global__ void copied(const double* x, double* y) {
  double a = 1, b = 2;
  Keeper both = keep(a, b);
  Keeper copy = both;
  // COPIED: [[#@LINE+1]]:3: error: {{.*}} an assignment to what a call returns yet [gpuad-not-in-{{.*}}]
  first_of(copy) = x[0] * x[0];
  y[0] = a * b;
}

__global__ void place(const double* x, double* y, int n) {
  double a = 1, b = 2;
  // PLACE: [[#@LINE+1]]:{{[0-9]+}}: error: nothing is known about 'either'{{.*}} [gpuad-missing-rule]
  double& one = either(a, b, n);
  one = x[0] * x[0];
  y[0] = a * b;
}
