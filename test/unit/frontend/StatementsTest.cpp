//===- StatementsTest.cpp --------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowered.h"

#include <gtest/gtest.h>

using gpuad::test::lowerBody;

TEST(Statements, CountedLoop) {
  EXPECT_EQ(lowerBody("float *y, int n", "#pragma unroll 4\nfor (int i = 0; i < n; ++i) y[i] = 0.0f;"),
            "for (i < n) [#pragma unroll 4]\n"
            "  init\n"
            "    decl int i = 0\n"
            "  step\n"
            "    i = (i + 1)\n"
            "  block\n"
            "    y[i] = 0.0f\n");
}

TEST(Statements, ConditionsWithEffectsMoveIntoTheBody) {
  EXPECT_EQ(lowerBody("float *y, int n", "while (n-- > 0) { if (n == 2) continue; y[n] = 0.0f; }"),
            "while true\n"
            "  block\n"
            "    decl int n_before = n\n"
            "    n = (n - 1)\n"
            "    if (n_before <= 0)\n"
            "      block\n"
            "        break\n"
            "    if (n == 2)\n"
            "      block\n"
            "        continue\n"
            "    y[n] = 0.0f\n");
  // The step of a for stays in its header, so continue still reaches it.
  EXPECT_EQ(lowerBody("float *y, int n", "for (int i = 0; n-- > 0; ++i) y[i] = 0.0f;"), "block\n"
                                                                                        "  decl int i = 0\n"
                                                                                        "  for true\n"
                                                                                        "    step\n"
                                                                                        "      i = (i + 1)\n"
                                                                                        "    block\n"
                                                                                        "      decl int n_before = n\n"
                                                                                        "      n = (n - 1)\n"
                                                                                        "      if (n_before <= 0)\n"
                                                                                        "        block\n"
                                                                                        "          break\n"
                                                                                        "      y[i] = 0.0f\n");
  EXPECT_EQ(lowerBody("float *y, int n", "do { y[n] = 0.0f; } while (--n > 0);"), "decl bool first_pass = true\n"
                                                                                  "while true\n"
                                                                                  "  block\n"
                                                                                  "    if !(first_pass)\n"
                                                                                  "      block\n"
                                                                                  "        n = (n - 1)\n"
                                                                                  "        if (n <= 0)\n"
                                                                                  "          block\n"
                                                                                  "            break\n"
                                                                                  "    first_pass = false\n"
                                                                                  "    y[n] = 0.0f\n");
}

TEST(Statements, NotOfAFloatingComparisonKeepsNaN) {
  // !(a < b) is not a >= b where one of them is no number.
  EXPECT_EQ(lowerBody("float *y, float a", "while (bump(y) < a) a = 1.0f;"), "while true\n"
                                                                             "  block\n"
                                                                             "    decl float bump_value = bump(y)\n"
                                                                             "    if !((bump_value < a))\n"
                                                                             "      block\n"
                                                                             "        break\n"
                                                                             "    a = 1.0f\n");
}

TEST(Statements, Switch) {
  EXPECT_EQ(lowerBody("float *y, int n", "switch (n) { case 0: case 1: y[0] = 1.0f; case 2: y[0] = 2.0f; break; "
                                         "default: return; }"),
            "switch n\n"
            "  case 0, 1 falls through\n"
            "    block\n"
            "      y[0] = 1.0f\n"
            "  case 2\n"
            "    block\n"
            "      y[0] = 2.0f\n"
            "  case  default\n"
            "    block\n"
            "      return\n");
}

TEST(Statements, RangeForOverAnArray) {
  EXPECT_EQ(lowerBody("float *y", "float w[3] = {1.0f, 2.0f, 3.0f}; for (float v : w) y[0] += v;"),
            "decl float w[3] = float[3]{1.0f, 2.0f, 3.0f}\n"
            "for (v_index < 3)\n"
            "  init\n"
            "    decl int v_index = 0\n"
            "  step\n"
            "    v_index = (v_index + 1)\n"
            "  block\n"
            "    decl float v = w[v_index]\n"
            "    y[0] = (y[0] + v)\n");
}

TEST(Statements, SharedMemory) {
  EXPECT_EQ(lowerBody("float *y", "__shared__ float tile[8][9]; extern __shared__ double pool[]; "
                                  "tile[threadIdx.y][threadIdx.x] = 0.0f; __syncthreads();"),
            "decl shared float tile[8][9]\n"
            "decl dynamic_shared double pool[]\n"
            "tile[threadIdx.y][threadIdx.x] = 0.0f\n"
            "do __syncthreads()\n");
}

TEST(Statements, NotUnderstood) {
  EXPECT_EQ(lowerBody("float *y", "float r; asm(\"mov.f32 %0, 0f00000000;\" : \"=f\"(r)); y[0] = r;"),
            "decl float r\n"
            "text [inline assembly] asm(\"mov.f32 %0, 0f00000000;\" : \"=f\"(r)); mentions r\n"
            "y[0] = r\n");
  EXPECT_EQ(lowerBody("float *y",
                      "auto twice = [=](float v) { return 2.0f * v; }; auto *same = &twice; y[0] = (*same)(y[1]);"),
            "decl auto twice = text([=](float v) { return 2.0f * v; })\n"
            "decl auto* same = &twice\n"
            "y[0] = text((*same)(y[1]) mentions same y)\n");
}

TEST(Statements, LambdasThatAreOnlyCalled) {
  EXPECT_EQ(lowerBody("float *y", "auto twice = [=](float v) { return 2.0f * v; }; y[0] = twice(y[1]);"),
            "decl float twice_value\n"
            "block\n"
            "  decl float v = y[1]\n"
            "  twice_value = (2.0f * v)\n"
            "y[0] = twice_value\n");
  // What is copied and changes before the call; a parameter that would hide what its argument names.
  EXPECT_EQ(lowerBody("float *y", "int i = 1; auto put = [=](int k) { if (k < 0) return; y[k] = i; }; i = 2; put(i);"),
            "decl int i = 1\n"
            "decl int i_copy = i\n"
            "i = 2\n"
            "block\n"
            "  decl int k = i\n"
            "  if (k < 0)\n"
            "    block\n"
            "  else\n"
            "    block\n"
            "      y[k] = implicit<float>(i_copy)\n");
  EXPECT_EQ(lowerBody("float *y", "int i = 1; auto put = [&](int i) { y[i] = 0.0f; }; put(i + 1);"),
            "decl int i = 1\n"
            "block\n"
            "  decl int i2 = (i + 1)\n"
            "  y[i2] = 0.0f\n");
}

TEST(Statements, GotoKeepsTheBodyAsText) {
  gpuad::test::Lowered lowered("__global__ void f(float *y) {\n  int i = 0;\nagain:\n  y[i] = 0.0f;\n"
                               "  if (++i < 3)\n    goto again;\n}\n");
  const gpuad::ir::Function *f = lowered.function("f");
  ASSERT_TRUE(f && f->body);
  auto *block = llvm::cast<gpuad::ir::BlockStmt>(f->body.get());
  ASSERT_EQ(block->stmts.size(), 1u);
  auto *text = llvm::dyn_cast<gpuad::ir::TextStmt>(block->stmts[0].get());
  ASSERT_TRUE(text);
  EXPECT_EQ(text->what, "a goto");
  EXPECT_EQ(text->range.line, 6u);
  EXPECT_EQ(text->range.column, 5u);
  EXPECT_TRUE(f->params[0]->pinned);
}
