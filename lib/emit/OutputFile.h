//===- OutputFile.h - derivatives placed into the user's text --- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The output is the original text with insertions only: the runtime's #include,
/// declarations after the primals, and one section at the end. Whoever deletes the
/// insertions has the original back, byte for byte.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_OUTPUTFILE_H
#define GPUAD_EMIT_OUTPUTFILE_H

#include "ir/Derivative.h"

namespace gpuad::emit {

/// Text that goes in before the byte at `offset` of the original.
struct Insertion {
  size_t offset = 0;
  std::string text; ///< with "\n"; written in the line ends of the file
};

/// What belongs into the file, in the order of the offsets. Renames variables of the
/// derivatives where they clash. `architecture` is the one of the device pass; with
/// `forOthers`, launchers of templates are instantiated for other files.
std::vector<Insertion> planInsertions(const ir::Module &module, std::vector<ir::Derivative> &derivatives,
                                      const std::string &architecture, bool forOthers = false);

/// The original with the insertions.
std::string applyInsertions(const std::string &original, const std::vector<Insertion> &insertions);

/// The original with the body of every lowered function printed from the IR.
std::string printRoundTrip(const ir::Module &module);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_OUTPUTFILE_H
