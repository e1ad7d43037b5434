/// \file
/// Reading the environment. A value that is not understood ends the program: a test that believes it ran in another
/// order than it did would be worse.

#include "Options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include <cuda_runtime_api.h>

namespace gpuad::cpu {
namespace {

[[noreturn]] void refuse(const char *name, const char *value, const char *expected) {
  std::fprintf(stderr, "gpuad: %s=%s: expected %s\n", name, value, expected);
  std::exit(2);
}

double number(const char *name, double fallback) {
  const char *value = std::getenv(name);
  if (!value || !*value)
    return fallback;
  char *end = nullptr;
  double result = std::strtod(value, &end);
  const char *units = "kMG";
  if (const char *unit = *end ? std::strchr(units, *end) : nullptr) {
    for (const char *u = units; u <= unit; ++u)
      result *= 1024;
    ++end;
  }
  if (*end || !(result >= 0))
    refuse(name, value, "a number, with k, M or G for bytes");
  return result;
}

RunOrder readOrder() {
  RunOrder result;
  const char *value = std::getenv("GPUAD_CPU_ORDER");
  if (!value || !*value || !std::strcmp(value, "ascending"))
    return result;
  if (!std::strcmp(value, "descending")) {
    result.order = Order::descending;
    return result;
  }
  char *end = nullptr;
  if (std::strncmp(value, "shuffle:", 8) == 0 && value[8]) {
    result.order = Order::shuffled;
    result.seed = std::strtoull(value + 8, &end, 10);
  }
  if (!end || *end)
    refuse("GPUAD_CPU_ORDER", value, "ascending, descending or shuffle:SEED");
  return result;
}

/// N:ERROR, with the error as a number or by its name.
void readFailure(Options &result) {
  const char *value = std::getenv("GPUAD_CPU_FAIL");
  if (!value || !*value)
    return;
  char *end = nullptr;
  result.failAt = std::strtoull(value, &end, 10);
  if (*end == ':') {
    const char *error = end + 1;
    result.failWith = int(std::strtol(error, &end, 10));
    for (int i = 1; end == error && i < 1000; ++i)
      if (!std::strcmp(cudaGetErrorName(cudaError_t(i)), error))
        result.failWith = i, end = const_cast<char *>(error) + std::strlen(error);
  }
  if (*end || !result.failAt || result.failWith <= 0)
    refuse("GPUAD_CPU_FAIL", value, "N:ERROR, say 3:cudaErrorMemoryAllocation");
}

void readChecks(Options &result) {
  const char *value = std::getenv("GPUAD_CPU_OFF");
  const char *const names[] = {
#define GPUAD_CHECK(NAME, TEXT) TEXT,
#include "Checks.def"
#undef GPUAD_CHECK
  };
  for (const char *at = value; at && *at; at += *at == ',') {
    size_t length = std::strcspn(at, ",");
    unsigned number = 0;
    for (const char *name : names) {
      if (std::strlen(name) == length && !std::strncmp(name, at, length))
        break;
      ++number;
    }
    if (number == std::size(names))
      refuse("GPUAD_CPU_OFF", value, "names of reports, with commas between");
    result.off |= 1u << number;
    at += length;
  }
}

bool isSet(const char *name, const char *expected) {
  const char *value = std::getenv(name);
  return value && !std::strcmp(value, expected);
}

Options read() {
  Options result;
  result.stackBytes = size_t(number("GPUAD_CPU_STACK", double(result.stackBytes)));
  result.memoryBytes = size_t(number("GPUAD_CPU_MEMORY", 0));
  result.spinSeconds = number("GPUAD_CPU_SPIN", result.spinSeconds);
  result.launchSeconds = number("GPUAD_CPU_TIMEOUT", 0);
  result.strict = !isSet("GPUAD_CPU_STRICT", "0");
  readChecks(result);
  result.jsonReports = isSet("GPUAD_CPU_REPORT", "json");
  readFailure(result);
  return result;
}

} // namespace

const Options &options() {
  static const Options result = read();
  return result;
}

const RunOrder &runOrder() {
  static const RunOrder result = readOrder();
  return result;
}

} // namespace gpuad::cpu
