/// \file
/// Streams and events. Work is done when it is enqueued, so a stream is only a handle, and an event only a time.

#include "Api.h"

#include <ctime>
#include <unordered_set>

struct CUstream_st {
  unsigned flags;
  int priority;
  unsigned long long id;
};

struct CUevent_st {
  unsigned flags;
  bool recorded;
  double seconds;
};

namespace gpuad::cpu {
namespace {

std::unordered_set<cudaStream_t> &streams() {
  static auto *set = new std::unordered_set<cudaStream_t>;
  return *set;
}
std::unordered_set<cudaEvent_t> &events() {
  static auto *set = new std::unordered_set<cudaEvent_t>;
  return *set;
}

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

bool isBuiltIn(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool isEvent(cudaEvent_t event) {
  return events().count(event) != 0;
}

} // namespace

bool isStream(cudaStream_t stream) {
  return isBuiltIn(stream) || streams().count(stream) != 0;
}

} // namespace gpuad::cpu

using namespace gpuad::cpu;

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return api([&] {
    if (!stream || (flags & ~unsigned(cudaStreamNonBlocking)))
      return cudaErrorInvalidValue;
    static unsigned long long last = 0;
    *stream = new CUstream_st{flags, priority, ++last};
    streams().insert(*stream);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithPriority(stream, 0, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api([&] {
    if (!streams().erase(stream))
      return cudaErrorInvalidResourceHandle;
    delete stream;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api([&] { return isStream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return api([&] { return isStream(stream) && isEvent(event) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  return api([&] {
    if (!isStream(stream) || !priority)
      return cudaErrorInvalidValue;
    *priority = isBuiltIn(stream) ? 0 : stream->priority;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  return api([&] {
    if (!isStream(stream) || !flags)
      return cudaErrorInvalidValue;
    *flags = isBuiltIn(stream) ? 0 : stream->flags;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  return api([&] {
    if (!isStream(stream) || !id)
      return cudaErrorInvalidValue;
    *id = isBuiltIn(stream) ? 0 : stream->id;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  return api([&] {
    if (!isStream(stream) || !status)
      return cudaErrorInvalidValue;
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  return api([&] { return mode ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  return api([&] {
    if (!isStream(stream) || !function)
      return cudaErrorInvalidValue;
    function(data);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned) {
  return api([&] {
    if (!isStream(stream) || !function)
      return cudaErrorInvalidValue;
    function(stream, cudaSuccess, data);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return api([&] {
    if (!event)
      return cudaErrorInvalidValue;
    *event = new CUevent_st{flags, false, 0};
    events().insert(*event);
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return api([&] {
    if (!isEvent(event) || !isStream(stream))
      return cudaErrorInvalidResourceHandle;
    event->recorded = true;
    event->seconds = now();
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return api([&] { return isEvent(event) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return api([&] {
    if (!milliseconds)
      return cudaErrorInvalidValue;
    if (!isEvent(start) || !isEvent(end) || !start->recorded || !end->recorded ||
        ((start->flags | end->flags) & cudaEventDisableTiming))
      return cudaErrorInvalidResourceHandle;
    *milliseconds = float((end->seconds - start->seconds) * 1e3);
    return cudaSuccess;
  });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return api([&] {
    if (!events().erase(event))
      return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}

} // extern "C"
