#include "Copy.h"
#include "Images.h"
#include "Memory.h"
#include "Report.h"
#include "Strict.h"

#include <cstring>

namespace gpuad::cpu {
namespace {

size_t span(Pitches pitch, Box box) {
  if (!box.width || !box.height || !box.depth)
    return 0;
  return (box.depth - 1) * pitch.slice + (box.height - 1) * pitch.row + box.width;
}

/// Bytes from the address to the end of what it lies in; 0 for addresses that are no live device memory.
size_t deviceRoom(const void *address) {
  void *base = nullptr;
  if (memory().contains(address)) {
    const Allocation *found = memory().find(address, &base);
    return found ? found->bytes - size_t(static_cast<const char *>(address) - static_cast<char *>(base)) : 0;
  }
  if (const GpuadVariable *variable = images().variableAt(address))
    return variable->bytes - size_t(static_cast<const char *>(address) - static_cast<char *>(variable->address));
  return 0;
}

bool isDevice(const void *address) {
  return memory().contains(address) || images().variableAt(address);
}

cudaError_t wrong(Check check, const std::string &what, const void *address) {
  if (strict().isOn() && isOff(check))
    return cudaSuccess;
  if (strict().isOn())
    report(check, what, address);
  return cudaErrorInvalidValue;
}

/// One side of a copy: is it where the kind says, and inside one allocation?
cudaError_t checkSide(const void *address, size_t bytes, bool mustBeDevice, bool mustBeHost) {
  if (!address)
    return cudaErrorInvalidValue;
  bool device = isDevice(address);
  if ((device && mustBeHost) || (!device && mustBeDevice && !memory().find(address)))
    return wrong(Check::copyKind,
                 device ? "device memory where the kind of the copy says host memory"
                        : "host memory where the kind of the copy says device memory",
                 address);
  if (device && deviceRoom(address) < bytes)
    return wrong(Check::outOfBounds, "a copy of " + std::to_string(bytes) + " bytes, more than there are", address);
  return cudaSuccess;
}

void copyRow(char *to, const char *from, size_t bytes) {
  std::memmove(memory().accessible(to), memory().accessible(from), bytes);
  if (strict().isOn() && memory().contains(to))
    strict().heap().copy(to, memory().contains(from) ? &strict().heap() : nullptr, from, bytes);
}

void fillRow(char *to, int value, size_t bytes) {
  std::memset(memory().accessible(to), value, bytes);
  if (strict().isOn() && memory().contains(to))
    strict().heap().set(to, bytes, ByteState::initialised);
}

} // namespace

cudaError_t copyBox(void *to, Pitches toPitch, const void *from, Pitches fromPitch, Box box, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  size_t bytes = span(toPitch, box);
  if (!bytes)
    return cudaSuccess;
  bool toDevice = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool fromDevice = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  bool isDefault = kind == cudaMemcpyDefault;
  if (cudaError_t error = checkSide(to, bytes, toDevice, !toDevice && !isDefault))
    return error;
  if (cudaError_t error = checkSide(from, span(fromPitch, box), fromDevice, !fromDevice && !isDefault))
    return error;
  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; ++y)
      copyRow(static_cast<char *>(to) + z * toPitch.slice + y * toPitch.row,
              static_cast<const char *>(from) + z * fromPitch.slice + y * fromPitch.row, box.width);
  return cudaSuccess;
}

cudaError_t fillBox(void *to, Pitches pitch, int value, Box box) {
  size_t bytes = span(pitch, box);
  if (!bytes)
    return cudaSuccess;
  if (cudaError_t error = checkSide(to, bytes, true, false))
    return error;
  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; ++y)
      fillRow(static_cast<char *>(to) + z * pitch.slice + y * pitch.row, value, box.width);
  return cudaSuccess;
}

} // namespace gpuad::cpu
