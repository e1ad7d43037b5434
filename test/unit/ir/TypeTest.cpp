//===- TypeTest.cpp -------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Type.h"

#include <gtest/gtest.h>

using namespace gpuad::ir;

TEST(Type, DeclaresAsPeopleWrite) {
  EXPECT_EQ(declare(intType(), "n"), "int n");
  EXPECT_EQ(declare(pointerTo(withConst(floatType(), true)), "x"), "const float* x");
  EXPECT_EQ(declare(pointerTo(floatType(), true), "x"), "float* __restrict__ x");
  EXPECT_EQ(declare(withConst(pointerTo(floatType()), true), "x"), "float* const x");
  EXPECT_EQ(declare(pointerTo(pointerTo(floatType())), "rows"), "float** rows");
  EXPECT_EQ(declare(pointerTo(withConst(pointerTo(floatType()), true)), "rows"), "float* const* rows");
  EXPECT_EQ(declare(referenceTo(withConst(floatType(), true)), "a"), "const float& a");
  EXPECT_EQ(declare(referenceTo(pointerTo(floatType())), "p"), "float*& p");
}

TEST(Type, DeclaresArrays) {
  Type row = arrayOf(floatType(), 8);
  EXPECT_EQ(declare(row, "x"), "float x[8]");
  EXPECT_EQ(declare(arrayOf(row, 4, "N"), "x"), "float x[N][8]");
  EXPECT_EQ(declare(referenceTo(row), "x"), "float (&x)[8]");
  EXPECT_EQ(declare(referenceTo(withConst(row, true)), "x"), "const float (&x)[8]");
  EXPECT_EQ(declare(pointerTo(row), "x"), "float (*x)[8]");
  EXPECT_EQ(declare(arrayOf(pointerTo(floatType()), 3), "x"), "float* x[3]");
  EXPECT_EQ(declare(arrayOf(floatType(), std::nullopt), "s"), "float s[]");
  EXPECT_EQ(declare(arrayOf(pointerTo(row), 2), "x"), "float (*x[2])[8]");
}

TEST(Type, SpellsWithoutName) {
  EXPECT_EQ(spell(pointerTo(withConst(floatType(), true))), "const float*");
  EXPECT_EQ(spell(arrayOf(floatType(), 8)), "float[8]");
  EXPECT_EQ(spell(referenceTo(arrayOf(floatType(), 8))), "float (&)[8]");
  EXPECT_EQ(spell(pointerTo(pointerTo(floatType()))), "float**");
  EXPECT_EQ(declare(opaqueType("void (*)(int)"), "callback"), "void (*callback)(int)");
}

TEST(Type, FindsFloatingPoint) {
  auto view = std::make_shared<RecordInfo>();
  view->qualifiedName = "View";
  view->fields = {{"n", intType()}, {"data", pointerTo(floatType())}};
  Type viewType = recordType(view, "View");
  EXPECT_FALSE(holdsFloating(viewType));
  EXPECT_TRUE(reachesFloating(viewType));
  EXPECT_FALSE(holdsFloating(pointerTo(floatType())));
  EXPECT_TRUE(reachesFloating(pointerTo(floatType())));
  EXPECT_TRUE(holdsFloating(referenceTo(arrayOf(doubleType(), 2))));
  EXPECT_FALSE(reachesFloating(pointerTo(intType())));
  EXPECT_EQ(fieldIndex(referenceTo(viewType), "data"), 1u);
  EXPECT_FALSE(fieldIndex(viewType, "size"));
}

TEST(Type, ComparesMeanings) {
  Type real = scalarType(ScalarKind::Float, 32, true, "real");
  EXPECT_TRUE(sameType(real, floatType()));
  EXPECT_FALSE(sameType(intType(), unsignedType()));
  EXPECT_TRUE(sameType(pointerTo(withConst(real, true)), pointerTo(floatType())));
  EXPECT_FALSE(identicalType(pointerTo(withConst(real, true)), pointerTo(floatType())));
  EXPECT_FALSE(sameType(floatType(), referenceTo(floatType())));
}
