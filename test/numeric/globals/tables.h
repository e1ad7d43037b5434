// Variables that a header declares.
#pragma once
namespace physics {
__constant__ double gravity = 1.5;
static __device__ double damping[3] = {1, 2, 3};
} // namespace physics
