//===- DiagnosticOutputTest.cpp -------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/DiagnosticOutput.h"

#include "support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace gpuad;

namespace {
class DiagnosticOutput : public testing::Test {
protected:
  DiagnosticOutput() {
    int descriptor = 0;
    llvm::SmallString<64> name;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("gpuad", "cu", descriptor, name));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << "first\n\ty[i] = x;\r\n  last";
    path = std::string(name);
    file = std::make_shared<const std::string>(path);
  }
  ~DiagnosticOutput() override { llvm::sys::fs::remove(path); }
  Diagnostic at(unsigned line, unsigned column, unsigned length) {
    Diagnostic diagnostic;
    diagnostic.slug = "some-slug";
    diagnostic.message = "bad";
    diagnostic.range = {file, line, column, 0, length};
    return diagnostic;
  }

  std::string path;
  std::shared_ptr<const std::string> file;
  SourceLines lines;
};
} // namespace

TEST_F(DiagnosticOutput, IsClangsText) {
  EXPECT_EQ(formatText(at(2, 2, 4), lines), path + ":2:2: error: bad [gpuad-some-slug]\n"
                                                   "    2 |         y[i] = x;\n"
                                                   "      |         ^~~~\n");
  EXPECT_EQ(formatText(at(3, 3, 0), lines), path + ":3:3: error: bad [gpuad-some-slug]\n"
                                                   "    3 |   last\n"
                                                   "      |   ^\n");
  EXPECT_EQ(formatText(at(9, 1, 1), lines), path + ":9:1: error: bad [gpuad-some-slug]\n");
}

TEST_F(DiagnosticOutput, PrintsNotesBelow) {
  Diagnostic diagnostic = at(3, 3, 4);
  diagnostic.severity = Severity::Warning;
  diagnostic.notes.push_back(diag::note({file, 1, 1, 0, 5}, "it began here"));
  EXPECT_EQ(formatText(diagnostic, lines), path +
                                               ":3:3: warning: bad [gpuad-some-slug]\n"
                                               "    3 |   last\n"
                                               "      |   ^~~~\n" +
                                               path +
                                               ":1:1: note: it began here\n"
                                               "    1 | first\n"
                                               "      | ^~~~~\n");
}

TEST_F(DiagnosticOutput, IsOneJsonDocument) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(formatJson({at(2, 2, 4)}));
  ASSERT_TRUE(bool(parsed));
  const llvm::json::Object *first = (*parsed->getAsObject()->getArray("diagnostics"))[0].getAsObject();
  EXPECT_EQ(first->getString("id"), "gpuad-some-slug");
  EXPECT_EQ(first->getInteger("line"), 2);
  EXPECT_EQ(first->getString("severity"), "error");
}

TEST_F(DiagnosticOutput, IsSarif) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(formatSarif({at(2, 2, 4)}, "1.2.3"));
  ASSERT_TRUE(bool(parsed));
  EXPECT_EQ(parsed->getAsObject()->getString("version"), "2.1.0");
  const llvm::json::Object *run = (*parsed->getAsObject()->getArray("runs"))[0].getAsObject();
  EXPECT_EQ((*run->getArray("results"))[0].getAsObject()->getString("ruleId"), "gpuad-some-slug");
}

TEST_F(DiagnosticOutput, Counts) {
  EXPECT_EQ(formatCount(0, 0), "");
  EXPECT_EQ(formatCount(2, 1), "2 warnings and 1 error generated.\n");
  EXPECT_EQ(formatCount(0, 2), "2 errors generated.\n");
}
