//===- PlanTest.cpp -------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Plan.h"

#include "ir/Builder.h"

#include <gtest/gtest.h>

using namespace gpuad;
using namespace gpuad::ir;
using namespace gpuad::transform;

static Head head(const std::string &text) {
  std::string error;
  std::optional<Head> parsed = parseHead(text, error);
  EXPECT_TRUE(parsed) << text << ": " << error;
  return parsed.value_or(Head());
}

static std::string errorOf(const std::string &text) {
  std::string error;
  EXPECT_FALSE(parseHead(text, error)) << text;
  return error;
}

TEST(Head, ReadsTheGrammar) {
  EXPECT_EQ(head("saxpy").name, "saxpy");
  EXPECT_FALSE(head("saxpy").listsActive);
  Head lists = head(" saxpy (y) / ( a , x ) ");
  EXPECT_EQ(lists.dependents, std::vector<std::string>{"y"});
  EXPECT_EQ(lists.independents, (std::vector<std::string>{"a", "x"}));
  EXPECT_FALSE(lists.parameterTypes);
  Head full = head("physics::step<float,4>(float*, int)(s.out,::total)/(s.in) as move");
  EXPECT_EQ(full.name, "physics::step");
  EXPECT_EQ(full.templateArguments, "<float, 4>");
  EXPECT_EQ(*full.parameterTypes, (std::vector<std::string>{"float*", "int"}));
  EXPECT_EQ(full.dependents, (std::vector<std::string>{"s.out", "::total"}));
  EXPECT_EQ(full.as, "move");
  EXPECT_EQ(head("f()").parameterTypes->size(), 0u);
  EXPECT_EQ(head("V::operator()(float)(return)/(self)").name, "V::operator()");
  EXPECT_EQ(head("operator+(V,V)").name, "operator+");
  EXPECT_EQ(head("::norm(return)/(v)").name, "norm");
}

TEST(Head, SaysWhatIsWrong) {
  EXPECT_EQ(errorOf(""), "expected the name of a function, column 1");
  EXPECT_EQ(errorOf("f(y)/"), "expected '(' and the independents after '/', column 6");
  EXPECT_EQ(errorOf("f(y"), "'(' has no ')', column 2");
  EXPECT_EQ(errorOf("f(y)/()"), "expected at least one independent, column 8");
  EXPECT_EQ(errorOf("f(y)/(x) to g"), "expected 'as NAME' or the end, column 10");
  EXPECT_EQ(errorOf("f(float)(y)"), "expected '/' and the independents after the dependents, column 12");
}

namespace {
class Plan : public testing::Test {
protected:
  Plan() {
    module.path = options.input = "k.cu";
    saxpy = kernel("saxpy", {{"n", intType()},
                             {"a", floatType()},
                             {"x", pointerTo(withConst(floatType(), true))},
                             {"y", pointerTo(floatType())}});
  }
  Function *kernel(const char *name, std::vector<std::pair<const char *, Type>> params) {
    module.functions.push_back(std::make_unique<Function>());
    Function *function = module.functions.back().get();
    function->name = name;
    function->kind = FunctionKind::Kernel;
    function->returnType = voidType();
    for (auto &[param, type] : params)
      function->params.push_back(function->makeVar(param, type, Storage::Parameter));
    function->body = makeBlock({});
    return function;
  }
  std::vector<Request> plan(std::vector<std::string> adjoints) {
    options.requests.clear();
    for (std::string &text : adjoints)
      options.requests.push_back({Mode::Adjoint, text, "--adjoint"});
    sink = CollectingSink();
    return planRequests(module, options, sink);
  }
  std::string problem(std::vector<std::string> adjoints) {
    plan(std::move(adjoints));
    return sink.diagnostics.empty() ? "" : sink.diagnostics[0].slug;
  }

  Module module;
  Options options;
  CollectingSink sink;
  Function *saxpy = nullptr;
};
} // namespace

TEST_F(Plan, ListsWhatIsFloating) {
  std::vector<Request> requests = plan({"saxpy"});
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].name, "saxpy_adjoint");
  ASSERT_EQ(requests[0].dependents.size(), 1u);
  EXPECT_EQ(requests[0].dependents[0].param, 3u);
  EXPECT_EQ(requests[0].independents.size(), 3u);
  requests = plan({"saxpy(y)/(a,x) as blend"});
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].name, "blend_adjoint");
  EXPECT_EQ(requests[0].independents.size(), 2u);
}

TEST_F(Plan, ImpliesBothModesOfEveryKernel) {
  kernel("count", {{"n", pointerTo(intType())}});
  std::vector<Request> requests = plan({});
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_TRUE(requests[0].implied);
  EXPECT_EQ(requests[0].name, "saxpy_tangent");
  EXPECT_EQ(requests[1].name, "saxpy_adjoint");
}

TEST_F(Plan, RefusesWhatIsWrong) {
  EXPECT_EQ(problem({"saxpi"}), "unknown-function");
  EXPECT_NE(sink.diagnostics[0].message.find("did you mean 'saxpy'?"), std::string::npos);
  EXPECT_EQ(problem({"saxpy(y)/(n)"}), "bad-independent");
  EXPECT_EQ(problem({"saxpy(x)/(a)"}), "bad-dependent");
  EXPECT_EQ(problem({"saxpy(a)/(x)"}), "bad-dependent");
  EXPECT_EQ(problem({"saxpy(y)/(q)"}), "unknown-parameter");
  EXPECT_EQ(problem({"saxpy(return)/(x)"}), "bad-dependent");
  EXPECT_EQ(problem({"saxpy(y)/(x)", "saxpy(y)/(a)"}), "double-name");
  EXPECT_EQ(problem({"saxpy(y)/(x)", "saxpy(y)/(x)"}), "");
  EXPECT_EQ(problem({"saxpy(y)/(x)", "saxpy(y)/(a) as other"}), "");
  EXPECT_EQ(problem({"saxpy(y"}), "bad-head");
  module.takenNames.push_back("launch_saxpy_adjoint");
  EXPECT_EQ(problem({"saxpy"}), "name-clash");
}

TEST_F(Plan, TellsOverloadsApart) {
  kernel("saxpy", {{"y", pointerTo(doubleType())}});
  EXPECT_EQ(problem({"saxpy"}), "ambiguous-head");
  EXPECT_EQ(sink.diagnostics[0].notes.size(), 2u);
  std::vector<Request> requests = plan({"saxpy(double *)"});
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].primal->params.size(), 1u);
  EXPECT_EQ(plan({"saxpy(int, float, float const*, float*)"}).size(), 1u);
}
