/// \file
/// What strict mode tells, as text or as JSON; and that the program then ends with a status other than 0.

#pragma once

#include "Abi.h"

#include <string>

namespace gpuad::cpu {

enum class Check {
#define GPUAD_CHECK(NAME, TEXT) NAME,
#include "Checks.def"
#undef GPUAD_CHECK
};

/// Whether GPUAD_CPU_OFF names it.
bool isOff(Check check);

/// Tells of something that a GPU would let pass.
void report(Check check, const std::string &what, const void *address = nullptr, uint32_t bytes = 0,
            const GpuadSite *site = nullptr);

/// Tells of a fault and ends the launch with its error. Returns only if the check is off.
void reportFault(int error, Check check, const std::string &what, const void *address, uint32_t bytes,
                 const GpuadSite *site);

/// How many reports were made.
unsigned reportCount();

/// "__syncthreads at a.cu:12", or with the function where no line is known.
std::string siteName(const GpuadSite *site);

} // namespace gpuad::cpu
