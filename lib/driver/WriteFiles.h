//===- WriteFiles.h - several files, all or none ---------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_DRIVER_WRITEFILES_H
#define GPUAD_DRIVER_WRITEFILES_H

#include <string>
#include <vector>

namespace gpuad {

struct FileToWrite {
  std::string path; ///< "-": standard output
  std::string text;
};

/// Writes each file beside its place, then moves all there: a reader never sees half
/// a file, and when one cannot be written all old files stay. Returns what went
/// wrong, or "".
std::string writeFiles(const std::vector<FileToWrite> &files);

/// A make rule: `target` depends on `dependencies`.
std::string makeRule(const std::string &target, const std::vector<std::string> &dependencies);

} // namespace gpuad

#endif // GPUAD_DRIVER_WRITEFILES_H
