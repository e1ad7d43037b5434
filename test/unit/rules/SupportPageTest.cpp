//===- SupportPageTest.cpp - docs/supported-apis.md is what the tables say ===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// GPUAD_UPDATE_GOLDEN=1 in the environment writes the page anew.
///
//===----------------------------------------------------------------------===//

#include "rules/Rules.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace gpuad;

TEST(SupportPage, IsCurrent) {
  CollectingSink sink;
  auto table = rules::loadRules({}, sink);
  ASSERT_TRUE(table);
  std::string wanted = rules::describeRules(*table), path = GPUAD_TEST_DIR "/../docs/supported-apis.md";
  if (std::getenv("GPUAD_UPDATE_GOLDEN")) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << wanted;
    ASSERT_FALSE(error);
  }
  auto page = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  ASSERT_TRUE(bool(page));
  EXPECT_TRUE((*page)->getBuffer() == wanted) << "out of date: run this test once with GPUAD_UPDATE_GOLDEN=1";
}
