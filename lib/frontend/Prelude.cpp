//===- Prelude.cpp --------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Prelude.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <set>

namespace gpuad::frontend {

bool isGeneratedName(const std::string &name) {
  if (name == "gpuad")
    return true;
  llvm::StringRef text = name;
  for (llvm::StringRef suffix : {"_adjoint", "_tangent", "_augmented"})
    if (text.size() > suffix.size() && text.ends_with(suffix))
      return true;
  return false;
}

namespace {

/// One way in which a name is used.
struct Use {
  std::vector<std::string> qualifier;
  bool isLaunched = false;
  bool hasArguments = false; ///< of a template, written

  auto operator<=>(const Use &) const = default;
};

} // namespace

static bool isWord(char c) {
  return llvm::isAlnum(c) || c == '_';
}

/// The names before a use: {"a", "b"} for a::b::name.
static std::vector<std::string> qualifierBefore(llvm::StringRef text, size_t at) {
  std::vector<std::string> names;
  llvm::StringRef before = text.take_front(at);
  while (before.consume_back("::")) {
    size_t begin = before.size();
    while (begin && isWord(before[begin - 1]))
      --begin;
    if (begin == before.size())
      break;
    names.insert(names.begin(), before.drop_front(begin).str());
    before = before.take_front(begin);
  }
  return names;
}

/// What follows a use: template arguments, a launch.
static void lookBehind(llvm::StringRef after, Use &use) {
  after = after.ltrim();
  if (after.starts_with("<") && !after.starts_with("<<<")) {
    int depth = 0;
    size_t end = 0;
    for (; end < after.size(); ++end) {
      depth += after[end] == '<' || after[end] == '(';
      depth -= after[end] == '>' || after[end] == ')';
      if (depth == 0 || after[end] == ';')
        break;
    }
    if (depth != 0)
      return;
    use.hasArguments = true;
    after = after.drop_front(end + 1).ltrim();
  }
  use.isLaunched = after.starts_with("<<<");
}

static std::set<Use> usesOf(llvm::StringRef text, llvm::StringRef name) {
  std::set<Use> uses;
  for (size_t at = text.find(name); at != llvm::StringRef::npos; at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at && isWord(text[at - 1])) || (end < text.size() && isWord(text[end])))
      continue;
    Use use;
    use.qualifier = qualifierBefore(text, at);
    lookBehind(text.drop_front(end), use);
    uses.insert(std::move(use));
  }
  return uses;
}

static std::string declareUse(const std::string &name, const Use &use) {
  if (!isGeneratedName(name)) // the shadow of a variable, of any type
    return "extern __attribute__((device)) float " + name + "[1];\n";
  bool isLauncher = llvm::StringRef(name).starts_with("launch_");
  bool isTangent = llvm::StringRef(name).ends_with("_tangent") && !isLauncher;
  std::string signature = use.isLaunched ? "__attribute__((global)) void " + name + "(Args...);\n"
                                         : "__attribute__((host)) __attribute__((device)) " +
                                               std::string(isTangent ? "gpuad_generated_value " : "void ") + name +
                                               (isLauncher ? "(gpuad_generated_launch, " : "(") + "Args &&...);\n";
  std::string text;
  if (!use.hasArguments)
    return "template <class... Args> " + signature;
  for (const char *parameters : {"class T, class... Ts", "auto V, auto... Vs", "class T, auto V, auto... Vs"})
    text += "template <" + std::string(parameters) + ", class... Args> " + signature;
  return text;
}

/// Loads and stores with cache hints, what nvcc offers to host code as well, a header that
/// its own include, and managed variables, which are like those of the device to kernels.
/// The macro is that of Clang's own header, which has the rest.
static constexpr const char *MissingIntrinsics = R"(
#ifdef __CLANG_CUDA_INTRINSICS_H__
#include <time.h>
#undef __managed__
#define __managed__ __attribute__((device))
#define GPUAD_HOST __attribute__((host))
#define GPUAD_MINMAX(NAME) \
  GPUAD_HOST int NAME(int, int); \
  GPUAD_HOST unsigned NAME(unsigned, unsigned); \
  GPUAD_HOST unsigned NAME(int, unsigned); \
  GPUAD_HOST unsigned NAME(unsigned, int); \
  GPUAD_HOST long NAME(long, long); \
  GPUAD_HOST unsigned long NAME(unsigned long, unsigned long); \
  GPUAD_HOST unsigned long NAME(long, unsigned long); \
  GPUAD_HOST unsigned long NAME(unsigned long, long); \
  GPUAD_HOST long long NAME(long long, long long); \
  GPUAD_HOST unsigned long long NAME(unsigned long long, unsigned long long); \
  GPUAD_HOST unsigned long long NAME(long long, unsigned long long); \
  GPUAD_HOST unsigned long long NAME(unsigned long long, long long); \
  GPUAD_HOST float NAME(float, float); \
  GPUAD_HOST double NAME(double, double); \
  GPUAD_HOST double NAME(float, double); \
  GPUAD_HOST double NAME(double, float);
GPUAD_MINMAX(min)
GPUAD_MINMAX(max)
GPUAD_HOST unsigned umin(unsigned, unsigned);
GPUAD_HOST unsigned umax(unsigned, unsigned);
GPUAD_HOST long long llmin(long long, long long);
GPUAD_HOST long long llmax(long long, long long);
GPUAD_HOST double rhypot(double, double);
GPUAD_HOST float rhypotf(float, float);
GPUAD_HOST double norm3d(double, double, double);
GPUAD_HOST float norm3df(float, float, float);
#undef GPUAD_MINMAX
#undef GPUAD_HOST
template <class T> struct gpuad_if_floating {};
template <> struct gpuad_if_floating<float> { typedef bool type; };
template <> struct gpuad_if_floating<double> { typedef bool type; };
template <> struct gpuad_if_floating<long double> { typedef bool type; };
template <class T> __attribute__((host)) typename gpuad_if_floating<T>::type isnan(T);
template <class T> __attribute__((host)) typename gpuad_if_floating<T>::type isinf(T);
template <class T> __attribute__((host)) typename gpuad_if_floating<T>::type isfinite(T);
enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM };
template <class T> struct gpuad_as { typedef T type; };
#define GPUAD_ATOMIC(NAME) \
  template <class T> __attribute__((device)) T __nv_atomic_fetch_##NAME(T *, typename gpuad_as<T>::type, int, int = 4); \
  template <class T> __attribute__((device)) void __nv_atomic_##NAME(T *, typename gpuad_as<T>::type, int, int = 4);
GPUAD_ATOMIC(add)
GPUAD_ATOMIC(sub)
GPUAD_ATOMIC(min)
GPUAD_ATOMIC(max)
GPUAD_ATOMIC(and)
GPUAD_ATOMIC(or)
GPUAD_ATOMIC(xor)
#undef GPUAD_ATOMIC
template <class T> __attribute__((device)) T __nv_atomic_load_n(T *, int, int = 4);
template <class T> __attribute__((device)) void __nv_atomic_load(T *, T *, int, int = 4);
template <class T> __attribute__((device)) void __nv_atomic_store_n(T *, typename gpuad_as<T>::type, int, int = 4);
template <class T> __attribute__((device)) void __nv_atomic_store(T *, T *, int, int = 4);
template <class T> __attribute__((device)) T __nv_atomic_exchange_n(T *, typename gpuad_as<T>::type, int, int = 4);
template <class T> __attribute__((device)) void __nv_atomic_exchange(T *, T *, T *, int, int = 4);
template <class T> __attribute__((device)) bool __nv_atomic_compare_exchange_n(
  T *, T *, typename gpuad_as<T>::type, bool, int, int, int = 4);
template <class T> __attribute__((device)) bool __nv_atomic_compare_exchange(T *, T *, T *, bool, int, int, int = 4);
__attribute__((device)) void __nv_atomic_thread_fence(int, int = 4);
__attribute__((device)) void __nv_atomic_signal_fence(int);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__attribute__((device)) float2 atomicAdd(float2 *, float2);
__attribute__((device)) float2 atomicAdd_block(float2 *, float2);
__attribute__((device)) float2 atomicAdd_system(float2 *, float2);
__attribute__((device)) float4 atomicAdd(float4 *, float4);
__attribute__((device)) float4 atomicAdd_block(float4 *, float4);
__attribute__((device)) float4 atomicAdd_system(float4 *, float4);
#endif
template <class T> __attribute__((device)) T __ldca(const T *);
template <class T> __attribute__((device)) T __ldlu(const T *);
template <class T> __attribute__((device)) void __stcg(T *, T);
template <class T> __attribute__((device)) void __stcs(T *, T);
template <class T> __attribute__((device)) void __stwb(T *, T);
template <class T> __attribute__((device)) void __stwt(T *, T);
#endif
)";

/// What calls of functions that do not exist yet give and take: a dual number of any type, and a launch, which is often
/// written in braces.
static constexpr const char *GeneratedTypes = R"(
struct gpuad_generated_value {
  double value, tangent;
  template <class T> __attribute__((host)) __attribute__((device)) operator T() const;
};
struct gpuad_generated_size { template <class... T> gpuad_generated_size(T &&...); };
struct gpuad_generated_launch {
  template <class T> gpuad_generated_launch(T &&);
  gpuad_generated_launch(gpuad_generated_size, gpuad_generated_size, gpuad_generated_size = {},
                         gpuad_generated_size = {}, gpuad_generated_size = {});
};
)";

std::string makePrelude(const std::string &text, const std::vector<std::string> &names) {
  // Our own declarations are nobody's code: the pragma keeps them out of the module.
  std::string made = "#pragma GCC system_header\n" + std::string(MissingIntrinsics);
  if (!names.empty())
    made += GeneratedTypes;
  for (const std::string &name : names) {
    if (name == "gpuad") {
      made += "#if __has_include(<gpuad/runtime.cuh>)\n#include <gpuad/runtime.cuh>\n#endif\n";
      continue;
    }
    for (const Use &use : usesOf(text, name)) {
      for (const std::string &space : use.qualifier)
        made += "namespace " + space + " {\n";
      made += declareUse(name, use);
      made.append(use.qualifier.size(), '}');
      made += "\n";
    }
  }
  return made;
}

} // namespace gpuad::frontend
