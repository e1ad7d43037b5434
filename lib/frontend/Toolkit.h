//===- Toolkit.h - finding CUDA and gpuad's own headers --------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the headers are that are not the user's.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_TOOLKIT_H
#define GPUAD_FRONTEND_TOOLKIT_H

#include <string>

namespace gpuad::frontend {

/// The folder of the CUDA toolkit: the given one, then $CUDA_PATH, $CUDA_HOME, that
/// of nvcc on the PATH, /usr/local/cuda. Empty when none has CUDA's headers.
std::string findToolkit(const std::string &given);

/// Whether the folder has CUDA's headers.
bool isToolkit(const std::string &folder);

/// The folder of the host compiler's own headers, of GCC; empty when there is none.
std::string findCompilerHeaders();
/// The folder that holds gpuad/gpuad.h and gpuad/runtime.cuh, beside the program's
/// own; empty when it is not there.
std::string findOwnHeaders();

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_TOOLKIT_H
