#include "Report.h"
#include "Images.h"
#include "Memory.h"
#include "Options.h"
#include "Scheduler.h"
#include "Strict.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace gpuad::cpu {
namespace {

unsigned count = 0;

const char *const names[] = {
#define GPUAD_CHECK(NAME, TEXT) TEXT,
#include "Checks.def"
#undef GPUAD_CHECK
};

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + "\"";
}

/// What lies at the address: an allocation, a variable, or the nearest allocation before it.
std::string describe(const void *address) {
  if (!address)
    return "";
  char text[160];
  if (const GpuadVariable *variable = images().variableAt(address)) {
    std::snprintf(text, sizeof text, "%p is in variable %s", address, variable->name);
    return text;
  }
  long distance = 0;
  const Allocation *near = memory().nearest(address, &distance);
  if (!near) {
    std::snprintf(text, sizeof text, "%p", address);
    return text;
  }
  if (distance < long(near->bytes))
    std::snprintf(text, sizeof text, "%p is byte %ld of allocation %lu of %zu bytes", address, distance,
                  (unsigned long)near->serial, near->bytes);
  else
    std::snprintf(text, sizeof text, "%p is %ld bytes after allocation %lu of %zu bytes", address,
                  distance - long(near->bytes), (unsigned long)near->serial, near->bytes);
  return text + near->place();
}

void print(const char *kind, const std::string &what, const void *address, uint32_t bytes, const GpuadSite *site) {
  std::fflush(stdout);
  const Scheduler &s = scheduler();
  std::string where = s.isDeviceThread() ? s.whereAmI() : "";
  std::string there = describe(address);
  if (options().jsonReports) {
    const GpuadThread &t = gpuad_thread;
    std::fprintf(stderr, "{\"kind\":%s,\"message\":%s", quoted(kind).c_str(), quoted(what).c_str());
    if (!where.empty())
      std::fprintf(stderr, ",\"kernel\":%s,\"block\":[%u,%u,%u],\"thread\":[%u,%u,%u]",
                   quoted(s.request().kernel->name).c_str(), t.blockIdx[0], t.blockIdx[1], t.blockIdx[2],
                   t.threadIdx[0], t.threadIdx[1], t.threadIdx[2]);
    if (site)
      std::fprintf(stderr, ",\"access\":%s,\"file\":%s,\"line\":%u", quoted(site->what).c_str(),
                   quoted(site->file).c_str(), site->line);
    if (address)
      std::fprintf(stderr, ",\"address\":\"%p\",\"bytes\":%u,\"memory\":%s", address, bytes, quoted(there).c_str());
    std::fprintf(stderr, "}\n");
    return;
  }
  std::fprintf(stderr, "gpuad: %s: %s\n", kind, what.c_str());
  if (site)
    std::fprintf(stderr, "  %s\n", siteName(site).c_str());
  if (!where.empty())
    std::fprintf(stderr, "  %s\n", where.c_str());
  if (!there.empty())
    std::fprintf(stderr, "  %s\n", there.c_str());
}

/// A program that ends well in spite of reports must not look as if it had.
void endWithStatus() {
  strict().reportLeaks();
  if (!count)
    return;
  std::fflush(nullptr);
  _exit(86);
}

struct AtEnd {
  AtEnd() { std::atexit(endWithStatus); }
} atEnd;

} // namespace

bool isOff(Check check) {
  return options().off >> unsigned(check) & 1;
}

void report(Check check, const std::string &what, const void *address, uint32_t bytes, const GpuadSite *site) {
  if (isOff(check))
    return;
  ++count;
  print(names[unsigned(check)], what, address, bytes, site);
}

void reportFault(int error, Check check, const std::string &what, const void *address, uint32_t bytes,
                 const GpuadSite *site) {
  if (isOff(check))
    return;
  report(check, what, address, bytes, site);
  scheduler().fail(error, "");
}

unsigned reportCount() {
  return count;
}

} // namespace gpuad::cpu
