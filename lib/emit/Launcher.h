//===- Launcher.h - host functions that launch ---------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The host function beside the derivative of a kernel: it takes the primal's launch
/// configuration and works out what the derivative needs besides.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_LAUNCHER_H
#define GPUAD_EMIT_LAUNCHER_H

#include "emit/Placement.h"

namespace gpuad::emit {

/// "void launch_f_adjoint(const gpuad::launch& where, ...)": of kernels.
bool hasLauncher(const Emitted &emitted);
std::string printLauncherPrototype(const Emitted &emitted, bool withDefaults);
std::string printLauncher(const Emitted &emitted);

/// "template void launch_scale_adjoint<float>(...);" for each instance.
std::string printLauncherInstances(const Emitted &emitted);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_LAUNCHER_H
