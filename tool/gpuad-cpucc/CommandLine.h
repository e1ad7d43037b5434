/// \file
/// The command line of gpuad-cpucc: clang's flags, nvcc's where they have a meaning here, and --strict.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gpuad::cpucc {

enum class Language { Cuda, Host, Object };

struct Input {
  std::string path;
  Language language;
};

struct CommandLine {
  std::vector<Input> inputs;
  std::string output;
  std::string cudaPath;
  bool compileOnly = false;
  bool relocatable = false;
  bool strict = false;
  bool registers = false; ///< ask nvcc how many each kernel needs
  bool debug = false;
  bool verbose = false;
  bool keepTemporaries = false;
  bool fastMath = false;
  char optimisation = '2';
  std::vector<std::string> bothFlags;     ///< for the device and the host compilation
  std::vector<std::string> hostFlags;     ///< for the host compilation only
  std::vector<std::string> linkFlags;     ///< libraries and the like
  std::vector<std::string> hostAndLink;   ///< for both: sanitizers, threads
  std::vector<std::string> registerFlags; ///< for nvcc, where it is asked for registers
  bool help = false;
};

/// Empty, and a message in error, if the command line makes no sense.
std::optional<CommandLine> parseCommandLine(const std::vector<std::string> &arguments, std::string &error);

extern const char *const Usage;

} // namespace gpuad::cpucc
