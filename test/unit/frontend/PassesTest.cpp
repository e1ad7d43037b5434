//===- PassesTest.cpp ------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the two passes give together, and what is known of the file as a whole.
//
//===----------------------------------------------------------------------===//

#include "Lowered.h"

#include "frontend/ModuleFacts.h"

#include <gtest/gtest.h>

using gpuad::test::Lowered;
using namespace gpuad::ir;

TEST(Passes, DeviceBodiesComeFromTheDevicePass) {
  Lowered lowered(
      "__global__ void k(float *y) {\n#ifdef __CUDA_ARCH__\n  y[0] = 1.0f;\n#else\n  y[0] = 2.0f;\n#endif\n}\n"
      "__host__ __device__ float both() {\n#ifdef __CUDA_ARCH__\n  return 1.0f;\n#else\n  return 2.0f;\n#endif\n}\n"
      "__host__ __device__ float same(float v) { return v + 1.0f; }\n"
      "float host(float v) { return same(v) + both(); }\n");
  EXPECT_EQ(lowered.body("k"), "y[0] = 1.0f\n");
  EXPECT_EQ(lowered.body("both"), "return 1.0f\n");
  EXPECT_TRUE(lowered.function("both")->bodiesDiffer);
  EXPECT_FALSE(lowered.function("same")->bodiesDiffer);
  EXPECT_EQ(lowered.function("host")->kind, FunctionKind::Host);
}

TEST(Passes, LaunchNamesTheKernelOfTheDevicePass) {
  Lowered lowered("template <class T> __global__ void k(T *y, T v) { y[threadIdx.x] = v; }\n"
                  "void run(double *y, int n, cudaStream_t s) {\n  k<<<n, 32>>>(y, 2.0);\n"
                  "  k<float><<<dim3(n, 2), 32, 4 * sizeof(float), s>>>((float *)y, 1.0f);\n}\n");
  EXPECT_EQ(lowered.problems(), "");
  EXPECT_EQ(lowered.body("run"),
            "launch k grid implicit<unsigned int>(n) block implicit<unsigned int>(32) (y, 2.0)\n"
            "launch k grid dim3::dim3(implicit<unsigned int>(n), implicit<unsigned int>(2), implicit<unsigned int>(1)) "
            "block implicit<unsigned int>(32) shared (implicit<size_t>(4) * sizeof(float)) stream s "
            "(c<float*>(y), 1.0f)\n");
  std::vector<Function *> instances = lowered.module->find("k");
  ASSERT_EQ(instances.size(), 2u);
  EXPECT_TRUE(instances[0]->body && instances[1]->body);
  ASSERT_EQ(instances[0]->templateParameters.size(), 1u);
  EXPECT_EQ(instances[0]->templateParameters[0].text, "class T");
  EXPECT_EQ(gpuad::ir::declare(instances[0]->params[0]->templateType, "y"), "T* y");
  EXPECT_TRUE(instances[0]->isTemplateInstance);
}

TEST(Passes, FunctionsOfHeaders) {
  Lowered lowered("#include \"mine.h\"\nvoid run(float *y) { launched<<<1, 1>>>(y); }\n", {},
                  {{"mine.h", "__device__ inline float helper(float v) { return v; }\n"
                              "__device__ inline float unused(float v) { return v; }\n"
                              "__global__ void named(float *y) { y[0] = 1.0f; }\n"
                              "__global__ void other(float *y) { y[0] = 1.0f; }\n"
                              "__global__ void launched(float *y) { y[0] = helper(y[1]); }\n"}},
                  {"named(y)/(y)"});
  EXPECT_EQ(lowered.messages(), "");
  EXPECT_EQ(lowered.body("launched"), "y[0] = helper(y[1])\n");
  EXPECT_TRUE(lowered.function("helper") && lowered.function("helper")->body);
  EXPECT_FALSE(lowered.function("helper")->inMainFile);
  EXPECT_TRUE(lowered.function("named"));
  EXPECT_FALSE(lowered.function("unused"));
  EXPECT_FALSE(lowered.function("other"));
}

TEST(Passes, PlacesInTheMainFile) {
  std::string text = "// first\ntemplate <class T>\n__global__ void __launch_bounds__(256) k(T *y) {\n  y[0] = 1;\n}\n"
                     "template __global__ void k<float>(float *);\n";
  Lowered lowered(text);
  const Function *k = lowered.function("k");
  ASSERT_TRUE(k);
  EXPECT_EQ(text.substr(k->range.offset, 8), "template");
  EXPECT_EQ(text.substr(k->nameRange.offset, k->nameRange.length), "k");
  EXPECT_EQ(text.substr(k->bodyRange.offset, k->bodyRange.length), "{\n  y[0] = 1;\n}");
  EXPECT_EQ(k->attributes, "__launch_bounds__(256)");
}

TEST(Passes, RequestsInTheSource) {
  Lowered lowered("#define GPUAD_ADJOINT(HEAD) __attribute__((annotate(\"gpuad:adjoint:\" HEAD)))\n"
                  "GPUAD_ADJOINT(\"(y)/(x)\") __global__ void f(float *y, const float *x);\n"
                  "__global__ void f(float *y, const float *x) { y[0] = x[0]; }\n");
  const Function *f = lowered.function("f");
  ASSERT_TRUE(f);
  EXPECT_EQ(f->requests, std::vector<std::string>{"adjoint:(y)/(x)"});
}

TEST(Passes, CallsToWhatWillBeGenerated) {
  Lowered lowered("namespace a { __global__ void f(float *y) { y[0] *= 2.0f; } }\n"
                  "__device__ float g(float v) { return v; }\n"
                  "void run(float *y) {\n  a::f_adjoint<<<1, 1>>>(y, y);\n  launch_g_adjoint(1, y);\n"
                  "  launch_g_adjoint({1, 32}, y);\n}\n");
  EXPECT_EQ(lowered.messages(), "");
  EXPECT_EQ(lowered.body("run"),
            "launch a::f_adjoint grid implicit<unsigned int>(1) block implicit<unsigned int>(1) (y, y)\n"
            "do launch_g_adjoint(text(1), y)\n"
            "do launch_g_adjoint(text(gpuad_generated_launch{1, 32}), y)\n");
  EXPECT_TRUE(lowered.module->find("a::f_adjoint").empty());
  EXPECT_EQ(std::count(lowered.module->takenNames.begin(), lowered.module->takenNames.end(), "launch_g_adjoint"), 0);
}

TEST(Passes, ErrorsAreLocatedAndReportedOnce) {
  Lowered lowered("__global__ void f(float *y) { y[0] = missing; }\n");
  EXPECT_FALSE(lowered.module);
  EXPECT_EQ(lowered.messages(), "1:38: use of undeclared identifier 'missing' [compile-error]\n");
}

TEST(Passes, NamesOfTheFile) {
  Lowered lowered("#define MINE 1\nnamespace a { int inner; }\nint outer;\n", {"-DGIVEN=3"});
  ASSERT_TRUE(lowered.module);
  auto has = [](const std::vector<std::string> &list, const char *name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  EXPECT_TRUE(has(lowered.module->macroNames, "MINE"));
  EXPECT_EQ(lowered.module->commandLineMacros, std::vector<std::string>{"GIVEN"});
  EXPECT_TRUE(has(lowered.module->takenNames, "outer"));
  EXPECT_TRUE(has(lowered.module->takenNames, "inner"));
}

TEST(IncludeOffset, StandsBeforeTheFirstInclude) {
  auto at = [](const std::string &text) { return text.substr(gpuad::frontend::findIncludeOffset(text)); };
  EXPECT_EQ(at("// words\n#include <a>\nint x;"), "#include <a>\nint x;");
  EXPECT_EQ(at("// words\n#define A 1\n#pragma once\n#include <a>\n"), "#include <a>\n");
  EXPECT_EQ(at("/* words */ int x;"), "int x;");
  EXPECT_EQ(at("#ifdef A\n#include <a>\n#endif\nint x;"), "#ifdef A\n#include <a>\n#endif\nint x;");
  EXPECT_EQ(at("#define A 1\n\nint x;\n#include <a>\n"), "int x;\n#include <a>\n");
}
