/// \file
/// Kernels: launching them, their attributes, and how many blocks fit on a multiprocessor.

#include "Api.h"
#include "Device.h"
#include "Images.h"
#include "Report.h"
#include "Scheduler.h"
#include "Strict.h"

#include <algorithm>
#include <cstdio>

namespace gpuad::cpu {
namespace {

size_t staticShared(const GpuadKernel &kernel) {
  size_t bytes = 0;
  for (const GpuadVariable *const *v = kernel.shared; *v; ++v)
    bytes = (bytes + (*v)->alignment - 1) / (*v)->alignment * (*v)->alignment + (*v)->bytes;
  return bytes;
}

int threadLimit(const GpuadKernel &kernel) {
  int limit = deviceProperties().maxThreadsPerBlock;
  return kernel.maxThreads ? std::min(limit, int(kernel.maxThreads)) : limit;
}

int blocksPerMultiprocessor(const GpuadKernel &kernel, int threads, size_t dynamicShared) {
  const cudaDeviceProp &p = deviceProperties();
  if (threads <= 0 || threads > threadLimit(kernel))
    return 0;
  int blocks = std::min(p.maxBlocksPerMultiProcessor, p.maxThreadsPerMultiProcessor / ((threads + 31) / 32 * 32));
  size_t shared = staticShared(kernel) + dynamicShared;
  if (shared > p.sharedMemPerBlockOptin)
    return 0;
  return std::min(blocks, int(p.sharedMemPerMultiprocessor / (shared + p.reservedSharedMemPerBlock)));
}

/// Registers are given to warps, in units of 256.
uint64_t registersOf(const GpuadKernel &kernel, uint64_t threads) {
  return (threads + 31) / 32 * ((uint64_t(kernel.registers) * 32 + 255) / 256 * 256);
}

bool fitsRegisters(const GpuadKernel &kernel, uint64_t threads) {
  auto all = uint64_t(deviceProperties().regsPerBlock);
  if (registersOf(kernel, threads) <= all)
    return true;
  if (!strict().isOn())
    return false;
  report(Check::registers, "kernel " + std::string(kernel.name) + ": a block of " + std::to_string(threads) +
                               " threads with " + std::to_string(kernel.registers) + " registers each needs " +
                               std::to_string(registersOf(kernel, threads)) + " of " + std::to_string(all));
  return isOff(Check::registers);
}

/// The checks that a GPU makes before it takes a launch.
cudaError_t checkShape(const KernelReference &reference, dim3 grid, dim3 block, size_t dynamicShared) {
  const cudaDeviceProp &p = deviceProperties();
  if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z)
    return cudaErrorInvalidConfiguration;
  if (grid.x > unsigned(p.maxGridSize[0]) || grid.y > unsigned(p.maxGridSize[1]) ||
      grid.z > unsigned(p.maxGridSize[2]) || block.x > unsigned(p.maxThreadsDim[0]) ||
      block.y > unsigned(p.maxThreadsDim[1]) || block.z > unsigned(p.maxThreadsDim[2]))
    return cudaErrorInvalidConfiguration;
  uint64_t threads = uint64_t(block.x) * block.y * block.z;
  if (threads > uint64_t(p.maxThreadsPerBlock))
    return cudaErrorInvalidConfiguration;
  if (threads > uint64_t(threadLimit(*reference.kernel)))
    return cudaErrorLaunchFailure;
  if (!fitsRegisters(*reference.kernel, threads))
    return cudaErrorLaunchOutOfResources;
  size_t statics = staticShared(*reference.kernel);
  if (statics > p.sharedMemPerBlock)
    return cudaErrorInvalidConfiguration;
  if (dynamicShared + statics > std::max<size_t>(p.sharedMemPerBlock, size_t(reference.dynamicSharedLimit) + statics))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

} // namespace

cudaError_t launchKernel(const void *stub, dim3 grid, dim3 block, void **arguments, size_t sharedBytes,
                         cudaStream_t stream, bool cooperative) {
  if (!isStream(stream))
    return cudaErrorInvalidResourceHandle;
  KernelReference *reference = images().kernel(stub);
  if (!reference)
    return cudaErrorInvalidDeviceFunction;
  if (cudaError_t error = checkShape(*reference, grid, block, sharedBytes))
    return error;
  if (scheduler().isRunning())
    return cudaErrorNotSupported;
  if (cooperative) {
    int fit = blocksPerMultiprocessor(*reference->kernel, int(block.x * block.y * block.z), sharedBytes);
    if (uint64_t(grid.x) * grid.y * grid.z > uint64_t(fit) * uint64_t(deviceProperties().multiProcessorCount))
      return cudaErrorCooperativeLaunchTooLarge;
  }
  LaunchRequest request;
  request.kernel = reference->kernel;
  request.image = reference->image->tables;
  request.arguments = arguments;
  request.grid[0] = grid.x, request.grid[1] = grid.y, request.grid[2] = grid.z;
  request.block[0] = block.x, request.block[1] = block.y, request.block[2] = block.z;
  request.dynamicShared = sharedBytes;
  request.cooperative = cooperative;
  LaunchResult result = scheduler().run(request);
  if (result.error) {
    std::fflush(stdout);
    if (result.error == cudaErrorLaunchTimeout && strict().isOn())
      report(Check::deadlock, result.message);
    else if (!result.message.empty()) // strict mode has told already
      std::fprintf(stderr, "gpuad: %s%s", result.message.c_str(), result.message.back() == '\n' ? "" : "\n");
    raiseSticky(cudaError_t(result.error));
  }
  return cudaSuccess;
}

} // namespace gpuad::cpu

using namespace gpuad::cpu;

extern "C" {

cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **arguments, size_t sharedBytes,
                             cudaStream_t stream) {
  return api([&] { return launchKernel(stub, grid, block, arguments, sharedBytes, stream, false); });
}

cudaError_t cudaLaunchCooperativeKernel(const void *stub, dim3 grid, dim3 block, void **arguments, size_t sharedBytes,
                                        cudaStream_t stream) {
  return api([&] { return launchKernel(stub, grid, block, arguments, sharedBytes, stream, true); });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *stub, void **arguments) {
  return api([&] {
    if (!config)
      return cudaErrorInvalidValue;
    bool cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const cudaLaunchAttribute &attribute = config->attrs[i];
      if (attribute.id == cudaLaunchAttributeCooperative)
        cooperative = attribute.val.cooperative != 0;
      else if (attribute.id == cudaLaunchAttributeClusterDimension &&
               attribute.val.clusterDim.x * attribute.val.clusterDim.y * attribute.val.clusterDim.z > 1)
        return cudaErrorNotSupported;
    }
    return launchKernel(stub, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream,
                        cooperative);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *stub) {
  return api([&] {
    const KernelReference *reference = images().kernel(stub);
    if (!attributes || !reference)
      return attributes ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue;
    *attributes = {};
    attributes->sharedSizeBytes = staticShared(*reference->kernel);
    attributes->maxThreadsPerBlock = threadLimit(*reference->kernel);
    while (attributes->maxThreadsPerBlock > 32 &&
           registersOf(*reference->kernel, uint64_t(attributes->maxThreadsPerBlock)) >
               uint64_t(deviceProperties().regsPerBlock))
      attributes->maxThreadsPerBlock -= 32;
    uint32_t registers = reference->kernel->registers;
    attributes->numRegs = registers ? int(registers) : 32;
    attributes->ptxVersion = attributes->binaryVersion = 80;
    attributes->maxDynamicSharedSizeBytes = reference->dynamicSharedLimit;
    attributes->preferredShmemCarveout = -1;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void *stub, cudaFuncAttribute attribute, int value) {
  return api([&] {
    KernelReference *reference = images().kernel(stub);
    if (!reference)
      return cudaErrorInvalidDeviceFunction;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
      return cudaSuccess;
    auto limit = int64_t(deviceProperties().sharedMemPerBlockOptin) - int64_t(staticShared(*reference->kernel));
    if (value < 0 || value > limit)
      return cudaErrorInvalidValue;
    reference->dynamicSharedLimit = value;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void *stub, cudaFuncCache) {
  return api([&] { return images().kernel(stub) ? cudaSuccess : cudaErrorInvalidDeviceFunction; });
}

cudaError_t cudaFuncGetName(const char **name, const void *stub) {
  return api([&] {
    const KernelReference *reference = images().kernel(stub);
    if (!name || !reference)
      return cudaErrorInvalidDeviceFunction;
    *name = reference->kernel->name;
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *stub, int threads,
                                                                   size_t dynamicShared, unsigned) {
  return api([&] {
    const KernelReference *reference = images().kernel(stub);
    if (!blocks || !reference)
      return blocks ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue;
    *blocks = blocksPerMultiprocessor(*reference->kernel, threads, dynamicShared);
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub, int threads,
                                                          size_t dynamicShared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, stub, threads, dynamicShared, 0);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *stub, int blocks, int threads) {
  return api([&] {
    const KernelReference *reference = images().kernel(stub);
    if (!bytes || !reference || blocks <= 0 || threads <= 0)
      return bytes ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue;
    const cudaDeviceProp &p = deviceProperties();
    size_t share = p.sharedMemPerMultiprocessor / size_t(blocks) - p.reservedSharedMemPerBlock;
    size_t statics = staticShared(*reference->kernel);
    *bytes = std::min(share, p.sharedMemPerBlockOptin) - std::min(share, statics);
    return cudaSuccess;
  });
}

} // extern "C"
