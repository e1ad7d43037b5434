#include "Images.h"
#include "Memory.h"
#include "Scheduler.h"
#include "Strict.h"

#include <algorithm>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

namespace gpuad::cpu {
namespace {

[[noreturn]] void giveUp(const std::string &what) {
  std::fprintf(stderr, "gpuad: cannot load the device code of this program: %s\n", what.c_str());
  std::_Exit(127);
}

/// An ELF file has its section headers last, so they tell its size.
size_t imageBytes(const void *bytes) {
  auto *header = static_cast<const Elf64_Ehdr *>(bytes);
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    giveUp("it was not compiled by gpuad-cpucc");
  return header->e_shoff + size_t(header->e_shentsize) * header->e_shnum;
}

/// A debugger opens loaded objects by name, now and later.
bool isDebugged() {
  bool traced = false;
  if (FILE *status = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, status))
      traced |= std::strncmp(line, "TracerPid:", 10) == 0 && std::atoi(line + 10) != 0;
    std::fclose(status);
  }
  return traced;
}

std::vector<std::string> &keptFiles() {
  static auto *names = new std::vector<std::string>;
  return *names;
}

void removeKeptFiles() {
  for (const std::string &name : keptFiles())
    unlink(name.c_str());
}

/// Writes the image to a file that has no name any more once it is loaded, except under a debugger.
void *loadFile(const void *bytes, size_t size, int *file) {
  const char *folder = std::getenv("TMPDIR");
  std::string name = std::string(folder && *folder ? folder : "/tmp") + "/gpuad-device-XXXXXX";
  *file = mkstemp(name.data());
  if (*file < 0)
    giveUp(name + ": " + std::strerror(errno));
  auto *from = static_cast<const char *>(bytes);
  for (size_t done = 0; done < size;) {
    ssize_t n = write(*file, from + done, size - done);
    if (n <= 0)
      giveUp(name + ": " + std::strerror(errno));
    done += size_t(n);
  }
  void *object = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::string why = object ? "" : dlerror();
  if (isDebugged()) {
    if (keptFiles().empty())
      std::atexit(removeKeptFiles);
    keptFiles().push_back(name);
  } else {
    unlink(name.c_str());
  }
  if (!object)
    giveUp(why);
  return object;
}

} // namespace

/// The range of addresses of the object that holds the image's tables.
static void findExtent(Image &image) {
  auto visit = [](dl_phdr_info *info, size_t, void *data) {
    auto &wanted = *static_cast<Image *>(data);
    auto *address = reinterpret_cast<const char *>(wanted.tables);
    const char *low = nullptr, *high = nullptr;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      if (info->dlpi_phdr[i].p_type != PT_LOAD)
        continue;
      auto *start = reinterpret_cast<const char *>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
      low = low ? std::min(low, start) : start;
      high = std::max(high, start + info->dlpi_phdr[i].p_memsz);
    }
    if (address < low || address >= high)
      return 0;
    wanted.start = low;
    wanted.end = high;
    return 1;
  };
  dl_iterate_phdr(visit, &image);
}

Images &images() {
  static auto *one = new Images;
  return *one;
}

Image *Images::load(const void *bytes) {
  auto *image = new Image;
  void *object = loadFile(bytes, imageBytes(bytes), &image->file);
  image->tables = static_cast<const GpuadImage *>(dlsym(object, "gpuad_image"));
  if (!image->tables)
    giveUp("it has no tables");
  for (auto *k = image->tables->kernels; k != image->tables->kernelsEnd; ++k)
    image->kernels[k->name] = k;
  for (auto *v = image->tables->variables; v != image->tables->variablesEnd; ++v)
    image->variables[v->name] = v;
  findExtent(*image);
  if (image->tables->flags & gpuadImageStrict) {
    strict().enable();
    if (strict().isOn()) {
      memory().makeStrict();
      catchDeviceFaults();
    }
    strict().addImage(*image->tables);
  }
  all.push_back(image);
  return image;
}

void Images::addKernel(Image *image, const void *hostStub, const char *name) {
  auto place = image->kernels.find(name);
  if (place != image->kernels.end())
    kernels[hostStub] = {place->second, image};
}

void Images::addVariable(Image *image, const void *hostShadow, const char *name) {
  auto place = image->variables.find(name);
  if (place != image->variables.end())
    variables[hostShadow] = place->second;
}

KernelReference *Images::kernel(const void *hostStub) {
  auto place = kernels.find(hostStub);
  return place == kernels.end() ? nullptr : &place->second;
}

const GpuadVariable *Images::variable(const void *hostShadow) const {
  auto place = variables.find(hostShadow);
  return place == variables.end() ? nullptr : place->second;
}

const GpuadVariable *Images::variableAt(const void *address) const {
  for (const Image *image : all)
    for (auto *v = image->tables->variables; v != image->tables->variablesEnd; ++v) {
      auto *start = static_cast<const char *>(v->address);
      if (address >= start && address < start + v->bytes)
        return v;
    }
  return nullptr;
}

bool Images::isConstantData(const void *address) const {
  return std::any_of(all.begin(), all.end(),
                     [&](const Image *image) { return address >= image->start && address < image->end; });
}

} // namespace gpuad::cpu
