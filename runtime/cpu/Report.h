/// \file
/// What strict mode tells, as text or as JSON, and that the program then ends with a status other than 0.

#pragma once

#include "Abi.h"

#include <string>

namespace gpuad::cpu {

/// Tells of something that a GPU would let pass.
void report(const char *kind, const std::string &what, const void *address, uint32_t bytes, const GpuadSite *site);

/// Tells of a fault and ends the launch with its error.
[[noreturn]] void reportFault(int error, const char *kind, const std::string &what, const void *address, uint32_t bytes,
                              const GpuadSite *site);

/// How many reports were made.
unsigned reportCount();

/// "__syncthreads at a.cu:12", or with the function where no line is known.
std::string siteName(const GpuadSite *site);

} // namespace gpuad::cpu
