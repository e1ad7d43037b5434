/// \file
/// Where the pieces are that a compilation needs: clang, the CUDA toolkit, our own runtime.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gpuad::cpucc {

struct Toolchain {
  std::string clang;         ///< clang++
  std::string linker;        ///< lld, or empty for the default linker
  std::string cudaPath;      ///< the toolkit's root folder
  std::string includeFolder; ///< of gpuad's own headers
  std::string libraryFolder; ///< with libgpuad-cpu.so and the device library
  std::string deviceLibrary() const { return libraryFolder + "/gpuad-device.bc"; }
};

/// Finds all of it, or says what is missing.
std::optional<Toolchain> findToolchain(const char *program, const std::string &wantedCuda, std::string &error);

/// Runs a command; returns its exit status. With a file name, standard error goes there.
int runCommand(const std::vector<std::string> &command, bool show, const std::string &errorFile = "");

} // namespace gpuad::cpucc
