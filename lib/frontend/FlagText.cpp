//===- FlagText.cpp --------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/FlagText.h"

#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

namespace gpuad::frontend {

std::vector<std::string> splitCommand(const std::string &text) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 32> words;
  llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  return {words.begin(), words.end()};
}

static llvm::Error cannotRead(const std::string &path, const std::error_code &why) {
  return llvm::createStringError(why, "cannot read '" + path + "': " + why.message());
}

llvm::Expected<std::vector<std::string>> readFlagFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return cannotRead(path, buffer.getError());
  return splitCommand((*buffer)->getBuffer().str());
}

static std::string realPath(const std::string &directory, llvm::StringRef file) {
  llvm::SmallString<256> path(file), real;
  if (llvm::sys::path::is_relative(path) && !directory.empty()) {
    path = directory;
    llvm::sys::path::append(path, file);
  }
  return llvm::sys::fs::real_path(path, real) ? path.str().str() : real.str().str();
}

llvm::Expected<std::optional<DatabaseEntry>> findInDatabase(const std::string &database, const std::string &input) {
  auto buffer = llvm::MemoryBuffer::getFile(database);
  if (!buffer)
    return cannotRead(database, buffer.getError());
  llvm::Expected<llvm::json::Value> root = llvm::json::parse((*buffer)->getBuffer());
  if (!root)
    return root.takeError();
  const llvm::json::Array *entries = root->getAsArray();
  if (!entries)
    return llvm::createStringError("'" + database + "' is not a list of commands");
  std::string wanted = realPath("", input);
  for (const llvm::json::Value &value : *entries) {
    const llvm::json::Object *entry = value.getAsObject();
    std::optional<llvm::StringRef> file = entry ? entry->getString("file") : std::nullopt;
    if (!file)
      continue;
    DatabaseEntry made;
    made.directory = entry->getString("directory").value_or("").str();
    if (realPath(made.directory, *file) != wanted)
      continue;
    if (std::optional<llvm::StringRef> command = entry->getString("command"))
      made.words = splitCommand(command->str());
    else if (const llvm::json::Array *arguments = entry->getArray("arguments"))
      for (const llvm::json::Value &argument : *arguments)
        made.words.push_back(argument.getAsString().value_or("").str());
    return made;
  }
  return std::nullopt;
}

std::string findDatabase(const std::string &input) {
  llvm::SmallString<256> folder(input);
  llvm::sys::fs::make_absolute(folder);
  for (llvm::StringRef at = llvm::sys::path::parent_path(folder); !at.empty(); at = llvm::sys::path::parent_path(at)) {
    llvm::SmallString<256> candidate(at);
    llvm::sys::path::append(candidate, "compile_commands.json");
    if (llvm::sys::fs::exists(candidate))
      return candidate.str().str();
  }
  return "";
}

} // namespace gpuad::frontend
