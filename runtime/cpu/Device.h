/// \file
/// What the runtime says of the one device it has.

#pragma once

#include <cuda_runtime_api.h>

namespace gpuad::cpu {

const cudaDeviceProp &deviceProperties();

} // namespace gpuad::cpu
