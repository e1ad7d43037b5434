/// \file
/// How many registers kernels need: only nvcc can tell.

#include "Compile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuad::cpucc {
namespace {

std::string findNvcc(const std::string &cudaPath) {
  SmallString<256> path(cudaPath);
  sys::path::append(path, "bin", "nvcc");
  if (sys::fs::can_execute(path))
    return path.str().str();
  ErrorOr<std::string> found = sys::findProgramByName("nvcc");
  return found ? *found : "";
}

/// Of the flags for clang, those that nvcc has too.
std::vector<std::string> nvccFlags(const std::vector<std::string> &flags) {
  std::vector<std::string> result;
  for (size_t i = 0; i < flags.size(); ++i) {
    StringRef flag = flags[i];
    bool hasValue = flag == "-I" || flag == "-D" || flag == "-U" || flag == "-include" || flag == "-isystem";
    if (flag == "-Xclang")
      ++i;
    else if (hasValue && i + 1 < flags.size())
      result.insert(result.end(), {flags[i], flags[i + 1]}), ++i;
    else if (flag.starts_with("-I") || flag.starts_with("-D") || flag.starts_with("-U") || flag.starts_with("-std="))
      result.push_back(flags[i]);
  }
  return result;
}

/// "Compiling entry function 'NAME' for ..." and, later, "Used N registers".
StringMap<unsigned> readTable(StringRef text) {
  StringMap<unsigned> table;
  StringRef kernel;
  for (StringRef line : split(text, '\n')) {
    if (size_t at = line.find("entry function '"); at != StringRef::npos)
      kernel = line.substr(at + 16).split('\'').first;
    size_t at = line.find("Used ");
    unsigned count = 0;
    if (at != StringRef::npos && !kernel.empty() && !line.substr(at + 5).consumeInteger(10, count)) {
      table[kernel] = count;
      kernel = "";
    }
  }
  return table;
}

} // namespace

StringMap<unsigned> Compilation::askForRegisters(const std::string &source) {
  std::string nvcc = findNvcc(tools.cudaPath);
  if (nvcc.empty()) {
    errs() << "gpuad-cpucc: note: nvcc was not found, so it is not known how many registers kernels need\n";
    return {};
  }
  std::string log = temporary("registers.log");
  std::vector<std::string> command = {nvcc,     "-x",
                                      "cu",     "-arch=sm_80",
                                      "-cubin", "--resource-usage",
                                      "-I",     tools.includeFolder,
                                      "-o",     temporary("registers.cubin")};
  if (line.relocatable)
    command.push_back("-rdc=true");
  for (const std::string &flag : nvccFlags(line.bothFlags))
    command.push_back(flag);
  command.insert(command.end(), line.registerFlags.begin(), line.registerFlags.end());
  command.push_back(source);
  int status = runCommand(command, line.verbose, log);
  auto text = MemoryBuffer::getFile(log);
  if (status != 0 || !text) {
    errs() << "gpuad-cpucc: note: nvcc does not compile " << source
           << ", so it is not known how many registers kernels need\n";
    return {};
  }
  return readTable((*text)->getBuffer());
}

} // namespace gpuad::cpucc
