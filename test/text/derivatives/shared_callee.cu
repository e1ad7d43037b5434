// A function of some size that is called from several places: its adjoint is written once, and calls stay calls.
// RUN: %gpuad %s --adjoint='flux(out)/(density,heat)' --adjoint='relax(heat)/(heat)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s
// RUN: %gpuad %s --adjoint='flux(out)/(density,heat)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=ONCE
//
// One for the pattern of flux, one for that of relax.
// CHECK:      // Adjoint of pressure for its callers: (return) / (density, heat).
// CHECK-NEXT: static __device__ void pressure_adjoint_by_density_heat(double density, double* density_bar, double heat,
// CHECK-NEXT:                                                         double* heat_bar, const double* table, double return_bar) {
// CHECK:        *density_bar += density_sum;
// CHECK-NEXT:   *heat_bar += heat_sum;
// CHECK-NEXT: }
// CHECK:      // Adjoint of pressure for its callers: (return) / (heat).
// CHECK-NEXT: static __device__ void pressure_adjoint_by_heat(double density, double heat, double* heat_bar, const double* table,
// CHECK-NEXT:                                                 double return_bar) {
//
// CHECK:      // Adjoint of flux: (out) / (density, heat). Calls the adjoint of pressure.
// CHECK:        double left = pressure(density_2, heat_2, table);
// CHECK:        double right = pressure(density_3, heat_3, table);
// CHECK-NEXT:   double heat_4 = left * right;
// CHECK:        gpuad_shared_callee::pressure_adjoint_by_density_heat(0.5 * (density[i] + density[i + 1]), &density_bar_2,
// CHECK:        gpuad_shared_callee::pressure_adjoint_by_density_heat(density_3, &density_bar_3, heat_3, &heat_bar_3, table,
// CHECK:        gpuad_shared_callee::pressure_adjoint_by_density_heat(density_2, &density_bar_4, heat_2, &heat_bar_4, table,
// CHECK:      // Adjoint of relax: (heat) / (heat). Calls the adjoint of pressure.
// CHECK:        gpuad_shared_callee::pressure_adjoint_by_heat(1.5,
//
// ONCE-COUNT-1: static __device__ void pressure_adjoint
// ONCE-NOT:     static __device__ void pressure_adjoint
__device__ double pressure(double density, double heat, const double *table) {
  double compressed = density * density / (1.0 + density);
  double ideal = (table[0] - 1.0) * density * heat;
  double cold = table[1] * compressed * sqrt(1.0 + compressed);
  double mixed = ideal + cold - table[2] * ideal * cold / (1.0 + ideal * ideal);
  double limited = mixed / (1.0 + table[3] * mixed * mixed) + table[4] * (ideal - cold) * (ideal + cold);
  double third = limited * limited / (1.0 + limited * limited) + table[5] * sqrt(1.0 + ideal * ideal);
  double last = third * (1.0 - 0.25 * third) + table[6] * cold * third / (2.0 + third * third);
  double heavy = last * last * (3.0 - 2.0 * last) + table[7] * (last + third) * (last - third);
  return mixed > 0.0 ? heavy * (1.0 + 0.5 * mixed) : 0.0;
}

__global__ void flux(int n, const double *density, const double *heat, const double *table, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double left = pressure(density[i], heat[i], table);
    double right = pressure(density[i + 1], heat[i + 1], table);
    out[i] = right - left + pressure(0.5 * (density[i] + density[i + 1]), left * right, table);
  }
}

__global__ void relax(int n, const double *table, double *heat) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    heat[i] += pressure(1.5, heat[i], table);
}
