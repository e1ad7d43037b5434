//===- Dump.h - text form of the IR ----------------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A textual dump for --dump-after and for tests. It shows what the printer hides:
/// implicit casts, how each Accum adds, where variables live.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_DUMP_H
#define GPUAD_IR_DUMP_H

#include "ir/Module.h"

#include <string>

namespace gpuad::ir {

std::string dump(const Expr &e);
std::string dump(const Stmt &s, unsigned indent = 0);
std::string dump(const Function &function);
std::string dump(const Module &module);

} // namespace gpuad::ir

#endif // GPUAD_IR_DUMP_H
