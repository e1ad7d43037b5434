/// \file
/// gpuad-cpucc: compiles a CUDA program for the CPU.

#include "CommandLine.h"
#include "Compile.h"
#include "Toolchain.h"

#include "llvm/Support/raw_ostream.h"

using namespace gpuad::cpucc;

int main(int argc, char **argv) {
  std::string error;
  std::optional<CommandLine> line = parseCommandLine({argv + 1, argv + argc}, error);
  if (!line) {
    llvm::errs() << "gpuad-cpucc: error: " << error << '\n';
    return 2;
  }
  if (line->help) {
    llvm::outs() << Usage;
    return 0;
  }
  std::optional<Toolchain> tools = findToolchain(argv[0], line->cudaPath, error);
  if (!tools) {
    llvm::errs() << "gpuad-cpucc: error: " << error << '\n';
    return 1;
  }
  return Compilation(*line, *tools).run();
}
