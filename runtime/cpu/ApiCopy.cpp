/// \file
/// cudaMemcpy and cudaMemset in their forms. All are done at the call: a legal schedule for the asynchronous ones.

#include "Copy.h"
#include "Images.h"

using namespace gpuad::cpu;

namespace {

cudaError_t copyLine(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return copyBox(to, {}, from, {}, {bytes, 1, 1}, kind);
}

cudaError_t copy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                   cudaMemcpyKind kind) {
  if (width > toPitch || width > fromPitch)
    return cudaErrorInvalidPitchValue;
  return copyBox(to, {toPitch, 0}, from, {fromPitch, 0}, {width, height, 1}, kind);
}

cudaError_t copy3D(const cudaMemcpy3DParms *p) {
  if (!p || p->srcArray || p->dstArray)
    return cudaErrorInvalidValue; // arrays are not supported, and cannot be made here
  Pitches to = {p->dstPtr.pitch, p->dstPtr.pitch * p->dstPtr.ysize};
  Pitches from = {p->srcPtr.pitch, p->srcPtr.pitch * p->srcPtr.ysize};
  auto *target = static_cast<char *>(p->dstPtr.ptr) + p->dstPos.z * to.slice + p->dstPos.y * to.row + p->dstPos.x;
  auto *source = static_cast<char *>(p->srcPtr.ptr) + p->srcPos.z * from.slice + p->srcPos.y * from.row + p->srcPos.x;
  return copyBox(target, to, source, from, {p->extent.width, p->extent.height, p->extent.depth}, p->kind);
}

/// The variable behind a symbol, if the range lies in it.
cudaError_t symbolRange(const void *symbol, size_t bytes, size_t offset, char **address) {
  const GpuadVariable *variable = images().variable(symbol);
  if (!variable)
    return cudaErrorInvalidSymbol;
  if (offset > variable->bytes || bytes > variable->bytes - offset)
    return cudaErrorInvalidValue;
  *address = static_cast<char *>(variable->address) + offset;
  return cudaSuccess;
}

cudaError_t toSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  char *address = nullptr;
  if (cudaError_t error = symbolRange(symbol, bytes, offset, &address))
    return error;
  return copyLine(address, from, bytes, kind);
}

cudaError_t fromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  char *address = nullptr;
  if (cudaError_t error = symbolRange(symbol, bytes, offset, &address))
    return error;
  return copyLine(to, address, bytes, kind);
}

/// Body of an asynchronous function: it also refuses streams that do not exist.
template <class Body> cudaError_t inStream(cudaStream_t stream, Body body) {
  return api([&] { return isStream(stream) ? body() : cudaErrorInvalidResourceHandle; });
}

} // namespace

extern "C" {

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return api([&] { return copyLine(to, from, bytes, kind); });
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return inStream(stream, [&] { return copyLine(to, from, bytes, kind); });
}
cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t bytes) {
  return api([&] { return copyLine(to, from, bytes, cudaMemcpyDeviceToDevice); });
}
cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t stream) {
  return inStream(stream, [&] { return copyLine(to, from, bytes, cudaMemcpyDeviceToDevice); });
}

cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return api([&] { return copy2D(to, toPitch, from, fromPitch, width, height, kind); });
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return inStream(stream, [&] { return copy2D(to, toPitch, from, fromPitch, width, height, kind); });
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p) {
  return api([&] { return copy3D(p); });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream) {
  return inStream(stream, [&] { return copy3D(p); });
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return api([&] { return toSymbol(symbol, from, bytes, offset, kind); });
}
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return inStream(stream, [&] { return toSymbol(symbol, from, bytes, offset, kind); });
}
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return api([&] { return fromSymbol(to, symbol, bytes, offset, kind); });
}
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return inStream(stream, [&] { return fromSymbol(to, symbol, bytes, offset, kind); });
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  return api([&] {
    const GpuadVariable *variable = images().variable(symbol);
    if (!variable || !address)
      return variable ? cudaErrorInvalidValue : cudaErrorInvalidSymbol;
    *address = variable->address;
    return cudaSuccess;
  });
}
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  return api([&] {
    const GpuadVariable *variable = images().variable(symbol);
    if (!variable || !bytes)
      return variable ? cudaErrorInvalidValue : cudaErrorInvalidSymbol;
    *bytes = variable->bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaMemset(void *to, int value, size_t bytes) {
  return api([&] { return fillBox(to, {}, value, {bytes, 1, 1}); });
}
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
  return inStream(stream, [&] { return fillBox(to, {}, value, {bytes, 1, 1}); });
}
cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return api([&] { return fillBox(to, {pitch, 0}, value, {width, height, 1}); });
}
cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return inStream(stream, [&] { return fillBox(to, {pitch, 0}, value, {width, height, 1}); });
}
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return api([&] {
    return fillBox(to.ptr, {to.pitch, to.pitch * to.ysize}, value, {extent.width, extent.height, extent.depth});
  });
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  return inStream(stream, [&] {
    return fillBox(to.ptr, {to.pitch, to.pitch * to.ysize}, value, {extent.width, extent.height, extent.depth});
  });
}

} // extern "C"
