#include "CommandLine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace gpuad::cpucc {

const char *const Usage = R"(usage: gpuad-cpucc FILE.cu... -o PROGRAM [--strict] [flags]

Compiles CUDA for the CPU. The program needs no GPU and no driver.

  -o FILE             output; default a.out, or FILE.o with -c
  -c                  compile only
  -rdc=true, -dc      device code of several files may refer to each other
  --strict            check every access to memory
  --registers         ask nvcc how many registers kernels need; launches that need too many then fail as on a GPU
  --cuda-path=DIR     CUDA toolkit; default: CUDA_PATH, nvcc in PATH, the usual places
  -v                  show the commands
  --keep              keep temporary files

Other flags are clang's (-I, -D, -std=, -O, -g, -fsanitize=address, -l, ...). Of nvcc's, those that choose an
architecture or tune the GPU code are ignored; -Xcompiler is unwrapped.
)";

namespace {

/// What to do with a flag of nvcc that clang does not know or understands otherwise.
enum class Action { Drop, DropWithValue, Unwrap, Relocatable, Dc, FastMath, DebugDevice, LinkerFlag };

struct NvccFlag {
  const char *name;
  Action action;
};

const NvccFlag NvccFlags[] = {
    {"-arch", Action::DropWithValue},
    {"--gpu-architecture", Action::DropWithValue},
    {"-code", Action::DropWithValue},
    {"--gpu-code", Action::DropWithValue},
    {"-gencode", Action::DropWithValue},
    {"--generate-code", Action::DropWithValue},
    {"--cuda-gpu-arch", Action::DropWithValue},
    {"--offload-arch", Action::DropWithValue},
    {"-ccbin", Action::DropWithValue},
    {"--compiler-bindir", Action::DropWithValue},
    {"-Xptxas", Action::DropWithValue},
    {"--ptxas-options", Action::DropWithValue},
    {"-Xnvlink", Action::DropWithValue},
    {"-Xcudafe", Action::DropWithValue},
    {"-maxrregcount", Action::DropWithValue},
    {"--maxrregcount", Action::DropWithValue},
    {"-diag-suppress", Action::DropWithValue},
    {"--diag-suppress", Action::DropWithValue},
    {"--threads", Action::DropWithValue},
    {"-t", Action::DropWithValue},
    {"-cudart", Action::DropWithValue},
    {"--cudart", Action::DropWithValue},
    {"--default-stream", Action::DropWithValue},
    {"-Xcompiler", Action::Unwrap},
    {"--compiler-options", Action::Unwrap},
    {"-Xlinker", Action::LinkerFlag},
    {"--linker-options", Action::LinkerFlag},
    {"-rdc", Action::Relocatable},
    {"--relocatable-device-code", Action::Relocatable},
    {"-fgpu-rdc", Action::Dc},
    {"-dc", Action::Dc},
    {"--device-c", Action::Dc},
    {"-use_fast_math", Action::FastMath},
    {"--use_fast_math", Action::FastMath},
    {"-G", Action::DebugDevice},
    {"--device-debug", Action::DebugDevice},
    {"-lineinfo", Action::Drop},
    {"--generate-line-info", Action::Drop},
    {"--expt-relaxed-constexpr", Action::Drop},
    {"-expt-relaxed-constexpr", Action::Drop},
    {"--expt-extended-lambda", Action::Drop},
    {"-expt-extended-lambda", Action::Drop},
    {"--extended-lambda", Action::Drop},
    {"-extended-lambda", Action::Drop},
    {"-forward-unknown-to-host-compiler", Action::Drop},
    {"--forward-unknown-to-host-compiler", Action::Drop},
    {"-allow-unsupported-compiler", Action::Drop},
    {"-m64", Action::Drop},
    {"-lcudart", Action::Drop},
    {"-lcudart_static", Action::Drop},
    {"-lcudadevrt", Action::Drop},
    {"-lcuda", Action::Drop},
};

Language languageOf(StringRef path, StringRef forced) {
  if (forced == "cu" || forced == "cuda")
    return Language::Cuda;
  if (!forced.empty() && forced != "none")
    return Language::Host;
  StringRef extension = llvm::sys::path::extension(path);
  if (extension == ".cu")
    return Language::Cuda;
  return llvm::StringSwitch<Language>(extension)
      .Cases({".cpp", ".cc", ".cxx", ".c", ".C"}, Language::Host)
      .Default(Language::Object);
}

class Parser {
public:
  Parser(const std::vector<std::string> &arguments, CommandLine &result) : arguments(arguments), result(result) {}

  std::string run() {
    for (at = 0; at < arguments.size() && error.empty(); ++at)
      one(arguments[at]);
    if (error.empty() && result.inputs.empty() && !result.help)
      error = "no input files";
    if (error.empty() && result.compileOnly && !result.output.empty() && result.inputs.size() > 1)
      error = "-o with -c takes one input file";
    return error;
  }

private:
  /// The value of a flag: after '=', or the next argument.
  std::string value(StringRef flag, StringRef name) {
    if (flag.size() > name.size())
      return flag.substr(name.size()).ltrim('=').str();
    if (at + 1 < arguments.size())
      return arguments[++at];
    error = (name + " needs a value").str();
    return "";
  }

  void one(StringRef a) {
    if (!a.starts_with("-") || a == "-") {
      result.inputs.push_back({a.str(), languageOf(a, forced)});
      return;
    }
    if (!ours(a) && !nvcc(a) && !clang(a))
      result.bothFlags.push_back(a.str());
  }

  bool ours(StringRef a) {
    if (a == "--strict")
      result.strict = true;
    else if (a == "--registers")
      result.registers = true;
    else if (a == "--help" || a == "-h")
      result.help = true;
    else if (a == "-c" || a == "--compile")
      result.compileOnly = true;
    else if (a == "-v" || a == "--verbose")
      result.verbose = true;
    else if (a == "--keep" || a == "-keep")
      result.keepTemporaries = true;
    else if (a.starts_with("--cuda-path"))
      result.cudaPath = value(a, "--cuda-path");
    else if (a == "--output-file" || a.starts_with("-o"))
      result.output = value(a, a.starts_with("-o") ? "-o" : "--output-file");
    else if (a == "-x" || (a.starts_with("-x") && a.size() > 2 && a != "-xc"))
      forced = value(a, "-x");
    else
      return false;
    return true;
  }

  bool nvcc(StringRef a) {
    for (const NvccFlag &flag : NvccFlags) {
      StringRef name = flag.name;
      if (a == name || (a.starts_with(name) && a[name.size()] == '=')) {
        apply(flag.action, a, name);
        return true;
      }
    }
    return false;
  }

  void apply(Action action, StringRef a, StringRef name) {
    switch (action) {
    case Action::Drop:
      break;
    case Action::DropWithValue: {
      std::string given = value(a, name);
      if (name.contains("maxrregcount"))
        result.registerFlags.push_back("-maxrregcount=" + given);
      break;
    }
    case Action::Unwrap:
      for (StringRef part : llvm::split(value(a, name), ','))
        result.hostAndLink.push_back(part.str());
      break;
    case Action::LinkerFlag:
      result.linkFlags.push_back("-Xlinker");
      result.linkFlags.push_back(value(a, name));
      break;
    case Action::Relocatable:
      result.relocatable = value(a, name) == "true";
      break;
    case Action::Dc:
      result.relocatable = true;
      result.compileOnly |= a != "-fgpu-rdc";
      break;
    case Action::FastMath:
      result.fastMath = true;
      break;
    case Action::DebugDevice:
      result.debug = true;
      result.optimisation = '0';
      break;
    }
  }

  /// Flags of clang that go to one of the steps only.
  bool clang(StringRef a) {
    if (a == "-g" || a == "-g2" || a == "-g3" || a == "-ggdb" || a == "--debug") {
      result.debug = true;
    } else if (a.starts_with("-O") && a.size() <= 3) {
      result.optimisation = a.size() == 2 ? '1' : a[2];
      result.hostFlags.push_back(a.str());
    } else if (a.starts_with("-l") || a.starts_with("-L") || a.starts_with("-Wl,") || a == "-static-libstdc++") {
      bool separate = a == "-l" || a == "-L";
      result.linkFlags.push_back(separate ? (a + value(a, a)).str() : a.str());
    } else if (a.starts_with("-fsanitize") || a.starts_with("-fno-sanitize") || a == "-pthread" ||
               a.starts_with("-fopenmp") || a.starts_with("-stdlib") || a == "-fno-omit-frame-pointer") {
      result.hostAndLink.push_back(a.str());
    } else if (a.starts_with("-march=") || a.starts_with("-mtune=") || a.starts_with("-m") || a == "-fPIC") {
      result.hostFlags.push_back(a.str());
    } else if (a == "-I" || a == "-D" || a == "-U" || a == "-include" || a == "-isystem" || a == "-Xclang") {
      result.bothFlags.push_back(a.str());
      result.bothFlags.push_back(value(a, a));
    } else if (a.starts_with("--std")) {
      result.bothFlags.push_back("-std=" + value(a, "--std"));
    } else if (a == "-std") {
      result.bothFlags.push_back("-std=" + value(a, "-std"));
    } else if (a.starts_with("--define-macro") || a.starts_with("--include-path")) {
      bool define = a.starts_with("--define");
      result.bothFlags.push_back((define ? "-D" : "-I") + value(a, define ? "--define-macro" : "--include-path"));
    } else {
      return false;
    }
    return true;
  }

  const std::vector<std::string> &arguments;
  CommandLine &result;
  size_t at = 0;
  std::string forced, error;
};

} // namespace

std::optional<CommandLine> parseCommandLine(const std::vector<std::string> &arguments, std::string &error) {
  CommandLine result;
  error = Parser(arguments, result).run();
  if (!error.empty())
    return std::nullopt;
  return result;
}

} // namespace gpuad::cpucc
