/// \file
/// Allocation: device memory, pinned and registered host memory, pools as far as stream-ordered allocation needs them.

#include "Api.h"
#include "Images.h"
#include "Memory.h"

#include <algorithm>
#include <cstring>

using namespace gpuad::cpu;

namespace {

cudaError_t allocateDevice(void **pointer, size_t bytes) {
  if (!pointer)
    return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0)
    return cudaSuccess;
  *pointer = memory().allocate(bytes, MemoryKind::device);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t freeDevice(void *pointer) {
  if (!pointer)
    return cudaSuccess;
  return memory().release(pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t allocatePinned(void **pointer, size_t bytes) {
  if (!pointer)
    return cudaErrorInvalidValue;
  *pointer = bytes ? memory().allocatePinned(bytes) : nullptr;
  return *pointer || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}

/// The one memory pool. It keeps its attributes and does nothing with them.
uint64_t poolAttributes[16];
cudaMemPool_t thePool() {
  return reinterpret_cast<cudaMemPool_t>(&poolAttributes);
}

} // namespace

extern "C" {

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return api([&] { return allocateDevice(pointer, bytes); });
}

cudaError_t cudaFree(void *pointer) {
  return api([&] { return freeDevice(pointer); });
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  return api([&] { return isStream(stream) ? allocateDevice(pointer, bytes) : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return api(
      [&] { return isStream(stream) && pool == thePool() ? allocateDevice(pointer, bytes) : cudaErrorInvalidValue; });
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  return api([&] { return isStream(stream) ? freeDevice(pointer) : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  return api([&] {
    if (!pitch)
      return cudaErrorInvalidValue;
    *pitch = (width + 511) / 512 * 512;
    return allocateDevice(pointer, *pitch * height);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent) {
  return api([&] {
    if (!pointer)
      return cudaErrorInvalidValue;
    *pointer = {nullptr, (extent.width + 511) / 512 * 512, extent.width, extent.height};
    return allocateDevice(&pointer->ptr, pointer->pitch * extent.height * extent.depth);
  });
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return api([&] { return allocatePinned(pointer, bytes); });
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned) {
  return api([&] { return allocatePinned(pointer, bytes); });
}

cudaError_t cudaFreeHost(void *pointer) {
  return api([&] { return !pointer || memory().releasePinned(pointer) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned) {
  return api([&] {
    if (!pointer || !bytes)
      return cudaErrorInvalidValue;
    return memory().registerHost(pointer, bytes) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
  });
}

cudaError_t cudaHostUnregister(void *pointer) {
  return api([&] { return memory().unregisterHost(pointer) ? cudaSuccess : cudaErrorHostMemoryNotRegistered; });
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned) {
  return api([&] {
    const Allocation *found = memory().find(host);
    if (!device || !found || memory().contains(host))
      return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
  return api([&] {
    if (!flags || !memory().find(host) || memory().contains(host))
      return cudaErrorInvalidValue;
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  return api([&] {
    if (!free || !total)
      return cudaErrorInvalidValue;
    *free = memory().freeBytes();
    *total = memory().totalBytes();
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  return api([&] {
    if (!attributes)
      return cudaErrorInvalidValue;
    *attributes = {};
    attributes->device = -2; // cudaInvalidDeviceId: memory that CUDA does not know
    auto *address = const_cast<void *>(pointer);
    const Allocation *found = memory().find(pointer);
    if (memory().contains(pointer) || images().variableAt(pointer)) {
      attributes->type = cudaMemoryTypeDevice;
      attributes->device = 0;
      attributes->devicePointer = address;
    } else if (found) {
      attributes->type = cudaMemoryTypeHost;
      attributes->device = 0;
      attributes->devicePointer = attributes->hostPointer = address;
    } else {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->hostPointer = address;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return api([&] {
    if (!pool || device != 0)
      return cudaErrorInvalidValue;
    *pool = thePool();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  return api([&] {
    if (pool != thePool() || !value)
      return cudaErrorInvalidValue;
    bool isFlag = attribute <= cudaMemPoolReuseAllowInternalDependencies;
    std::memcpy(&poolAttributes[attribute & 15], value, isFlag ? sizeof(int) : sizeof(uint64_t));
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  return api([&] {
    if (pool != thePool() || !value)
      return cudaErrorInvalidValue;
    bool isFlag = attribute <= cudaMemPoolReuseAllowInternalDependencies;
    std::memcpy(value, &poolAttributes[attribute & 15], isFlag ? sizeof(int) : sizeof(uint64_t));
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return api([&] { return pool == thePool() ? cudaSuccess : cudaErrorInvalidValue; });
}

} // extern "C"
