//===- FlagTranslationTest.cpp ---------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/FlagTranslation.h"

#include "frontend/FlagText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using gpuad::frontend::splitCommand;
using gpuad::frontend::TranslatedFlags;
using gpuad::frontend::translateFlags;

using Words = std::vector<std::string>;

static TranslatedFlags translate(const std::string &command, const std::string &directory = "") {
  return translateFlags(splitCommand(command), directory);
}

TEST(FlagTranslation, DropsWhatOnlyNvccKnows) {
  TranslatedFlags made =
      translate("nvcc -forward-unknown-to-host-compiler -gencode arch=compute_90,code=sm_90 -rdc=true "
                "--expt-relaxed-constexpr -extended-lambda -Xcompiler -Wall,-fPIC -Xptxas -v -lineinfo "
                "-std=c++17 -DDEG=3 -x cu -c in.cu -o in.o -G -t0 --maxrregcount=64 --default-stream legacy");
  EXPECT_EQ(made.flags, (Words{"-D__CUDACC_RDC__", "-Wall", "-fPIC", "-std=c++17", "-DDEG=3"}));
  EXPECT_EQ(made.architectures, Words{"sm_90"});
  EXPECT_EQ(made.error, "");
  EXPECT_TRUE(made.dropped.empty());
}

TEST(FlagTranslation, MapsSpellingsOfNvcc) {
  TranslatedFlags made = translate("--define-macro A=1 --include-path=inc -isystem=sys --std c++20 -I=more -arch=sm_86 "
                                   "--pre-include first.h --compiler-options '-DB -fno-rtti'");
  EXPECT_EQ(made.flags, (Words{"-DA=1", "-Iinc", "-isystem", "sys", "-std=c++20", "-Imore", "-include", "first.h",
                               "-DB", "-fno-rtti"}));
  EXPECT_EQ(made.architectures, Words{"sm_86"});
}

TEST(FlagTranslation, KeepsFlagsOfClang) {
  TranslatedFlags made =
      translate("clang++ -x cuda --cuda-gpu-arch=sm_75 -Wall -I inc -Xclang -fsome-thing -O3 -c in.cu");
  EXPECT_EQ(made.flags, (Words{"-Wall", "-Iinc", "-Xclang", "-fsome-thing", "-O3"}));
  EXPECT_EQ(made.architectures, Words{"sm_75"});
}

TEST(FlagTranslation, NamesWhatNobodyKnows) {
  TranslatedFlags made = translate("--brand-new -DA");
  EXPECT_EQ(made.flags, Words{"-DA"});
  EXPECT_EQ(made.dropped, Words{"--brand-new"});
}

TEST(FlagTranslation, RelativePathsBelongToTheFolderOfTheCommand) {
  TranslatedFlags made = translate("-Iinc -isystem sys -I/abs", "/build");
  EXPECT_EQ(made.flags, (Words{"-I/build/inc", "-isystem", "/build/sys", "-I/abs"}));
}

TEST(FlagTranslation, ReadsFilesOfFlags) {
  llvm::SmallString<128> folder;
  llvm::sys::fs::createUniqueDirectory("gpuad-flags", folder);
  std::error_code failed;
  llvm::raw_fd_ostream((folder + "/a.rsp").str(), failed) << "-DGAIN=4.0 --options-file b.rsp";
  llvm::raw_fd_ostream((folder + "/b.rsp").str(), failed) << "-DMORE='a b'";
  TranslatedFlags made = translate("@a.rsp", folder.str().str());
  EXPECT_EQ(made.flags, (Words{"-DGAIN=4.0", "-DMORE=a b"}));
  llvm::raw_fd_ostream((folder + "/b.rsp").str(), failed) << "@a.rsp";
  EXPECT_NE(translate("@a.rsp", folder.str().str()).error.find("includes itself"), std::string::npos);
  llvm::sys::fs::remove_directories(folder);
}

TEST(FlagTranslation, ContradictionsAreErrors) {
  EXPECT_NE(translate("-x c++").error, "");
  EXPECT_NE(translate("-std").error, "");
  EXPECT_NE(translate("@no/such/file").error, "");
}
