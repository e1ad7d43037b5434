/// \file
/// The device: one, with the limits of compute capability 8.0.

#include "Api.h"
#include "Device.h"
#include "Memory.h"

#include <cstdio>
#include <cstring>

namespace gpuad::cpu {

const cudaDeviceProp &deviceProperties() {
  static const cudaDeviceProp properties = [] {
    cudaDeviceProp p = {};
    std::snprintf(p.name, sizeof p.name, "gpuad CPU runner");
    p.totalGlobalMem = memory().totalBytes();
    p.sharedMemPerBlock = 48 << 10;
    p.sharedMemPerBlockOptin = 163 << 10;
    p.sharedMemPerMultiprocessor = 164 << 10;
    p.reservedSharedMemPerBlock = 1 << 10;
    p.regsPerBlock = p.regsPerMultiprocessor = 65536;
    p.warpSize = 32;
    p.memPitch = 2147483647;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 2147483647;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.totalConstMem = 64 << 10;
    p.major = 8;
    p.textureAlignment = 512;
    p.texturePitchAlignment = 32;
    p.multiProcessorCount = 8; // few, so that a full cooperative grid stays cheap
    p.canMapHostMemory = 1;
    p.concurrentKernels = 1;
    p.asyncEngineCount = 1;
    p.unifiedAddressing = 1;
    p.memoryBusWidth = 64;
    p.l2CacheSize = 4 << 20;
    p.maxThreadsPerMultiProcessor = 2048;
    p.streamPrioritiesSupported = 1;
    p.globalL1CacheSupported = p.localL1CacheSupported = 1;
    p.computePreemptionSupported = 1;
    p.canUseHostPointerForRegisteredMem = 1;
    p.cooperativeLaunch = 1;
    p.maxBlocksPerMultiProcessor = 32;
    p.hostRegisterSupported = 1;
    p.memoryPoolsSupported = 1;
    return p;
  }();
  return properties;
}

namespace {

size_t limits[16] = {1024, 1 << 20, 8 << 20, 0, 2048};

/// Attributes by name. What is missing is 0: the device has not got it.
int attribute(cudaDeviceAttr which) {
  const cudaDeviceProp &p = deviceProperties();
  switch (which) {
#define GPUAD_ATTRIBUTE(NAME, VALUE)                                                                                   \
  case NAME:                                                                                                           \
    return int(VALUE);
#include "Attributes.def"
#undef GPUAD_ATTRIBUTE
  default:
    return 0;
  }
}

} // namespace
} // namespace gpuad::cpu

using namespace gpuad::cpu;

extern "C" {

cudaError_t cudaGetDeviceCount(int *count) {
  return api([&] {
    if (!count)
      return cudaErrorInvalidValue;
    *count = 1;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDevice(int *device) {
  return api([&] {
    if (!device)
      return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaSetDevice(int device) {
  return api([&] { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return cudaSetDevice(device);
}
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) {
  return cudaGetDevice(device);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  return api([&] {
    if (!properties || device != 0)
      return properties ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    *properties = deviceProperties();
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr which, int device) {
  return api([&] {
    if (!value || device != 0)
      return value ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    *value = attribute(which);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSynchronize() {
  return api([] { return cudaSuccess; });
}
cudaError_t cudaDeviceReset() {
  auto lock = lockApi();
  clearSticky();
  memory().reset();
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api([&] {
    if (unsigned(limit) >= 16)
      return cudaErrorUnsupportedLimit;
    limits[limit] = value;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  return api([&] {
    if (!value || unsigned(limit) >= 16)
      return cudaErrorUnsupportedLimit;
    *value = limits[limit];
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return api([] { return cudaSuccess; });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  return api([&] {
    if (config)
      *config = cudaFuncCachePreferNone;
    return config ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaSetDeviceFlags(unsigned) {
  return api([] { return cudaSuccess; });
}
cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  return api([&] {
    if (flags)
      *flags = 0;
    return flags ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return api([&] {
    if (least)
      *least = 0;
    if (greatest)
      *greatest = -5;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
  return api([&] {
    if (can)
      *can = 0;
    return can ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return api([] { return cudaErrorInvalidDevice; });
}
cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device) {
  return api([&] {
    if (!text || size < 13 || device != 0)
      return cudaErrorInvalidValue;
    std::snprintf(text, size_t(size), "0000:00:00.0");
    return cudaSuccess;
  });
}
cudaError_t cudaDriverGetVersion(int *version) {
  return api([&] {
    if (version)
      *version = CUDART_VERSION;
    return version ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaRuntimeGetVersion(int *version) {
  return cudaDriverGetVersion(version);
}
cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}

} // extern "C"
