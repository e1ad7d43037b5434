// A struct behind a pointer, updated in two steps of which the second uses the first.
// RUN: %gpuad %s --tangent='step(s)/(s)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=TANGENT --match-full-lines --strict-whitespace
//
//      TANGENT:__global__ void step_tangent(int n, float dt, state* s, state* s_dot) {
// TANGENT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// TANGENT-NEXT:  if (i < n) {
// TANGENT-NEXT:    float s_position = s[i].position;
// TANGENT-NEXT:    float s_position_dot = s_dot[i].position;
// TANGENT-NEXT:    s_dot[i].velocity -= dt * (cosf(s_position) * s_position_dot);
// TANGENT-NEXT:    s[i].velocity -= dt * sinf(s_position);
// TANGENT-NEXT:    s_dot[i].position += dt * s_dot[i].velocity;
// TANGENT-NEXT:    s[i].position += dt * s[i].velocity;
// TANGENT-NEXT:  }
// TANGENT-NEXT:}
struct state {
  float position, velocity;
};
__global__ void step(int n, float dt, state *s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    s[i].velocity -= dt * sinf(s[i].position);
    s[i].position += dt * s[i].velocity;
  }
}
