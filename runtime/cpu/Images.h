/// \file
/// Device images of the program and what the host knows them by: kernels by the address of their host stub, variables
/// by the address of their host shadow.

#pragma once

#include "Abi.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace gpuad::cpu {

struct Image {
  const GpuadImage *tables = nullptr;
  std::unordered_map<std::string, const GpuadKernel *> kernels;
  std::unordered_map<std::string, const GpuadVariable *> variables;
  const char *start = nullptr, *end = nullptr; ///< the loaded object
  int file = -1;                               ///< the image as a file, kept open for debuggers and symbolizers
};

struct KernelReference {
  const GpuadKernel *kernel = nullptr;
  const Image *image = nullptr;
  int dynamicSharedLimit = 48 << 10; ///< raised by cudaFuncSetAttribute
};

class Images {
public:
  /// Loads an image given as the bytes of a shared object; the program cannot run without it, so failure ends it.
  Image *load(const void *bytes);
  void addKernel(Image *image, const void *hostStub, const char *name);
  void addVariable(Image *image, const void *hostShadow, const char *name);

  KernelReference *kernel(const void *hostStub);
  const GpuadVariable *variable(const void *hostShadow) const;
  /// The device variable that holds the address.
  const GpuadVariable *variableAt(const void *address) const;
  /// Whether the address lies in a loaded image at all: string literals and other constants of device code.
  bool isConstantData(const void *address) const;

private:
  std::vector<Image *> all;
  std::unordered_map<const void *, KernelReference> kernels;
  std::unordered_map<const void *, const GpuadVariable *> variables;
};

Images &images();

} // namespace gpuad::cpu
