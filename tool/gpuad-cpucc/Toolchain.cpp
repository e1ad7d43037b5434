#include "Toolchain.h"

#include "CpuccConfig.h"
#include "support/BuildConfig.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

namespace gpuad::cpucc {
namespace {

std::string join(StringRef folder, StringRef rest) {
  SmallString<256> path(folder);
  sys::path::append(path, rest);
  sys::path::remove_dots(path, true);
  return path.str().str();
}

/// A program by the names it may have; beside LLVM's libraries first.
std::string findTool(ArrayRef<StringRef> names) {
  const StringRef besideLlvm[] = {LlvmToolsDir};
  for (StringRef name : names) {
    if (ErrorOr<std::string> path = sys::findProgramByName(name, besideLlvm))
      return *path;
    if (ErrorOr<std::string> path = sys::findProgramByName(name))
      return *path;
  }
  return "";
}

bool isToolkit(const std::string &folder) {
  return sys::fs::exists(join(folder, "include/cuda_runtime.h"));
}

std::string findCuda(const std::string &wanted) {
  if (!wanted.empty())
    return isToolkit(wanted) ? wanted : "";
  std::vector<std::string> places;
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME", "CUDA_ROOT"})
    if (const char *value = std::getenv(variable))
      places.push_back(value);
  if (ErrorOr<std::string> nvcc = sys::findProgramByName("nvcc")) {
    SmallString<256> real;
    if (!sys::fs::real_path(*nvcc, real))
      places.push_back(join(sys::path::parent_path(real), ".."));
  }
  places.push_back(ConfiguredCudaPath);
  places.push_back("/usr/local/cuda");
  places.push_back("/usr/lib/cuda");
  for (const std::string &place : places)
    if (!place.empty() && isToolkit(place))
      return place;
  return "";
}

} // namespace

std::optional<Toolchain> findToolchain(const char *program, const std::string &wantedCuda, std::string &error) {
  Toolchain result;
  result.clang = findTool({"clang++-22", "clang++"});
  if (result.clang.empty()) {
    error = "clang++ 22 was not found";
    return std::nullopt;
  }
  result.linker = findTool({"ld.lld-22", "ld.lld"});
  result.cudaPath = findCuda(wantedCuda);
  if (result.cudaPath.empty()) {
    error = wantedCuda.empty() ? "no CUDA toolkit was found; set CUDA_PATH or use --cuda-path"
                               : "there is no CUDA toolkit in " + wantedCuda;
    return std::nullopt;
  }
  static int anchor;
  std::string root = join(sys::path::parent_path(sys::fs::getMainExecutable(program, &anchor)), "..");
  result.includeFolder = join(root, "include");
  result.libraryFolder = join(root, RelativeLibraryFolder);
  if (!sys::fs::exists(result.deviceLibrary())) {
    error = "the runtime for the CPU is missing: no file " + result.deviceLibrary();
    return std::nullopt;
  }
  return result;
}

int runCommand(const std::vector<std::string> &command, bool show, const std::string &errorFile) {
  std::vector<StringRef> arguments(command.begin(), command.end());
  if (show) {
    for (StringRef argument : arguments)
      errs() << argument << ' ';
    errs() << '\n';
  }
  std::optional<StringRef> redirects[3];
  if (!errorFile.empty())
    redirects[2] = errorFile;
  std::string problem;
  int status = sys::ExecuteAndWait(command[0], arguments, std::nullopt, redirects, 0, 0, &problem);
  if (status < 0)
    errs() << "gpuad-cpucc: " << command[0] << ": " << problem << '\n';
  return status;
}

} // namespace gpuad::cpucc
