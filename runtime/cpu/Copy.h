/// \file
/// Copies and fills between host and device, checked against the table of allocations.

#pragma once

#include "Api.h"

namespace gpuad::cpu {

/// A box of rows: width bytes a row, rows pitch bytes apart, slices of rows slicePitch bytes apart.
struct Box {
  size_t width = 0, height = 1, depth = 1;
};
struct Pitches {
  size_t row = 0, slice = 0;
};

cudaError_t copyBox(void *to, Pitches toPitch, const void *from, Pitches fromPitch, Box box, cudaMemcpyKind kind);
cudaError_t fillBox(void *to, Pitches pitch, int value, Box box);

} // namespace gpuad::cpu
