//===- Fragment.cpp ------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Fragment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <vector>

namespace gpuad::frontend {

namespace path = llvm::sys::path;

std::optional<std::string> textBeforeInclude(const std::string &text, const std::string &name) {
  unsigned depth = 0;
  for (llvm::StringRef rest = text; !rest.empty();) {
    llvm::StringRef line = rest.take_until([](char c) { return c == '\n'; });
    size_t offset = rest.data() - text.data();
    rest = rest.drop_front(std::min(line.size() + 1, rest.size()));
    line = line.trim();
    if (!line.consume_front("#"))
      continue;
    line = line.ltrim();
    if (line.starts_with("if")) {
      ++depth;
    } else if (line.starts_with("endif")) {
      depth -= depth != 0;
    } else if (line.consume_front("include")) {
      line = line.ltrim();
      if (!line.consume_front("\"") || path::filename(line.take_until([](char c) { return c == '"'; })) != name)
        continue;
      std::string before = text.substr(0, offset);
      for (unsigned i = 0; i < depth; ++i)
        before += "#endif\n";
      return before;
    }
  }
  return std::nullopt;
}

std::optional<Fragment> findIncluder(const std::string &file) {
  std::string folder = path::parent_path(file).str(), name = path::filename(file).str();
  std::vector<std::string> sources, headers;
  std::error_code failed;
  for (llvm::sys::fs::directory_iterator entry(folder.empty() ? "." : folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    llvm::StringRef extension = path::extension(entry->path());
    if (path::filename(entry->path()) == name || entry->type() == llvm::sys::fs::file_type::directory_file)
      continue;
    if (extension == ".cu")
      sources.push_back(entry->path());
    else if (extension == ".cuh" || extension == ".h" || extension == ".hpp")
      headers.push_back(entry->path());
  }
  llvm::sort(sources);
  llvm::sort(headers);
  sources.insert(sources.end(), headers.begin(), headers.end());
  for (const std::string &one : sources)
    if (auto buffer = llvm::MemoryBuffer::getFile(one))
      if (auto before = textBeforeInclude((*buffer)->getBuffer().str(), name))
        return Fragment{one, std::move(*before)};
  return std::nullopt;
}

} // namespace gpuad::frontend
