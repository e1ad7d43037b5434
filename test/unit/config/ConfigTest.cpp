//===- ConfigTest.cpp - .gpuad.yaml ---------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "config/Config.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace gpuad;

namespace {

/// A folder with a configuration file, and an input two folders further down.
class Config : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("gpuad-config", folder));
    ASSERT_FALSE(llvm::sys::fs::create_directories(folder + "/src/deep"));
    options.input = (folder + "/src/deep/foo.cu").str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  void write(const std::string &text) {
    std::error_code error;
    llvm::raw_fd_ostream(at(".gpuad.yaml"), error) << text;
    ASSERT_FALSE(error);
  }
  std::string at(const std::string &name) const { return (folder + "/" + name).str(); }

  /// The one message that loading gives, as line:column: text [slug].
  std::string refused(const std::string &text) {
    write(text);
    CollectingSink sink;
    EXPECT_FALSE(config::loadConfig(options, sink));
    if (sink.diagnostics.size() != 1)
      return std::to_string(sink.diagnostics.size()) + " messages";
    const Diagnostic &only = sink.diagnostics[0];
    return std::to_string(only.range.line) + ":" + std::to_string(only.range.column) + ": " + only.message + " [" +
           only.slug + "]";
  }
  void load(const std::string &text) {
    write(text);
    CollectingSink sink;
    EXPECT_TRUE(config::loadConfig(options, sink));
    for (const Diagnostic &diagnostic : sink.diagnostics)
      ADD_FAILURE() << diagnostic.message;
  }

  llvm::SmallString<128> folder;
  Options options;
};

TEST_F(Config, NoneIsFine) {
  CollectingSink sink;
  options.input = "/foo.cu";
  EXPECT_TRUE(config::loadConfig(options, sink));
  EXPECT_EQ(options.configFile, "");
}

TEST_F(Config, FoundUpwardAndMerged) {
  load("version: 1\n"
       "requests:\n"
       "- adjoint: saxpy(y)/(a,x)\n"
       "- {tangent: saxpy, files: foo.cu}\n"
       "- {tangent: other, files: [bar.cu]}\n"
       "- {adjoint: deep, files: src/*/*.cu}\n"
       "rules: [my.yaml]\n"
       "settings: {cuda-arch: sm_90, cuda-path: /opt/cuda, flags: [-DN=4]}\n");
  EXPECT_EQ(options.configFile, at(".gpuad.yaml"));
  ASSERT_EQ(options.requests.size(), 3u);
  EXPECT_EQ(options.requests[0].head, "saxpy(y)/(a,x)");
  EXPECT_EQ(options.requests[0].mode, Mode::Adjoint);
  EXPECT_EQ(options.requests[0].origin, at(".gpuad.yaml") + ":3");
  EXPECT_EQ(options.requests[1].mode, Mode::Tangent);
  EXPECT_EQ(options.requests[2].head, "deep");
  EXPECT_EQ(options.ruleFiles, std::vector<std::string>{at("my.yaml")});
  EXPECT_EQ(options.architectures, std::vector<std::string>{"sm_90"});
  EXPECT_EQ(options.cudaPath, "/opt/cuda");
  EXPECT_EQ(options.compilerFlags, std::vector<std::string>{"-DN=4"});
  EXPECT_EQ(options.flagsFolder + "/.gpuad.yaml", at(".gpuad.yaml"));
  EXPECT_TRUE(options.hasCompilerFlags);
}

TEST_F(Config, TheCommandLineWins) {
  options.requests.push_back({Mode::Tangent, "mine", "--tangent"});
  options.ruleFiles = {"mine.yaml"};
  options.cudaPath = "/usr/local/cuda";
  options.databaseFolder = "build";
  load("requests: [{adjoint: theirs}]\nrules: [theirs.yaml]\nsettings: {cuda-path: other, flags: [-DN=4]}\n");
  ASSERT_EQ(options.requests.size(), 1u);
  EXPECT_EQ(options.requests[0].head, "mine");
  EXPECT_EQ(options.ruleFiles, (std::vector<std::string>{at("theirs.yaml"), "mine.yaml"})); // the later one wins
  EXPECT_EQ(options.cudaPath, "/usr/local/cuda");
  EXPECT_FALSE(options.hasCompilerFlags);
}

TEST_F(Config, WrongKeysAndTypes) {
  EXPECT_EQ(refused("request: []\n"), "1:1: unknown key 'request' in a configuration file; the keys are requests, "
                                      "rules, settings, version [yaml-unknown-key]");
  EXPECT_EQ(refused("rules: []\nrules: []\n"), "2:1: 'rules' is given twice in a configuration file [yaml-double-key]");
  EXPECT_EQ(refused("requests:\n- head: f\n  adjoint: f\n"),
            "2:3: unknown key 'head' in a request; the keys are adjoint, files, tangent [yaml-unknown-key]");
  EXPECT_EQ(refused("requests: {adjoint: f}\n"), "1:11: 'requests' must be a list [yaml-wrong-type]");
  EXPECT_EQ(refused("requests:\n- files: a.cu\n"),
            "2:3: a request must be a map with the key 'adjoint' or 'tangent' [yaml-wrong-type]");
  EXPECT_EQ(refused("version: 2\n"), "1:10: 'version' must be 1 [yaml-wrong-type]");
  EXPECT_EQ(refused("requests: [\n").substr(0, 21), "2:1: this is not YAML");
}

TEST_F(Config, Contradictions) {
  EXPECT_EQ(refused("requests:\n- adjoint: f\n  tangent: f\n"),
            "3:3: a request is for one mode: write one with 'adjoint' and one with 'tangent' [config-contradiction]");
  EXPECT_EQ(refused("settings:\n  compile-commands: build\n  flags: [-DN=4]\n"),
            "3:3: 'flags' and 'compile-commands' both say how the input is compiled; give one [config-contradiction]");
}

TEST_F(Config, MissingFile) {
  options.configFile = at("none.yaml");
  CollectingSink sink;
  EXPECT_FALSE(config::loadConfig(options, sink));
  ASSERT_EQ(sink.diagnostics.size(), 1u);
  EXPECT_EQ(sink.diagnostics[0].slug, "config-file");
}

} // namespace
