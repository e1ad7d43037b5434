//===- FlagTranslation.cpp -------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/FlagTranslation.h"

#include "frontend/FlagText.h"

#include "clang/Basic/OffloadArch.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <optional>

namespace gpuad::frontend {

namespace {

enum class Arity { None, Joined, Either };
enum class Action { Drop, Map, Arch, Unwrap, File, Language };

struct FlagRow {
  llvm::StringRef spelling;
  Arity arity;
  Action action;
  llvm::StringRef to;
};

constexpr FlagRow Table[] = {
#define GPUAD_FLAG(SPELLING, ARITY, ACTION, TO) {SPELLING, Arity::ARITY, Action::ACTION, TO},
#include "frontend/NvccFlags.def"
};

class Translation {
public:
  explicit Translation(const std::string &directory) : directory(directory) {}

  TranslatedFlags result;

  void run(const std::vector<std::string> &words, unsigned depth);

private:
  bool apply(const FlagRow &row, const std::string &value, unsigned depth);
  size_t keepClangFlag(const std::vector<std::string> &words, size_t at);
  void addArchitecture(llvm::StringRef value);
  void readFile(const std::string &path, unsigned depth);
  void fail(const std::string &text) {
    if (result.error.empty())
      result.error = text;
  }
  std::string inDirectory(llvm::StringRef path) const;
  std::string headerInDirectory(llvm::StringRef path) const;

  const std::string &directory;
};

} // namespace

/// The row for a word, and the value that is joined to it.
static const FlagRow *findRow(llvm::StringRef word, std::optional<std::string> &value) {
  for (const FlagRow &row : Table)
    if (word == row.spelling)
      return &row;
  for (const FlagRow &row : Table) {
    llvm::StringRef rest = word;
    if (row.arity == Arity::None || !rest.consume_front(row.spelling))
      continue;
    if (row.arity == Arity::Joined || rest.consume_front("=")) {
      // One-letter flags with joined values: -l and -t, but not -std or -lineinfo, which have rows of their own.
      value = rest.str();
      return &row;
    }
  }
  return nullptr;
}

std::string Translation::inDirectory(llvm::StringRef path) const {
  if (directory.empty() || path.empty() || llvm::sys::path::is_absolute(path))
    return path.str();
  llvm::SmallString<256> joined(directory);
  llvm::sys::path::append(joined, path);
  return joined.str().str();
}

/// A header that a flag includes; one that does not lie in the folder is looked for in the include path.
std::string Translation::headerInDirectory(llvm::StringRef path) const {
  std::string joined = inDirectory(path);
  return llvm::sys::fs::exists(joined) ? joined : path.str();
}

void Translation::readFile(const std::string &path, unsigned depth) {
  if (depth > 8)
    return fail("the flag file '" + path + "' includes itself");
  // nvcc takes a list of files.
  llvm::SmallVector<llvm::StringRef, 2> paths;
  llvm::StringRef(path).split(paths, ',', -1, false);
  for (llvm::StringRef one : paths) {
    llvm::Expected<std::vector<std::string>> words = readFlagFile(inDirectory(one));
    if (!words)
      return fail(llvm::toString(words.takeError()));
    run(*words, depth + 1);
  }
}

/// "arch=compute_90,code=[sm_90]", "sm_80", "compute_75,sm_75", "native".
void Translation::addArchitecture(llvm::StringRef value) {
  value.consume_front("arch=");
  value = value.split(',').first;
  value.consume_front("compute_") || value.consume_front("sm_") || value.consume_front("lto_");
  if (value.empty() || !llvm::isDigit(value[0]))
    return; // native, all, all-major: the default will do
  std::string name = "sm_" + value.str();
  if (clang::StringToOffloadArch(name) != clang::OffloadArch::UNKNOWN)
    result.architectures.push_back(name);
}

bool Translation::apply(const FlagRow &row, const std::string &value, unsigned depth) {
  switch (row.action) {
  case Action::Drop:
    return true;
  case Action::Arch:
    addArchitecture(value);
    return true;
  case Action::File:
    readFile(value, depth);
    return true;
  case Action::Language:
    if (value != "cu" && value != "cuda" && value != "none")
      fail("the flags say that the input is '" + value + "', but gpuad translates CUDA C++");
    return true;
  case Action::Unwrap: {
    std::vector<std::string> inner;
    std::string text = value;
    std::replace(text.begin(), text.end(), ',', ' ');
    run(splitCommand(text), depth + 1);
    return true;
  }
  case Action::Map:
    if (row.to == "-isystem" || row.to == "-include") {
      result.flags.push_back(row.to.str());
      result.flags.push_back(row.to == "-include" ? headerInDirectory(value) : inDirectory(value));
    } else {
      result.flags.push_back(row.to.str() + (row.to == "-I" ? inDirectory(value) : value));
    }
    return true;
  }
  return false;
}

/// Flags whose value is a path that the command gives relative to its folder.
static bool takesPath(llvm::StringRef flag) {
  return llvm::is_contained({"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-F",
                             "--sysroot=", "-isysroot", "--cuda-path="},
                            flag);
}

/// Takes a flag that Clang knows, with its values, and returns how many words it has.
size_t Translation::keepClangFlag(const std::vector<std::string> &words, size_t at) {
  std::vector<const char *> pointers;
  for (size_t i = at; i < words.size() && i < at + 3; ++i)
    pointers.push_back(words[i].c_str());
  unsigned missingIndex = 0, missingCount = 0;
  llvm::opt::InputArgList parsed =
      clang::getDriverOptTable().ParseArgs(llvm::ArrayRef(pointers), missingIndex, missingCount);
  const llvm::opt::Arg *first = parsed.size() ? *parsed.begin() : nullptr;
  if (!first && missingCount) {
    fail("the flag '" + words[at] + "' has no value");
    return 1;
  }
  if (!first || first->getOption().getKind() == llvm::opt::Option::UnknownClass) {
    result.dropped.push_back(words[at]);
    return 1;
  }
  // nvcc writes -I=DIR where others write -IDIR.
  llvm::StringRef spelling = first->getSpelling();
  if (takesPath(spelling) && first->getNumValues() == 1) {
    llvm::StringRef value = first->getValue();
    if (!spelling.ends_with("="))
      value.consume_front("=");
    bool isHeader = spelling == "-include" || spelling == "-imacros";
    std::string path = isHeader ? headerInDirectory(value) : inDirectory(value);
    if (spelling.size() == 2 || spelling.ends_with("=")) {
      result.flags.push_back(spelling.str() + path);
    } else {
      result.flags.push_back(spelling.str());
      result.flags.push_back(path);
    }
    size_t used = words[at].size() > spelling.size() ? 1 : 2;
    return used;
  }
  size_t used = 1;
  if (first->getNumValues() && words[at] == spelling &&
      first->getOption().getKind() != llvm::opt::Option::CommaJoinedClass)
    used += first->getNumValues();
  for (size_t i = 0; i < used && at + i < words.size(); ++i)
    result.flags.push_back(words[at + i]);
  return used;
}

void Translation::run(const std::vector<std::string> &words, unsigned depth) {
  for (size_t i = 0; i < words.size();) {
    const std::string &word = words[i];
    if (word.size() > 1 && word[0] == '@') {
      readFile(word.substr(1), depth);
      ++i;
      continue;
    }
    if (word.size() < 2 || word[0] != '-') {
      ++i; // an input file, or the compiler
      continue;
    }
    std::optional<std::string> value;
    const FlagRow *row = findRow(word, value);
    if (!row) {
      i += keepClangFlag(words, i);
      continue;
    }
    ++i;
    // -Werror and -time can stand without a value; nvcc's other flags of this sort cannot.
    bool optional = row->spelling == "-Werror" || row->spelling == "--Werror" || row->spelling == "-time";
    if (row->arity != Arity::None && !value && !optional) {
      if (i == words.size())
        return fail("the flag '" + word + "' has no value");
      value = words[i++];
    }
    apply(*row, value.value_or(""), depth);
  }
}

TranslatedFlags translateFlags(const std::vector<std::string> &words, const std::string &directory) {
  Translation translation(directory);
  translation.run(words, 0);
  return std::move(translation.result);
}

} // namespace gpuad::frontend
