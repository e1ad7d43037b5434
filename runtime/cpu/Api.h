/// \file
/// What every runtime API function shares: the lock, the sticky error, the last error.

#pragma once

#include <cuda_runtime_api.h>

#include <mutex>

namespace gpuad::cpu {

/// Locks the runtime for one API call. Recursive: a callback of a stream may call the API.
std::unique_lock<std::recursive_mutex> lockApi();

/// An error that a kernel raised. It stays until cudaDeviceReset, as on a GPU.
cudaError_t stickyError();
void raiseSticky(cudaError_t error);
void clearSticky();

/// The error that this call has to give because the environment asked for it.
cudaError_t injectedFailure();

/// Keeps an error for cudaGetLastError.
cudaError_t note(cudaError_t error);

/// Runs the body of an API function that touches the device: under the lock, and not after a sticky error.
template <class Body> cudaError_t api(Body body) {
  auto lock = lockApi();
  if (cudaError_t error = stickyError())
    return note(error);
  if (cudaError_t error = injectedFailure())
    return note(error);
  return note(body());
}

/// Whether a stream handle is one that this runtime gave out (or a built-in one).
bool isStream(cudaStream_t stream);

cudaError_t launchKernel(const void *stub, dim3 grid, dim3 block, void **arguments, size_t sharedBytes,
                         cudaStream_t stream, bool cooperative);

} // namespace gpuad::cpu
