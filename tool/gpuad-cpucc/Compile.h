/// \file
/// The steps of a compilation: device code to a host object, host code around it, and the final link.

#pragma once

#include "CommandLine.h"
#include "Toolchain.h"

#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace gpuad::cpucc {

class Compilation {
public:
  Compilation(const CommandLine &line, const Toolchain &tools) : line(line), tools(tools) {}
  ~Compilation();
  /// The exit status of the program.
  int run();

private:
  std::string temporary(const std::string &name);
  bool compileInput(const Input &input, const std::string &object);
  bool compileCuda(const std::string &source, const std::string &object);
  bool compileDevice(const std::string &source, const std::string &bitcode, const std::string &id);
  bool retargetDevice(const std::string &source, const std::string &bitcode, const std::string &retargeted);
  llvm::StringMap<unsigned> askForRegisters(const std::string &source);
  bool generateDevice(const std::string &retargeted, const std::string &object);
  bool linkDevice(const std::vector<std::string> &objects, const std::string &image);
  bool compileHost(const std::string &source, const std::string &object, const std::string &image,
                   const std::string &id);
  bool linkRelocatable(std::vector<std::string> &objects);
  bool linkProgram(const std::vector<std::string> &objects);
  bool link(const std::vector<std::string> &command);
  std::vector<std::string> commonFlags() const;
  bool runStep(const std::vector<std::string> &command) { return runCommand(command, line.verbose) == 0; }
  bool fail(const std::string &message);

  const CommandLine &line;
  const Toolchain &tools;
  std::string folder; ///< temporary files
  int count = 0;
};

} // namespace gpuad::cpucc
