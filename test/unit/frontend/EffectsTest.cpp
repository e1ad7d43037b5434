//===- EffectsTest.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions lose their side effects, and keep their order of evaluation.
//
//===----------------------------------------------------------------------===//

#include "Lowered.h"

#include <gtest/gtest.h>

using gpuad::test::lowerBody;

TEST(Effects, PlainStatementsStayAsWritten) {
  EXPECT_EQ(lowerBody("float a, const float *x, float *y, int i", "y[i] = a * x[i] + y[i];"),
            "y[i] = ((a * x[i]) + y[i])\n");
  EXPECT_EQ(lowerBody("float *y, int i", "y[i] += 2.0f; i++; --i;"), "y[i] = (y[i] + 2.0f)\n"
                                                                     "i = (i + 1)\n"
                                                                     "i = (i - 1)\n");
  EXPECT_EQ(lowerBody("float *y, const float *x", "y[0] = pure(x[0]) + pure(x[1]);"),
            "y[0] = (pure(x[0]) + pure(x[1]))\n");
}

TEST(Effects, StepsInsideExpressions) {
  EXPECT_EQ(lowerBody("float *y, int i", "y[i++] = 1.0f;"), "decl int i_before = i\n"
                                                            "i = (i + 1)\n"
                                                            "y[i_before] = 1.0f\n");
  EXPECT_EQ(lowerBody("float *y, int i", "y[++i] = 1.0f;"), "i = (i + 1)\n"
                                                            "y[i] = 1.0f\n");
  EXPECT_EQ(lowerBody("const float *p, float *y", "y[0] = *p++ + p[0];"), "decl const float* p_before = p\n"
                                                                          "p = (p + 1)\n"
                                                                          "y[0] = (*p_before + p[0])\n");
}

TEST(Effects, EarlierOperandsAreKept) {
  // The left operand is read before i changes; the right side of an assignment before its place.
  EXPECT_EQ(lowerBody("int i, int *y", "int q = i + i++;"), "decl int earlier = i\n"
                                                            "decl int i_before = i\n"
                                                            "i = (i + 1)\n"
                                                            "decl int q = (earlier + i_before)\n");
  EXPECT_EQ(lowerBody("int i, float *y", "y[i++] = y[i];"), "decl float value = y[i]\n"
                                                            "decl int i_before = i\n"
                                                            "i = (i + 1)\n"
                                                            "y[i_before] = value\n");
  EXPECT_EQ(lowerBody("float *y, float a", "a = y[0] + bump(y);"), "decl float earlier = y[0]\n"
                                                                   "decl float bump_value = bump(y)\n"
                                                                   "a = (earlier + bump_value)\n");
  // A local that nobody points to cannot be changed by a call.
  EXPECT_EQ(lowerBody("float *y, float a", "a = a + bump(y);"), "decl float bump_value = bump(y)\n"
                                                                "a = (a + bump_value)\n");
}

TEST(Effects, CallsStandAlone) {
  EXPECT_EQ(lowerBody("float *y", "float a = bump(y);"), "decl float a = bump(y)\n");
  EXPECT_EQ(lowerBody("float *y", "bump(y);"), "do bump(y)\n");
  EXPECT_EQ(lowerBody("int *count, float *y", "y[atomicAdd(count, 1)] = 2.0f;"),
            "decl int atomicAdd_value = atomicAdd(count, 1)\n"
            "y[atomicAdd_value] = 2.0f\n");
}

TEST(Effects, EvaluatedOnlySometimes) {
  EXPECT_EQ(lowerBody("float *y, int i", "y[0] = i > 3 && bump(y) > 0.0f ? 1.0f : 2.0f;"),
            "decl bool chosen\n"
            "if (i > 3)\n"
            "  block\n"
            "    decl float bump_value = bump(y)\n"
            "    chosen = (bump_value > 0.0f)\n"
            "else\n"
            "  block\n"
            "    chosen = false\n"
            "y[0] = (chosen ? 1.0f : 2.0f)\n");
  EXPECT_EQ(lowerBody("float *y, int i", "i == 3 && (i = 7);"), "if (i == 3)\n"
                                                                "  block\n"
                                                                "    i = 7\n");
  EXPECT_EQ(lowerBody("float *y, int i", "i ? (void)(i = 1) : (void)(i = 2);"), "if implicit<bool>(i)\n"
                                                                                "  block\n"
                                                                                "    i = 1\n"
                                                                                "else\n"
                                                                                "  block\n"
                                                                                "    i = 2\n");
}

TEST(Effects, AssignmentsAsValues) {
  EXPECT_EQ(lowerBody("float *y, float a", "y[0] = a = 2.0f;"), "a = 2.0f\n"
                                                                "y[0] = a\n");
  EXPECT_EQ(lowerBody("float *y, float a, int i", "a = 1.0f, y[i] = a;"), "a = 1.0f\n"
                                                                          "y[i] = a\n");
}

TEST(Effects, CompoundAssignmentEvaluatesItsPlaceOnce) {
  EXPECT_EQ(lowerBody("float *y, int i, float a", "y[i++] += a;"), "decl int i_before = i\n"
                                                                   "i = (i + 1)\n"
                                                                   "y[i_before] = (y[i_before] + a)\n");
  // Small integers are computed as int, floats by a double as double.
  EXPECT_EQ(lowerBody("unsigned char *y, float a, double b", "y[0] += 2; a *= b;"),
            "y[0] = implicit<unsigned char>((implicit<int>(y[0]) + 2))\n"
            "a = implicit<float>((implicit<double>(a) * b))\n");
}
