// The runtime is told that a stream is being captured where nothing can capture, and what it allocates meanwhile is
// counted. Before any other include.
#ifndef PRETEND_CAPTURE_H
#define PRETEND_CAPTURE_H

#include <cuda_runtime.h>

namespace pretend {
inline bool is_capturing = false;
inline int allocated_in_graph = 0; ///< by stream-ordered allocations under capture: the graph owns these

inline cudaError_t capture_status(cudaStream_t, cudaStreamCaptureStatus *status) {
  *status = is_capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
inline cudaError_t allocate(void **memory, size_t bytes, cudaStream_t stream) {
  allocated_in_graph += is_capturing;
  return cudaMallocAsync(memory, bytes, stream);
}
} // namespace pretend

#define cudaStreamIsCapturing pretend::capture_status
#define cudaMallocAsync pretend::allocate

#endif
