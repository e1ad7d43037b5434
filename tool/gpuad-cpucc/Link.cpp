/// \file
/// Linking: relocatable device code of all objects into one image, and the program itself.

#include "Compile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuad::cpucc {
namespace {

/// Device objects inside host objects, and the registration functions that the host objects wait for.
struct Relocatable {
  std::vector<std::string> deviceObjects; ///< contents
  std::vector<std::string> registrations; ///< symbols
};

void collect(const object::ObjectFile &file, Relocatable &found) {
  for (const object::SectionRef &section : file.sections()) {
    Expected<StringRef> name = section.getName();
    if (!name) {
      consumeError(name.takeError());
      continue;
    }
    if (*name != "__nv_relfatbin")
      continue;
    if (Expected<StringRef> contents = section.getContents())
      found.deviceObjects.push_back(contents->str());
  }
  for (const object::SymbolRef &symbol : file.symbols()) {
    Expected<StringRef> name = symbol.getName();
    Expected<uint32_t> flags = symbol.getFlags();
    if (name && flags && (*flags & object::SymbolRef::SF_Undefined) && name->starts_with("__cudaRegisterLinkedBinary"))
      found.registrations.push_back(name->str());
    consumeError(name.takeError());
    consumeError(flags.takeError());
  }
}

void collect(const std::string &path, Relocatable &found) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return;
  Expected<std::unique_ptr<object::Binary>> binary = object::createBinary(**buffer);
  if (!binary)
    return consumeError(binary.takeError());
  if (auto *file = dyn_cast<object::ObjectFile>(binary->get()))
    return collect(*file, found);
  auto *archive = dyn_cast<object::Archive>(binary->get());
  if (!archive)
    return;
  Error error = Error::success();
  for (const object::Archive::Child &child : archive->children(error)) {
    Expected<std::unique_ptr<object::Binary>> member = child.getAsBinary();
    if (!member) {
      consumeError(member.takeError());
      continue;
    }
    if (auto *file = dyn_cast<object::ObjectFile>(member->get()))
      collect(*file, found);
  }
  consumeError(std::move(error));
}

bool write(const std::string &path, StringRef contents) {
  std::error_code error;
  raw_fd_ostream out(path, error);
  out << contents;
  return !error;
}

/// Names that the linker did not find, each once.
std::vector<std::string> undefinedNames(StringRef messages) {
  std::vector<std::string> names;
  StringSet<> seen;
  for (StringRef line : split(messages, '\n')) {
    StringRef name;
    if (size_t at = line.find("undefined symbol: "); at != StringRef::npos)
      name = line.substr(at + 18).trim();
    else if (size_t at = line.find("undefined reference to `"); at != StringRef::npos)
      name = line.substr(at + 24).split('\'').first;
    if (!name.empty() && seen.insert(name).second)
      names.push_back(name.str());
  }
  return names;
}

/// Why a name is missing, where we know.
std::string reasonFor(StringRef name) {
  if (name.starts_with("cudaMallocManaged") || name.starts_with("cudaMemPrefetch") ||
      name.starts_with("cudaMemAdvise") || name.starts_with("cudaStreamAttachMem"))
    return "managed memory does not run on the CPU: use cudaMalloc and copies";
  if (name.starts_with("cudaGraph") || name.starts_with("cudaStreamBeginCapture") ||
      name.starts_with("cudaStreamEndCapture"))
    return "CUDA graphs do not run on the CPU";
  if (name.contains("Texture") || name.contains("Surface") || name.contains("Array") || name.contains("ChannelDesc"))
    return "textures, surfaces and CUDA arrays do not run on the CPU";
  if (name.starts_with("cuda"))
    return "this function of the CUDA runtime does not run on the CPU";
  if (name.starts_with("gpuad_nvvm_") || name.starts_with("gpuad_ptx_"))
    return "this instruction does not run on the CPU";
  if (name.starts_with("__nv_"))
    return "this device function does not run on the CPU";
  return "";
}

} // namespace

bool Compilation::link(const std::vector<std::string> &command) {
  std::vector<std::string> full = command;
  if (!tools.linker.empty())
    full.push_back("--ld-path=" + tools.linker);
  std::string log = temporary("link.log");
  int status = runCommand(full, line.verbose, log);
  auto messages = MemoryBuffer::getFile(log);
  StringRef text = messages ? (*messages)->getBuffer() : "";
  if (status == 0) {
    errs() << text;
    return true;
  }
  bool explained = false;
  for (const std::string &name : undefinedNames(text))
    if (std::string reason = reasonFor(name); !reason.empty()) {
      StringRef shown = name;
      if (shown.consume_front("gpuad_nvvm_") || shown.consume_front("gpuad_ptx_"))
        shown = shown.split(' ').first;
      fail(shown.str() + ": " + reason);
      explained = true;
    }
  if (!explained || line.verbose)
    errs() << text;
  return false;
}

bool Compilation::linkRelocatable(std::vector<std::string> &objects) {
  Relocatable found;
  for (const std::string &object : objects)
    collect(object, found);
  if (found.registrations.empty())
    return true;
  std::vector<std::string> deviceObjects;
  for (const std::string &contents : found.deviceObjects) {
    deviceObjects.push_back(temporary("linked.o"));
    if (!write(deviceObjects.back(), contents))
      return fail("cannot write " + deviceObjects.back());
  }
  std::string image = temporary("linked.so"), source = temporary("linked.c"), object = temporary("linked.o");
  if (!linkDevice(deviceObjects, image))
    return false;
  std::string text = "__asm__(\".section .rodata,\\\"a\\\"\\n.balign 16\\ngpuad_linked_image:\\n.incbin \\\"" + image +
                     "\\\"\\n.previous\\n\");\n"
                     "extern const char gpuad_linked_image[] __attribute__((visibility(\"hidden\")));\n"
                     "void gpuad_register_linked(const void *, void (*)(void **));\n";
  for (const std::string &name : found.registrations)
    text += "void " + name + "(void (*globals)(void **)) { gpuad_register_linked(gpuad_linked_image, globals); }\n";
  if (!write(source, text) || !runStep({tools.clang, "-x", "c", "-fPIC", "-c", source, "-o", object}))
    return false;
  objects.push_back(object);
  return true;
}

bool Compilation::linkProgram(const std::vector<std::string> &objects) {
  std::vector<std::string> command = {tools.clang, "-o", line.output.empty() ? "a.out" : line.output};
  command.insert(command.end(), objects.begin(), objects.end());
  for (const auto *flags : {&line.hostAndLink, &line.linkFlags})
    command.insert(command.end(), flags->begin(), flags->end());
  command.insert(command.end(),
                 {"-L" + tools.libraryFolder, "-lgpuad-cpu", "-Wl,-rpath," + tools.libraryFolder, "-lm", "-ldl"});
  return link(command);
}

} // namespace gpuad::cpucc
