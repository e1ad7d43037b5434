//===- SourceScopes.h - in what a place of the source lies ------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_SOURCESCOPES_H
#define GPUAD_EMIT_SOURCESCOPES_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuad::emit {

/// The namespaces around `offset`, outermost first, "" for an anonymous one; none
/// when something else is around it (a class, a function, extern "C"), where no
/// declaration of a derivative may stand.
std::optional<std::vector<std::string>> namespacesAround(llvm::StringRef source, size_t offset);

/// Behind the `;` that ends the class around `offset`, if anything ends it.
std::optional<size_t> endOfClassAround(llvm::StringRef source, size_t offset);

/// Where a declaration that follows the definition ending at `end` may be inserted:
/// the start of the next line, or `end` itself when more code follows on its line.
size_t placeAfter(llvm::StringRef source, size_t end);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_SOURCESCOPES_H
