/// \file
/// Errors: the last one of a thread, and the sticky one of the device.

#include "Api.h"
#include "Options.h"

namespace gpuad::cpu {
namespace {
thread_local cudaError_t lastError = cudaSuccess;
cudaError_t sticky = cudaSuccess;

struct ErrorText {
  cudaError_t error;
  const char *name, *text;
};

const ErrorText texts[] = {
#define GPUAD_ERROR(NAME, TEXT) {NAME, #NAME, TEXT},
#include "Errors.def"
#undef GPUAD_ERROR
};

const ErrorText *textOf(cudaError_t error) {
  for (const ErrorText &entry : texts)
    if (entry.error == error)
      return &entry;
  return nullptr;
}
} // namespace

std::unique_lock<std::recursive_mutex> lockApi() {
  static auto *mutex = new std::recursive_mutex;
  return std::unique_lock<std::recursive_mutex>(*mutex);
}

cudaError_t stickyError() {
  return sticky;
}
void raiseSticky(cudaError_t error) {
  if (!sticky)
    sticky = error;
}
void clearSticky() {
  sticky = lastError = cudaSuccess;
}

cudaError_t injectedFailure() {
  static uint64_t calls = 0;
  const Options &wanted = options();
  return wanted.failAt && ++calls == wanted.failAt ? cudaError_t(wanted.failWith) : cudaSuccess;
}

cudaError_t note(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady)
    lastError = error;
  return error;
}

} // namespace gpuad::cpu

using namespace gpuad::cpu;

extern "C" {

cudaError_t cudaGetLastError() {
  auto lock = lockApi();
  if (sticky)
    return sticky;
  cudaError_t error = lastError;
  lastError = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  auto lock = lockApi();
  return sticky ? sticky : lastError;
}

const char *cudaGetErrorName(cudaError_t error) {
  const ErrorText *entry = textOf(error);
  return entry ? entry->name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  const ErrorText *entry = textOf(error);
  return entry ? entry->text : "unrecognized error code";
}

} // extern "C"
