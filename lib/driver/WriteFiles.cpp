//===- WriteFiles.cpp -----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/WriteFiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace gpuad {

namespace fs = llvm::sys::fs;

namespace {
/// A file under a temporary name that still has to move to its place.
struct Pending {
  std::string temporary, place;
};
} // namespace

static std::string describe(const std::string &path, std::error_code code) {
  return "cannot write '" + path + "': " + code.message();
}

/// Devices and pipes are written as they are; there is nothing to keep.
static bool isSpecial(const std::string &path) {
  fs::file_status status;
  return !fs::status(path, status) && fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

static std::error_code writeTo(int descriptor, const std::string &text) {
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream << text;
  stream.close();
  std::error_code code = stream.error();
  stream.clear_error();
  return code;
}

static std::error_code writeAside(const FileToWrite &file, Pending &pending) {
  llvm::SmallString<256> place;
  if (fs::real_path(file.path, place)) // new, or dangling; a link keeps pointing to the same file otherwise
    place = file.path;
  pending.place = std::string(place);
  if (fs::is_directory(pending.place))
    return std::make_error_code(std::errc::is_a_directory);
  if (fs::exists(pending.place) && !fs::can_write(pending.place))
    return std::make_error_code(std::errc::permission_denied);
  int descriptor = -1;
  llvm::SmallString<256> temporary;
  if (std::error_code code = fs::createUniqueFile(pending.place + ".%%%%%%.tmp", descriptor, temporary))
    return code;
  pending.temporary = std::string(temporary);
  return writeTo(descriptor, file.text);
}

std::string writeFiles(const std::vector<FileToWrite> &files) {
  std::vector<Pending> pending;
  std::string problem;
  for (const FileToWrite &file : files) {
    if (file.path == "-" || isSpecial(file.path))
      continue;
    pending.emplace_back();
    if (std::error_code code = writeAside(file, pending.back())) {
      problem = describe(file.path, code);
      break;
    }
  }
  for (const Pending &one : pending) {
    if (problem.empty())
      if (std::error_code code = fs::rename(one.temporary, one.place))
        problem = describe(one.place, code);
    if (!problem.empty() && !one.temporary.empty())
      fs::remove(one.temporary);
  }
  if (!problem.empty())
    return problem;
  for (const FileToWrite &file : files) {
    if (file.path == "-") {
      llvm::outs() << file.text;
      llvm::outs().flush();
    } else if (isSpecial(file.path)) {
      std::error_code code;
      llvm::raw_fd_ostream stream(file.path, code);
      if (code)
        return describe(file.path, code);
      stream << file.text;
    }
  }
  return {};
}

/// A path as make reads it.
static std::string escaped(const std::string &path) {
  std::string text;
  for (char c : path) {
    if (c == ' ' || c == '#' || c == '\\')
      text += '\\';
    else if (c == '$')
      text += '$';
    text += c;
  }
  return text;
}

std::string makeRule(const std::string &target, const std::vector<std::string> &dependencies) {
  std::string text = escaped(target) + ":";
  std::set<std::string> seen;
  for (const std::string &dependency : dependencies)
    if (seen.insert(dependency).second)
      text += " \\\n  " + escaped(dependency);
  return text + "\n";
}

} // namespace gpuad
