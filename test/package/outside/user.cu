#include <gpuad/runtime.cuh>

void launch_scaled_adjoint(const gpuad::launch &where, int n, const float *x, float *x_bar, float *y, float *y_bar);
void launch_scaled_tangent(const gpuad::launch &where, int n, const float *x, const float *x_dot, float *y, float *y_dot);

int main() {
  gpuad::launch where{dim3(1), dim3(32)};
  launch_scaled_adjoint(where, 0, nullptr, nullptr, nullptr, nullptr);
  launch_scaled_tangent(where, 0, nullptr, nullptr, nullptr, nullptr);
  return 0;
}
