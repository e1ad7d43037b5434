#include "Compile.h"
#include "Retarget.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuad::cpucc {

Compilation::~Compilation() {
  if (folder.empty())
    return;
  if (line.keepTemporaries)
    errs() << "gpuad-cpucc: temporary files are in " << folder << '\n';
  else
    sys::fs::remove_directories(folder);
}

bool Compilation::fail(const std::string &message) {
  errs() << "gpuad-cpucc: error: " << message << '\n';
  return false;
}

std::string Compilation::temporary(const std::string &name) {
  if (folder.empty()) {
    SmallString<128> path;
    if (sys::fs::createUniqueDirectory("gpuad-cpucc", path))
      report_fatal_error("cannot make a temporary folder");
    folder = path.str().str();
  }
  return folder + "/" + std::to_string(count++) + name;
}

/// For both: names of libraries (CUB) depend on it, and kernels are found by name.
static const char *const DeviceArchitecture = "--cuda-gpu-arch=sm_80";

/// What both compilations of a CUDA file are given, but the user's own flags.
std::vector<std::string> Compilation::commonFlags() const {
  std::vector<std::string> flags = {"-x",
                                    "cuda",
                                    "--cuda-path=" + tools.cudaPath,
                                    "-Wno-unknown-cuda-version",
                                    "-isystem",
                                    tools.cudaPath + "/include/cccl",
                                    "-I" + tools.includeFolder,
                                    "-D__GPUAD_CPU__=1",
                                    "-include",
                                    tools.libraryFolder + "/gpuad-prelude.h"};
  if (line.fastMath)
    flags.push_back("-fgpu-approx-transcendentals");
  if (line.relocatable) // the new driver leaves registration to a link step of its own
    flags.insert(flags.end(), {"-fgpu-rdc", "--no-offload-new-driver"});
  return flags;
}

bool Compilation::compileDevice(const std::string &source, const std::string &bitcode, const std::string &id) {
  std::vector<std::string> command = {tools.clang, "--cuda-device-only", DeviceArchitecture, "-nocudalib",
                                      "-fno-strict-aliasing"}; // CUB sees vectors as vectors of words
  for (const char *flag : {"-target-sdk-version=12.8", "-disable-llvm-passes", "-dwarf-version=5"})
    command.insert(command.end(), {"-Xclang", flag});
  command.insert(command.end(),
                 {"-Xclang", line.debug ? "-debug-info-kind=standalone" : "-debug-info-kind=line-tables-only"});
  std::vector<std::string> common = commonFlags();
  command.insert(command.end(), common.begin(), common.end());
  if (line.strict) {
    command.push_back("-ftrivial-auto-var-init=pattern"); // uninitialised locals read as NaN
    for (const char *flag : {"-fsanitize=signed-integer-overflow,array-bounds",
                             "-fsanitize-recover=signed-integer-overflow,array-bounds", "-fsanitize-minimal-runtime"})
      command.insert(command.end(), {"-Xclang", flag}); // the driver has no sanitizers for GPUs
  }
  command.insert(command.end(), line.bothFlags.begin(), line.bothFlags.end());
  command.insert(command.end(), {"-cuid=" + id, "-O1", "-emit-llvm", "-c", source, "-o", bitcode});
  return runStep(command);
}

bool Compilation::retargetDevice(const std::string &source, const std::string &bitcode, const std::string &retargeted) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(bitcode, diagnostic, context);
  if (!module) {
    diagnostic.print("gpuad-cpucc", errs());
    return false;
  }
  RetargetOptions options;
  options.relocatable = line.relocatable;
  options.strict = line.strict;
  if (line.registers)
    options.registers = askForRegisters(source);
  options.deviceLibrary = tools.deviceLibrary();
  std::vector<std::string> refusals = retarget(*module, options);
  for (const std::string &refusal : refusals)
    fail(refusal);
  std::error_code error;
  raw_fd_ostream out(retargeted, error);
  if (error)
    return fail(retargeted + ": " + error.message());
  WriteBitcodeToFile(*module, out);
  return refusals.empty();
}

bool Compilation::generateDevice(const std::string &retargeted, const std::string &object) {
  std::vector<std::string> command = {tools.clang,
                                      "-x",
                                      "ir",
                                      "-c",
                                      "-fPIC",
                                      "-Wno-override-module",
                                      "-Wno-pass-failed",
                                      std::string("-O") + line.optimisation,
                                      retargeted,
                                      "-o",
                                      object};
  return runStep(command);
}

bool Compilation::linkDevice(const std::vector<std::string> &objects, const std::string &image) {
  std::vector<std::string> command = {tools.clang, "-shared", "-o", image};
  command.insert(command.end(), objects.begin(), objects.end());
  command.insert(command.end(), {"-nostdlib++", "-rtlib=compiler-rt", "-unwindlib=none", "-Wl,-z,defs",
                                 "-Wl,-Bsymbolic", "-L" + tools.libraryFolder, "-lgpuad-cpu", "-lm"});
  return link(command);
}

bool Compilation::compileHost(const std::string &source, const std::string &object, const std::string &image,
                              const std::string &id) {
  std::vector<std::string> command = {
      tools.clang, "--cuda-host-only", DeviceArchitecture, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", image};
  if (line.debug)
    command.push_back("-g");
  std::vector<std::string> common = commonFlags();
  command.insert(command.end(), common.begin(), common.end());
  if (line.hostFlags.empty())
    command.push_back("-O2");
  for (const auto *flags : {&line.hostFlags, &line.bothFlags, &line.hostAndLink})
    command.insert(command.end(), flags->begin(), flags->end());
  command.insert(command.end(), {"-cuid=" + id, "-c", source, "-o", object});
  return runStep(command);
}

bool Compilation::compileCuda(const std::string &source, const std::string &object) {
  MD5::MD5Result hash = MD5::hash(arrayRefFromStringRef(source + " " + object));
  std::string id = utohexstr(hash.low(), true);
  std::string stem = sys::path::stem(source).str();
  std::string bitcode = temporary(stem + ".bc"), retargeted = temporary(stem + ".host.bc");
  std::string deviceObject = temporary(stem + ".device.o");
  if (!compileDevice(source, bitcode, id) || !retargetDevice(source, bitcode, retargeted) ||
      !generateDevice(retargeted, deviceObject))
    return false;
  std::string image = deviceObject;
  if (!line.relocatable) {
    image = temporary(stem + ".so");
    if (!linkDevice({deviceObject}, image))
      return false;
  }
  return compileHost(source, object, image, id);
}

bool Compilation::compileInput(const Input &input, const std::string &object) {
  if (input.language == Language::Cuda)
    return compileCuda(input.path, object);
  std::vector<std::string> command = {tools.clang, "-I" + tools.includeFolder, "-I" + tools.cudaPath + "/include"};
  if (line.debug)
    command.push_back("-g");
  for (const auto *flags : {&line.hostFlags, &line.bothFlags, &line.hostAndLink})
    command.insert(command.end(), flags->begin(), flags->end());
  command.insert(command.end(), {"-c", input.path, "-o", object});
  return runStep(command);
}

int Compilation::run() {
  std::vector<std::string> objects;
  // A stale product must not hide a failure.
  std::string output = line.output.empty() ? "a.out" : line.output;
  if (!line.compileOnly || !line.output.empty())
    sys::fs::remove(output);
  for (const Input &input : line.inputs) {
    if (!sys::fs::exists(input.path))
      return fail(input.path + ": no such file"), 1;
    if (input.language == Language::Object) {
      objects.push_back(input.path);
      continue;
    }
    std::string stem = sys::path::stem(input.path).str();
    std::string object = temporary(stem + ".o");
    if (line.compileOnly)
      object = line.output.empty() ? stem + ".o" : line.output;
    if (!compileInput(input, object))
      return 1;
    objects.push_back(object);
  }
  if (line.compileOnly)
    return 0;
  return linkRelocatable(objects) && linkProgram(objects) ? 0 : 1;
}

} // namespace gpuad::cpucc
