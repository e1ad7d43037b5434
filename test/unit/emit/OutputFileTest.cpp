//===- OutputFileTest.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/OutputFile.h"

#include "emit/SourceScopes.h"
#include "emit/TemplateHeader.h"
#include "ir/Builder.h"

#include <gtest/gtest.h>

using namespace gpuad;
using namespace gpuad::ir;
using namespace gpuad::emit;

namespace {
class OutputFile : public testing::Test {
protected:
  /// A primal whose definition is `definition` in the module's text.
  Function *primal(const std::string &name, const std::string &definition) {
    module.functions.push_back(std::make_unique<Function>());
    Function *function = module.functions.back().get();
    function->name = name;
    function->kind = FunctionKind::Kernel;
    function->returnType = voidType();
    function->range.offset = unsigned(module.text.find(definition));
    function->range.length = unsigned(definition.size());
    function->body = makeBlock({});
    return function;
  }
  /// An adjoint with a float* and its shadow, which must not be null.
  Derivative &adjointOf(Function *of) {
    derivatives.emplace_back();
    Derivative &made = derivatives.back();
    made.primal = of;
    made.function = std::make_unique<Function>();
    made.function->name = of->name + "_adjoint";
    made.function->kind = of->kind;
    made.function->namespaces = of->namespaces;
    made.function->returnType = voidType();
    made.function->body = makeBlock({});
    made.needsLauncher = of->isKernel();
    made.comment = "Adjoint of " + of->name + ".";
    for (const char *name : {"y", "y_bar"}) {
      Var *var = made.function->makeVar(name, pointerTo(floatType()), Storage::Parameter);
      made.function->params.push_back(var);
      made.params.push_back(
          {var, made.params.empty() ? ParamRole::Primal : ParamRole::Shadow, 0, !made.params.empty()});
    }
    return made;
  }
  std::string output() { return applyInsertions(module.text, planInsertions(module, derivatives, "sm_80")); }
  /// The output with the insertions taken out again.
  std::string withoutInsertions(const std::string &text) {
    std::string original;
    size_t at = 0, done = 0;
    for (const Insertion &one : planInsertions(module, derivatives, "sm_80")) {
      size_t size = applyInsertions(module.text.substr(0, module.text.find('\n') + 1), {{0, one.text}}).size() -
                    module.text.find('\n') - 1;
      original += text.substr(at, one.offset - done);
      at += one.offset - done + size;
      done = one.offset;
    }
    return original + text.substr(at);
  }

  Module module;
  std::vector<Derivative> derivatives;
};
} // namespace

TEST_F(OutputFile, PutsThingsWhereTheyBelong) {
  module.path = "dir/k.cu";
  module.text = "// top\n__global__ void f(float* y) {}  // f\nint after;\n";
  module.includeOffset = 7;
  adjointOf(primal("f", "__global__ void f(float* y) {}"));
  EXPECT_EQ(output(), "// top\n"
                      "#include <gpuad/runtime.cuh>\n"
                      "__global__ void f(float* y) {}  // f\n"
                      "\n"
                      "__global__ void f_adjoint(float* y, float* y_bar);\n"
                      "void launch_f_adjoint(const gpuad::launch& where, float* y, float* y_bar);\n"
                      "int after;\n"
                      "\n"
                      "// ---- derivatives " +
                          std::string(100, '-') +
                          "\n"
                          "// Made by gpuad-translate from k.cu.\nGPUAD_GENERATED_BEGIN\n"
                          "\n"
                          "// Adjoint of f.\n"
                          "__global__ void f_adjoint(float* y, float* y_bar) {\n"
                          "}\n"
                          "\n"
                          "void launch_f_adjoint(const gpuad::launch& where, float* y, float* y_bar) {\n"
                          "  if (!y_bar) return gpuad::report_missing_shadow(\"f_adjoint\", \"y_bar\");\n"
                          "  f_adjoint<<<where.grid, where.block, where.shared_bytes, where.stream>>>(y, y_bar);\n"
                          "  gpuad::report_launch(\"f_adjoint\");\n"
                          "}\n"
                          "GPUAD_GENERATED_END\n");
}

TEST_F(OutputFile, OnlyInserts) {
  const char *const Texts[] = {"__global__ void f(float* y) {}", "\xef\xbb\xbf__global__ void f(float* y) {}\n",
                               "// a\r\n__global__ void f(float* y) {}\r\nint x;\r\n",
                               "int a;\nvoid g(); __global__ void f(float* y) {} int b;\n// end \\",
                               "extern \"C\" {\n__global__ void f(float* y) {}\n}\n"};
  for (const char *text : Texts) {
    module = Module();
    derivatives.clear();
    module.path = "k.cu";
    module.text = text;
    adjointOf(primal("f", "__global__ void f(float* y) {}"));
    EXPECT_EQ(withoutInsertions(output()), text);
  }
}

TEST_F(OutputFile, KeepsLineEnds) {
  module.path = "k.cu";
  module.text = "// a\r\n__global__ void f(float* y) {}\r\n";
  adjointOf(primal("f", "__global__ void f(float* y) {}"));
  std::string text = output();
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      ASSERT_TRUE(i > 0 && text[i - 1] == '\r') << i;
}

TEST_F(OutputFile, ReopensNamespaces) {
  module.path = "k.cu";
  module.text = "namespace a {\nnamespace {\n__global__ void f(float* y) {}\n}\n}\n";
  Function *f = primal("f", "__global__ void f(float* y) {}");
  f->namespaces = {"a", ""};
  adjointOf(f);
  std::string text = output();
  EXPECT_NE(text.find("\n\n__global__ void f_adjoint(float* y, float* y_bar);\n[[maybe_unused]] void launch"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("namespace a {\nnamespace {\n\n// Adjoint of f.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("}\n\n}  // namespace\n}  // namespace a\n"), std::string::npos) << text;
}

TEST_F(OutputFile, KeepsOutOfLinkageBlocksAndClasses) {
  module.path = "k.cu";
  module.text = "extern \"C\" {\n__global__ void f(float* y) {}\n}\n";
  adjointOf(primal("f", "__global__ void f(float* y) {}"));
  std::string text = output();
  EXPECT_GT(text.find("f_adjoint"), text.find("---- derivatives"));
  EXPECT_LT(text.find("f_adjoint(float* y, float* y_bar);"), text.find("f_adjoint(float* y, float* y_bar) {"));
}

TEST_F(OutputFile, HidesHelpersAndOrdersThem) {
  module.path = "my-kernels.cu";
  module.text = "__global__ void f(float* y) {}\n__device__ void g(float* y) {}\n";
  Function *f = primal("f", "__global__ void f(float* y) {}"), *g = primal("g", "__device__ void g(float* y) {}");
  g->kind = FunctionKind::Device;
  derivatives.reserve(2);
  Derivative &outer = adjointOf(f), &inner = adjointOf(g);
  inner.isPublic = false;
  Callee callee;
  callee.spelling = "to be decided";
  callee.function = inner.function.get();
  outer.function->body = makeBlock({makeDo(makeCall(callee, {makeRef(outer.function->params[0])}, voidType()))});
  std::string text = output();
  EXPECT_NE(text.find("namespace gpuad_my_kernels {\n\n// Adjoint of g.\nstatic __device__ void g_adjoint("),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  gpuad_my_kernels::g_adjoint(y);\n"), std::string::npos) << text;
  EXPECT_LT(text.find("void g_adjoint("), text.find("// Adjoint of f."));
}

TEST_F(OutputFile, MakesOneTemplateOfInstances) {
  module.path = "k.cu";
  module.text = "template <int N = 2> __global__ void f(float* y) {}\n";
  derivatives.reserve(2);
  for (const char *arguments : {"<2>", "<4>"}) {
    Function *f = primal("f", "template <int N = 2> __global__ void f(float* y) {}");
    f->isTemplateInstance = true;
    f->templateArguments = arguments;
    f->templateParameters = {{TemplateParameter::Value, "int N", "N", "2"}};
    Derivative &made = adjointOf(f);
    made.function->templateParameters = f->templateParameters;
    made.function->body = makeBlock({makeReturn()});
  }
  std::string text = output();
  EXPECT_NE(text.find("template <int N = 2>\nvoid launch_f_adjoint"), std::string::npos) << text;
  EXPECT_NE(text.find("template <int N>\nvoid launch_f_adjoint"), std::string::npos) << text;
  EXPECT_NE(text.find("  static_assert((N == 2) || (N == 4), \"gpuad made f_adjoint for f<2>, f<4>; add "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("if constexpr (N == 2)"), std::string::npos) << text;
  EXPECT_NE(text.find("f_adjoint<N><<<where.grid"), std::string::npos) << text;
}

TEST_F(OutputFile, StopsBuildsThatReadThePrimalDifferently) {
  std::string definition =
      "__global__ void f(float* y) {\n#if __CUDA_ARCH__ >= 700\n  y[N] = real(G);\n#endif\n#ifdef FAST\n"
      "#endif\n}";
  module.path = "k.cu";
  module.text = "#ifndef N\n#define N 2\n#endif\n#define G 1\n" + definition + "\n";
  module.macroNames = {"G", "N", "real", "unused"};
  module.commandLineMacros = {"real", "unused"};
  module.macroValues = {{"G", "1"}, {"N", "2"}, {"real", "float"}, {"unused", "3"}};
  adjointOf(primal("f", definition));
  std::string text = output();
  EXPECT_NE(text.find("#ifndef N\n#error"), std::string::npos) << text;
  EXPECT_NE(text.find("static_assert((N) == (2), "), std::string::npos) << text;
  EXPECT_NE(text.find("static_assert(std::is_same_v<real, float>, "), std::string::npos) << text;
  EXPECT_NE(text.find("#ifdef FAST\n#error"), std::string::npos) << text;
  EXPECT_NE(text.find("#if defined(__CUDA_ARCH__) && !(__CUDA_ARCH__ >= 700)\n#error"), std::string::npos) << text;
  EXPECT_EQ(text.find("static_assert((G)"), std::string::npos);
  EXPECT_EQ(text.find("#ifndef unused"), std::string::npos);
}

TEST(SourceScopes, ReadsBraces) {
  using Names = std::vector<std::string>;
  std::string text = "namespace a::b { // }\nclass C { int x; };\nvoid f() { '{'; \"{\"; R\"({)\"; }\nMARK }";
  EXPECT_EQ(namespacesAround(text, text.find("MARK")), (Names{"a", "b"}));
  EXPECT_FALSE(namespacesAround(text, text.find("int x")));
  EXPECT_EQ(namespacesAround("#define A {\nint x;", 14), Names{});
  EXPECT_FALSE(namespacesAround("extern \"C\" {\nint x;", 14));
}

TEST(TemplateHeader, Prints) {
  TemplateParameters parameters{{TemplateParameter::Type, "class T", "T", "std::pair<int, int>"},
                                {TemplateParameter::Value, "int N", "N", "4"},
                                {TemplateParameter::Type, "class Arg3", "Arg3", ""}};
  EXPECT_EQ(printTemplateHeader(parameters, false), "template <class T, int N, class Arg3>");
  EXPECT_EQ(printTemplateHeader(parameters, true), "template <class T = std::pair<int, int>, int N = 4, class Arg3>");
  EXPECT_EQ(printInstanceTest(parameters, splitArguments("<A<int, 2>, 4, float>")),
            "std::is_same_v<T, A<int, 2>> && N == 4 && std::is_same_v<Arg3, float>");
}
