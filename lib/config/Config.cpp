//===- Config.cpp - the project's .gpuad.yaml -----------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "config/Config.h"

#include "config/YamlReader.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace gpuad::config {

namespace path = llvm::sys::path;

std::string findConfigFile(const std::string &input) {
  llvm::SmallString<256> folder(input);
  if (llvm::sys::fs::make_absolute(folder))
    return {};
  path::remove_dots(folder, /*remove_dot_dot=*/true);
  while (path::has_parent_path(folder)) {
    path::remove_filename(folder);
    llvm::SmallString<256> candidate(folder);
    path::append(candidate, ".gpuad.yaml");
    if (llvm::sys::fs::is_regular_file(candidate))
      return candidate.str().str();
  }
  return {};
}

namespace {

/// What the file says, before it is merged.
struct FileContents {
  std::vector<RequestText> requests;
  std::vector<std::string> ruleFiles, architectures, flags;
  std::string cudaPath, resourceDir, database;
  SourceRange flagsRange, databaseRange;
};

class ConfigReader {
public:
  ConfigReader(const std::string &file, const std::string &input, DiagnosticSink &sink)
      : file(file), input(input), reader(file, sink) {}

  FileContents read(const std::string &text);

private:
  std::string file, input;
  YamlReader reader;
  FileContents contents;

  void readRequest(const YAML::Node &node);
  void readSetting(const std::string &key, const YAML::Node &keyNode, const YAML::Node &value);
  std::vector<std::string> textOrList(const YAML::Node &node, const std::string &what) {
    if (node.IsScalar())
      return {node.Scalar()};
    return reader.textList(node, what);
  }
  /// Paths are relative to the folder of the file that names them.
  std::string resolve(const std::string &name) const {
    if (path::is_absolute(name))
      return name;
    llvm::SmallString<256> full(path::parent_path(file));
    path::append(full, name);
    return full.str().str();
  }
  bool isForInput(const YAML::Node &node, const std::vector<std::string> &patterns);
};

} // namespace

/// Whether the input is one of the files that a request is limited to. A pattern
/// without a folder speaks of file names anywhere below.
bool ConfigReader::isForInput(const YAML::Node &node, const std::vector<std::string> &patterns) {
  llvm::SmallString<256> absolute(input);
  if (llvm::sys::fs::make_absolute(absolute))
    return false;
  path::remove_dots(absolute, /*remove_dot_dot=*/true);
  for (const std::string &pattern : patterns) {
    bool isPath = pattern.find('/') != std::string::npos;
    llvm::SmallString<256> full(isPath ? resolve(pattern) : pattern);
    if (isPath)
      (void)llvm::sys::fs::make_absolute(full);
    path::remove_dots(full, /*remove_dot_dot=*/true);
    auto glob = llvm::GlobPattern::create(full);
    if (!glob) {
      llvm::consumeError(glob.takeError());
      reader.wrongType(node, "'files'", "a list of file names or patterns");
    } else if (glob->match(isPath ? absolute.str() : path::filename(absolute))) {
      return true;
    }
  }
  return patterns.empty();
}

void ConfigReader::readRequest(const YAML::Node &node) {
  RequestText request;
  request.origin = file + ":" + std::to_string(node.Mark().line + 1);
  std::vector<std::string> files;
  unsigned modes = 0;
  auto entry = [&](const std::string &key, const YAML::Node &keyNode, const YAML::Node &value) {
    if (key == "adjoint" || key == "tangent") {
      request.mode = key == "adjoint" ? Mode::Adjoint : Mode::Tangent;
      request.head = reader.text(value, "'" + key + "'").value_or("");
      if (++modes > 1)
        diag::report(reader.diagnostics(), diag::Id::ConfigContradiction, reader.range(keyNode),
                     "a request is for one mode: write one with 'adjoint' and one with 'tangent'");
    } else if (key == "files") {
      files = textOrList(value, "'files'");
    } else {
      reader.unknownKey(keyNode, "a request", "adjoint, files, tangent");
    }
  };
  if (!reader.forEachEntry(node, "a request", entry))
    return;
  if (modes == 0)
    reader.wrongType(node, "a request", "a map with the key 'adjoint' or 'tangent'");
  else if (isForInput(node, files))
    contents.requests.push_back(request);
}

void ConfigReader::readSetting(const std::string &key, const YAML::Node &keyNode, const YAML::Node &value) {
  std::string what = "'" + key + "'";
  if (key == "cuda-arch") {
    contents.architectures = textOrList(value, what);
  } else if (key == "cuda-path") {
    contents.cudaPath = resolve(reader.text(value, what).value_or(""));
  } else if (key == "resource-dir") {
    contents.resourceDir = resolve(reader.text(value, what).value_or(""));
  } else if (key == "compile-commands") {
    contents.database = resolve(reader.text(value, what).value_or(""));
    contents.databaseRange = reader.range(keyNode);
  } else if (key == "flags") {
    contents.flags = reader.textList(value, what);
    contents.flagsRange = reader.range(keyNode);
  } else {
    reader.unknownKey(keyNode, "'settings'", "compile-commands, cuda-arch, cuda-path, flags, resource-dir");
  }
}

FileContents ConfigReader::read(const std::string &text) {
  std::optional<YAML::Node> document = reader.parse(text);
  if (!document || document->IsNull()) // an empty file asks for nothing
    return contents;
  auto setting = [&](const std::string &key, const YAML::Node &keyNode, const YAML::Node &value) {
    readSetting(key, keyNode, value);
  };
  auto entry = [&](const std::string &key, const YAML::Node &keyNode, const YAML::Node &value) {
    if (key == "requests") {
      for (const YAML::Node &node : reader.list(value, "'requests'"))
        readRequest(node);
    } else if (key == "rules") {
      for (const std::string &name : textOrList(value, "'rules'"))
        contents.ruleFiles.push_back(resolve(name));
    } else if (key == "settings") {
      reader.forEachEntry(value, "'settings'", setting);
    } else if (key == "version") {
      if (reader.text(value, "'version'").value_or("1") != "1")
        reader.wrongType(value, "'version'", "1");
    } else {
      reader.unknownKey(keyNode, "a configuration file", "requests, rules, settings, version");
    }
  };
  reader.forEachEntry(*document, "a configuration file", entry);
  if (contents.databaseRange.isValid() && contents.flagsRange.isValid())
    diag::report(reader.diagnostics(), diag::Id::ConfigContradiction, contents.flagsRange,
                 "'flags' and 'compile-commands' both say how the input is compiled; give one");
  return contents;
}

static void merge(Options &options, FileContents contents) {
  if (options.requests.empty())
    options.requests = std::move(contents.requests);
  options.ruleFiles.insert(options.ruleFiles.begin(), contents.ruleFiles.begin(), contents.ruleFiles.end());
  if (options.cudaPath.empty())
    options.cudaPath = contents.cudaPath;
  if (options.resourceDir.empty())
    options.resourceDir = contents.resourceDir;
  if (options.architectures.empty())
    options.architectures = contents.architectures;
  bool saysHow = options.hasCompilerFlags || !options.databaseFolder.empty();
  if (!saysHow && contents.flagsRange.isValid()) {
    options.compilerFlags = contents.flags;
    options.flagsFolder = path::parent_path(options.configFile);
    options.hasCompilerFlags = true;
  }
  if (!saysHow)
    options.databaseFolder = contents.database;
}

bool loadConfig(Options &options, DiagnosticSink &sink) {
  if (options.configFile.empty())
    options.configFile = findConfigFile(options.input);
  if (options.configFile.empty())
    return true;
  auto buffer = llvm::MemoryBuffer::getFile(options.configFile, /*IsText=*/true);
  if (!buffer) {
    diag::report(sink, diag::Id::ConfigUnreadable, {}, options.configFile, buffer.getError().message());
    return false;
  }
  unsigned before = sink.errorCount();
  FileContents contents = ConfigReader(options.configFile, options.input, sink).read((*buffer)->getBuffer().str());
  if (sink.errorCount() != before)
    return false;
  merge(options, std::move(contents));
  return true;
}

} // namespace gpuad::config
