/// \file
/// What clang's module constructors call to make device code known, and the launch configuration of <<<>>>.

#include "Api.h"
#include "Images.h"

#include <vector>

namespace {

/// clang's record of a device image: a magic number, a version, and the data.
struct FatBinaryWrapper {
  int magic, version;
  const void *data;
  void *unused;
};

struct Configuration {
  dim3 grid, block;
  size_t shared;
  void *stream;
};

/// A stack: the argument expressions of a launch may themselves launch.
thread_local std::vector<Configuration> configurations;

} // namespace

using namespace gpuad::cpu;

extern "C" {

void **__cudaRegisterFatBinary(void *wrapper) {
  auto lock = lockApi();
  return reinterpret_cast<void **>(images().load(static_cast<FatBinaryWrapper *>(wrapper)->data));
}

/// Relocatable device code: the image of the whole program, and the registrations of one host object.
void gpuad_register_linked(const void *image, void (*registerGlobals)(void **)) {
  auto lock = lockApi();
  static Image *linked = images().load(image);
  registerGlobals(reinterpret_cast<void **>(linked));
}

void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}

void __cudaRegisterFunction(void **handle, const char *stub, char *, const char *name, int, void *, void *, void *,
                            void *, int *) {
  auto lock = lockApi();
  images().addKernel(reinterpret_cast<Image *>(handle), stub, name);
}

void __cudaRegisterVar(void **handle, char *shadow, char *, const char *name, int, size_t, int, int) {
  auto lock = lockApi();
  images().addVariable(reinterpret_cast<Image *>(handle), shadow, name);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (configurations.empty())
    return cudaErrorMissingConfiguration;
  Configuration top = configurations.back();
  configurations.pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<void **>(stream) = top.stream;
  return cudaSuccess;
}

} // extern "C"
