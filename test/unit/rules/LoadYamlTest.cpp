//===- LoadYamlTest.cpp - what a rule file may not say --------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rules/LoadYaml.h"
#include "rules/Rules.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace gpuad;
using namespace gpuad::rules;

namespace {

/// The messages for a rule with these further lines, as line:column: text [slug].
std::string messages(const std::string &text) {
  CollectingSink sink;
  loadYaml("my.yaml", text, sink);
  std::string all;
  for (const Diagnostic &diagnostic : sink.diagnostics) {
    EXPECT_EQ(*diagnostic.range.file, "my.yaml");
    all += (all.empty() ? "" : "\n") + std::to_string(diagnostic.range.line) + ":" +
           std::to_string(diagnostic.range.column) + ": " + diagnostic.message + " [" + diagnostic.slug + "]";
  }
  return all;
}

std::string inRule(const std::string &lines) {
  return messages("rules:\n- name: f\n  kind: pure\n  match: [f]\n  params: [x]\n" + lines);
}

TEST(LoadYaml, GoodRule) {
  EXPECT_EQ(inRule("  let: {s: x * x}\n  partials: {x: 2 * s + ret}\n  domain: {x: [0, 1]}\n  headers: [a.h]\n"), "");
}

TEST(LoadYaml, Keys) {
  EXPECT_EQ(inRule("  partial: {x: 1}\n").substr(0, 57), "6:3: unknown key 'partial' in rule 'f'; the keys are acti");
  EXPECT_EQ(inRule("  match: [g]\n"), "6:3: 'match' is given twice in rule 'f' [yaml-double-key]");
  EXPECT_EQ(inRule("  partials: {x: 1, x: 2}\n"), "6:20: 'x' is given twice in 'partials' [yaml-double-key]");
  EXPECT_EQ(messages("rule: []\n"),
            "1:1: unknown key 'rule' in a rule file; the keys are classes, rules, section, version [yaml-unknown-key]");
}

TEST(LoadYaml, Classes) {
  EXPECT_EQ(messages("classes:\n- class: mylib::pair\n  fields: {a_: \"mylib::first\", b_: .second()}\n"), "");
  EXPECT_EQ(messages("classes: {}\n"), "1:10: 'classes' must be a list [yaml-wrong-type]");
  EXPECT_EQ(messages("classes: [{fields: {}}]\n"), "1:11: a class needs the key 'class' [rule-missing-key]");
  EXPECT_EQ(messages("classes: [{class: a, field: {}}]\n"),
            "1:22: unknown key 'field' in a class; the keys are class, elements, fields [yaml-unknown-key]");
}

TEST(LoadYaml, Compose) {
  auto composed = [](const std::string &expansion) {
    return messages("rules:\n- name: f\n  kind: compose\n  match: [f]\n  params: [{name: z, type: record}, a]\n"
                    "  expansion: {" +
                    expansion + "}\n");
  };
  EXPECT_EQ(composed("ret.x: z.x * a, ret.y: z.y * a"), "");
  EXPECT_EQ(composed("ret: z.x + z.w"), "");
  EXPECT_NE(composed("ret: z"), "");
  EXPECT_NE(composed("ret: a.x"), "");
  EXPECT_NE(composed("ret.q: a"), "");
  EXPECT_NE(inRule("  partials: {x: x.y}\n"), "");
}

TEST(LoadYaml, Types) {
  EXPECT_EQ(messages("rules: {}\n"), "1:8: 'rules' must be a list [yaml-wrong-type]");
  EXPECT_EQ(messages("rules: [f]\n").substr(0, 40), "1:9: a rule must be a map [yaml-wrong-ty");
  EXPECT_EQ(inRule("  headers: a.h\n"), "6:12: 'headers' must be a list [yaml-wrong-type]");
  EXPECT_EQ(inRule("  variadic: yes\n"), "6:13: 'variadic' must be true or false [yaml-wrong-type]");
  EXPECT_EQ(inRule("  domain: {x: [0, one]}\n"), "6:19: a bound must be a number [yaml-wrong-type]");
  EXPECT_EQ(inRule("  domain: {x: [0]}\n"), "6:15: a domain must be a list of two numbers [yaml-wrong-type]");
  EXPECT_EQ(inRule("  note: [a]\n"), "6:9: 'note' must be text [yaml-wrong-type]");
  EXPECT_EQ(inRule("  exec: gpu\n"), "6:9: 'exec' must be one of any, device, host [yaml-wrong-type]");
  EXPECT_EQ(messages("- a\n"), "1:1: a rule file must be a map [yaml-wrong-type]");
}

TEST(LoadYaml, MissingKeys) {
  EXPECT_EQ(messages("rules:\n- match: [f]\n  params: [x]\n"), "2:3: a rule needs the key 'name' [rule-missing-key]");
  EXPECT_EQ(messages("rules:\n- name: f\n  match: [f]\n"), "2:3: rule 'f' needs the key 'params' [rule-missing-key]");
  EXPECT_EQ(messages("rules:\n- name: f\n  params: [x]\n"), "2:3: rule 'f' needs the key 'match' [rule-missing-key]");
  EXPECT_EQ(messages("rules:\n- {name: f, match: [f], kind: forbidden}\n"),
            "2:3: rule 'f' needs the key 'note' [rule-missing-key]");
}

TEST(LoadYaml, Params) {
  EXPECT_EQ(inRule("  partials: {y: 1}\n"), "6:14: rule 'f' has no parameter 'y' [rule-unknown-param]");
  EXPECT_EQ(inRule("  domain: {y: [0, 1]}\n"), "6:12: rule 'f' has no parameter 'y' [rule-unknown-param]");
  EXPECT_EQ(messages("rules:\n- name: f\n  match: [f]\n  params: [x, x]\n"),
            "4:15: 'x' is given twice in 'params' [yaml-double-key]");
}

TEST(LoadYaml, Formulas) {
  EXPECT_EQ(inRule("  partials: {x: 2 * z}\n"),
            "6:21: the partial by 'x': 'z' is neither a parameter nor a name bound by let [rule-formula]");
  EXPECT_EQ(inRule("  partials: {x: \"2 * z\"}\n"),
            "6:22: the partial by 'x': 'z' is neither a parameter nor a name bound by let [rule-formula]");
  EXPECT_EQ(inRule("  partials: {x: 2 *}\n"), "6:20: the partial by 'x': the formula ends too early [rule-formula]");
  EXPECT_EQ(inRule("  partials: {x: (x}\n"), "6:19: the partial by 'x': missing ')' [rule-formula]");
  EXPECT_EQ(inRule("  partials: {x: 2.0f}\n"),
            "6:17: the partial by 'x': a number has no suffix here; its type follows the call [rule-formula]");
  EXPECT_EQ(inRule("  partials: {x: x % 1}\n"), "6:19: the partial by 'x': unexpected '%' [rule-formula]");
  EXPECT_EQ(inRule("  partials: {x: select(x)}\n"),
            "6:17: the partial by 'x': select takes three arguments: select(condition, then, else) [rule-formula]");
}

TEST(LoadYaml, DoubleRules) {
  EXPECT_EQ(messages("rules:\n- {name: f, match: [f], params: [x]}\n- {name: f, match: [g], params: [x]}\n"),
            "3:3: rule 'f' is given twice in this layer [rule-double]");
  EXPECT_EQ(messages("rules:\n- {name: f, match: [f], params: [x]}\n- {name: g, match: [f], params: [x]}\n"),
            "3:3: a rule for 'f' is given twice in this layer [rule-double]");
  EXPECT_EQ(messages("rules:\n"
                     "- {name: f, match: [f], params: [{name: x, type: floating}]}\n"
                     "- {name: g, match: [f], params: [{name: x, type: integer}]}\n"),
            "");
}

TEST(LoadYaml, Syntax) {
  EXPECT_EQ(messages("rules: [\n").substr(0, 21), "2:1: this is not YAML");
}

/// A file in the temporary folder, for what is loaded by path.
class Layers : public ::testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("gpuad-rules", "yaml", path)); }
  void TearDown() override { llvm::sys::fs::remove(path); }
  std::optional<RuleTable> load(const std::string &text) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
    return loadRules({path.str().str()}, sink);
  }
  llvm::SmallString<128> path;
  CollectingSink sink;
};

TEST_F(Layers, LaterLayersWin) {
  auto table = load("rules:\n- name: my_sqrt\n  match: [sqrtf]\n  params: [x]\n"
                    "  partials: {x: \"select(ret > 0, 0.5 / ret, 0)\"}\n");
  ASSERT_TRUE(table);
  ir::Callee callee;
  callee.name = "sqrtf";
  EXPECT_EQ(table->find(callee)->name, "my_sqrt");
  callee.name = "sqrt";
  EXPECT_EQ(table->find(callee)->name, "sqrt");
}

TEST_F(Layers, CallsNeedRules) {
  EXPECT_FALSE(load("rules:\n- {name: f, match: [f], params: [x], partials: {x: nosuch(x)}}\n"));
  ASSERT_EQ(sink.diagnostics.size(), 1u);
  EXPECT_EQ(sink.diagnostics[0].slug, "rule-formula-call");
}

TEST_F(Layers, CallsNeedTheRightNumberOfArguments) {
  EXPECT_FALSE(load("rules:\n- {name: f, match: [f], params: [x], partials: {x: \"sin(x, x)\"}}\n"));
  ASSERT_EQ(sink.diagnostics.size(), 1u);
  EXPECT_EQ(sink.diagnostics[0].message, "rule 'f': the number of arguments of 'sin' is 1, not 2");
}

TEST_F(Layers, MissingFile) {
  EXPECT_FALSE(loadRules({"/nonexistent/rules.yaml"}, sink));
  ASSERT_EQ(sink.diagnostics.size(), 1u);
  EXPECT_EQ(sink.diagnostics[0].slug, "rule-file");
}

TEST_F(Layers, WrongPartialsAreFound) {
  auto table = load("rules:\n- {name: f, match: [f], params: [x], partials: {x: 3 * x}, value: x * x}\n");
  ASSERT_TRUE(table);
  EXPECT_EQ(checkRules(*table, path.str().str(), sink), 0u);
  ASSERT_FALSE(sink.diagnostics.empty());
  EXPECT_EQ(sink.diagnostics[0].slug, "rule-numeric");
}

TEST_F(Layers, RulesWithoutValueAreNamed) {
  auto table = load("rules:\n- {name: f, match: [f], params: [x], partials: {x: 3 * x}}\n");
  ASSERT_TRUE(table);
  EXPECT_EQ(checkRules(*table, path.str().str(), sink), 0u);
  ASSERT_FALSE(sink.diagnostics.empty());
  EXPECT_EQ(sink.diagnostics[0].slug, "rule-unevaluated");
}

} // namespace
