//===- ExpressionsTest.cpp -------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowered.h"

#include <gtest/gtest.h>

using gpuad::test::lowerBody;
using gpuad::test::Lowered;

TEST(Expressions, WaysToSpellAnAccess) {
  EXPECT_EQ(lowerBody("float *p, int i", "*(p + i) = 1.0f; *p = 2.0f; i[p] = 3.0f; p += i; *(i + p) = 4.0f;"),
            "p[i] = 1.0f\n"
            "*p = 2.0f\n"
            "p[i] = 3.0f\n"
            "p = (p + i)\n"
            "p[i] = 4.0f\n");
  EXPECT_EQ(lowerBody("const float *p, int i", "float4 q = __ldg(reinterpret_cast<const float4 *>(p) + i);"),
            "decl float4 q = __ldg((reinterpret<const float4*>(p) + i))\n");
  EXPECT_EQ(lowerBody("float *p, int i", "float &r = p[i]; r = 1.0f; float *q = &p[i]; (*q) += r;"),
            "decl float& r = p[i]\n"
            "r = 1.0f\n"
            "decl float* q = &p[i]\n"
            "*q = (*q + r)\n");
}

TEST(Expressions, ThreadIndices) {
  EXPECT_EQ(lowerBody("float *y", "int i = blockIdx.x * blockDim.x + threadIdx.x; int lane = i % warpSize;"),
            "decl int i = implicit<int>(((blockIdx.x * blockDim.x) + threadIdx.x))\n"
            "decl int lane = (i % warpSize)\n");
}

TEST(Expressions, ConversionsAreExact) {
  EXPECT_EQ(lowerBody("float *y, int i, double d", "y[0] = i; y[1] = d; y[2] = (float)i; y[3] = float(d); bool b = i;"),
            "y[0] = implicit<float>(i)\n"
            "y[1] = implicit<float>(d)\n"
            "y[2] = c<float>(i)\n"
            "y[3] = functional<float>(d)\n"
            "decl bool b = implicit<bool>(i)\n");
}

TEST(Expressions, ConstantsKeepTheirNames) {
  Lowered lowered("#define SIZE 32\n#define EPS (1e-5f)\n#define TWICE(x) (2 * (x))\n#define GONE 3\n"
                  "namespace a { enum Kind { First, Second }; }\n"
                  "__global__ void f(float *y, int *k) {\n"
                  "  y[SIZE] = EPS;\n  k[0] = TWICE(7) + GONE;\n  k[1] = a::Second;\n  k[2] = 0x10;\n}\n"
                  "#undef GONE\n");
  EXPECT_EQ(lowered.body("f"), "y[SIZE] = EPS\n"
                               "k[0] = ((2 * 7) + 3)\n"
                               "k[1] = implicit<int>(a::Second)\n"
                               "k[2] = 0x10\n");
}

TEST(Expressions, Structs) {
  Lowered lowered("struct Base { float m; };\n"
                  "struct Vec { float x, y; };\n"
                  "struct Body : Base { Vec pos; float w[4]; };\n"
                  "__global__ void f(Body *b, Vec v, float *y) {\n"
                  "  b->pos = v;\n  b[1].w[2] = b->m;\n  Vec u = {1.0f, v.y};\n  Body copy = b[2];\n  y[0] = "
                  "copy.pos.x + u.x;\n}\n");
  EXPECT_EQ(lowered.problems(), "");
  EXPECT_EQ(lowered.body("f"), "*b.pos = v\n"
                               "b[1].w[2] = *b.m\n"
                               "decl Vec u = Vec{1.0f, v.y}\n"
                               "decl Body copy = b[2]\n"
                               "y[0] = (copy.pos.x + u.x)\n");
  const gpuad::ir::Function *f = lowered.function("f");
  const gpuad::ir::Type &body = f->params[0]->type->element;
  ASSERT_EQ(body->record->fields.size(), 3u);
  EXPECT_EQ(body->record->fields[0].name, "m"); // of the base class, first
}

TEST(Expressions, CallsWithDefaults) {
  Lowered lowered("__device__ float g(float a, float b = 2.0f, int k = 3) { return a * b + k; }\n"
                  "__global__ void f(float *y) { y[0] = g(1.0f); }\n");
  EXPECT_EQ(lowered.body("f"), "y[0] = g(1.0f, 2.0f, 3)\n");
  auto *block = llvm::cast<gpuad::ir::BlockStmt>(lowered.function("f")->body.get());
  auto *assign = llvm::cast<gpuad::ir::AssignStmt>(block->stmts[0].get());
  auto *call = llvm::cast<gpuad::ir::CallExpr>(assign->value.get());
  EXPECT_EQ(call->writtenArgs, 1u);
  EXPECT_EQ(call->callee.function, lowered.function("g"));
}

TEST(Expressions, MethodsAndReferencesReturned) {
  Lowered lowered("template <class T> struct View { T *base; int n;\n"
                  "  __device__ T &operator()(int i) const { return base[i]; }\n"
                  "  __device__ void scale(T s) { base[0] *= s; n += 1; } };\n"
                  "__global__ void f(View<float> v) { v(1) = v(0); v.scale(2.0f); }\n");
  EXPECT_EQ(lowered.problems(), "");
  EXPECT_EQ(lowered.body("f"), "View<float>::operator()(v, 1) = View<float>::operator()(v, 0)\n"
                               "do View<float>::scale(v, 2.0f)\n");
  EXPECT_EQ(lowered.body("View<float>::scale"), "self.base[0] = (self.base[0] * s)\n"
                                                "self.n = (self.n + 1)\n");
  const gpuad::ir::Function *scale = lowered.function("View<float>::scale");
  ASSERT_TRUE(scale && !scale->params.empty());
  EXPECT_TRUE(scale->params[0]->isThis);
  EXPECT_TRUE(gpuad::ir::isReference(scale->params[0]->type));
}

TEST(Expressions, ChoiceOfPlaces) {
  EXPECT_EQ(lowerBody("float *y, float a, float b, int i", "(i ? a : b) = 5.0f; y[0] = i ? a : b;"),
            "*(implicit<bool>(i) ? &a : &b) = 5.0f\n"
            "y[0] = (implicit<bool>(i) ? a : b)\n");
}
