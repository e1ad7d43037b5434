//===- Launcher.cpp ------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Launcher.h"

#include "emit/BoundedKernel.h"
#include "emit/CudaPrinter.h"
#include "emit/Instances.h"
#include "emit/TemplateHeader.h"
#include "emit/Wrap.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::emit {

using namespace ir;

static constexpr unsigned Columns = 120;

bool hasLauncher(const Emitted &emitted) {
  return emitted.derivative().needsLauncher;
}

/// What the launcher's first parameter is called: `where`, unless the kernel has one.
static std::string whereName(const Emitted &emitted) {
  std::string name = "where";
  while (llvm::any_of(emitted.function().params, [&](const Var *param) { return param->name == name; }))
    name = "launch_" + name;
  return name;
}

/// The launcher works the others out.
static bool isForLauncher(ParamRole role) {
  return role != ParamRole::SharedBytes && role != ParamRole::Stack && role != ParamRole::StackTangent;
}

static bool isRecord(ParamRole role) {
  return role == ParamRole::Record || role == ParamRole::RecordTangent;
}

static std::string signature(const Emitted &emitted, const char *ending, bool withDefaults) {
  const Function &kernel = emitted.function();
  std::string text = emitted.isTemplate ? printTemplateHeader(kernel.templateParameters, withDefaults) + "\n" : "";
  std::string line = hasInternalLinkage(kernel) ? "[[maybe_unused]] " : "";
  line += std::string(kernel.isStatic ? "static " : "") + "void launch_" + kernel.name + "(const gpuad::launch& " +
          whereName(emitted);
  for (const DerivativeParam &param : emitted.derivative().params)
    if (isRecord(param.role))
      line += ", gpuad::record& " + param.var->name;
    else if (isForLauncher(param.role))
      line += ", " + declare(withConst(shownType(emitted, *param.var), false), param.var->name);
  return text + wrapCode(line + ")" + ending, Columns);
}

std::string printLauncherPrototype(const Emitted &emitted, bool withDefaults) {
  return signature(emitted, ";", withDefaults) + "\n";
}

std::string printLauncherInstances(const Emitted &emitted) {
  std::string text;
  for (const Derivative *instance : emitted.instances) {
    std::string line = "template void launch_" + instance->function->name + instance->primal->templateArguments +
                       "(const gpuad::launch& " + whereName(emitted);
    for (const DerivativeParam &param : instance->params)
      if (isRecord(param.role))
        line += ", gpuad::record& " + param.var->name;
      else if (isForLauncher(param.role))
        line += ", " + declare(withConst(param.var->type, false), param.var->name);
    text += wrapCode(line + ");", Columns) + "\n";
  }
  return text;
}

/// The shape of the launch, as the kernel sees it, is in the launcher's parameter.
static Expr forHost(const Expr &e, const std::string &where) {
  if (auto *builtin = llvm::dyn_cast<ThreadIndexExpr>(e.get())) {
    const char *shape = builtin->builtin == ThreadBuiltin::BlockDim ? ".block." : ".grid.";
    return makeText(where + shape + "xyz" [builtin->dimension], {}, e->type);
  }
  std::vector<Expr> operands;
  for (const Expr &operand : children(e))
    operands.push_back(forHost(operand, where));
  return operands.empty() ? e : withChildren(e, operands);
}

namespace {
/// The body of a launcher, for one instance.
class LauncherBody {
public:
  LauncherBody(const Emitted &emitted, const Derivative &instance, unsigned indent)
      : emitted(emitted), instance(instance), where(whereName(emitted)), margin(indent, ' ') {
    name = emitted.function().name;
    target = name + (emitted.isTemplate ? printOwnArguments(emitted.function().templateParameters) : "");
    shared = where + ".shared_bytes";
  }
  std::string print() {
    refusals();
    if (hasBoundedKernel(emitted)) {
      std::string bounded = boundedKernelName(emitted) + target.substr(name.size());
      line("const auto kernel = gpuad::has_registers(" + target + ", " + where + ".block) ? " + target + " : " +
           bounded + ";");
      target = "kernel";
    }
    if (has(instance, ParamRole::SharedBytes)) {
      if (instance.primal->isGenerated) // tangents of the memory and of its shadow
        shared = "gpuad::with_shadow(" + shared + ")";
      std::string more;
      for (const Type &array : instance.movedShared)
        more += " + gpuad::room_for<" + spell(array) + ">()";
      line("gpuad::allow_shared(" + target + ", " + shared + (more.empty() ? "" : ", " + more.substr(3)) + ");");
      shared = "gpuad::with_shadow(" + shared + ")" + more;
    }
    launch();
    return text;
  }

private:
  void line(const std::string &code) { text += wrapCode(margin + code, Columns) + "\n"; }
  static bool has(const Derivative &derivative, ParamRole role) {
    return llvm::any_of(derivative.params, [&](const DerivativeParam &param) { return param.role == role; });
  }
  static const Var *recordOf(const Derivative &derivative) {
    for (const DerivativeParam &param : derivative.params)
      if (param.role == ParamRole::Record)
        return param.var;
    return nullptr;
  }
  void refusals() {
    for (const DerivativeParam &param : instance.params)
      if (param.mustNotBeNull && isPointer(param.var->type))
        line("if (!" + param.var->name + ") return gpuad::report_missing_shadow(\"" + name + "\", \"" +
             param.var->name + "\");");
    if (instance.mode != DerivativeMode::Augmented)
      if (const Var *record = recordOf(instance))
        line("if (!" + record->name + ".serves(" + where + ", \"" + name + "\")) return;");
    for (auto [a, b] : instance.mustDiffer)
      line("if (" + a->name + " == " + b->name + ") return gpuad::report_aliased(\"" + name + "\", \"" + a->name +
           "\", \"" + b->name + "\");");
  }
  std::string arguments() const {
    std::string args;
    for (const DerivativeParam &param : emitted.derivative().params) {
      args += args.empty() ? "" : ", ";
      if (param.role == ParamRole::SharedBytes)
        args += "unsigned(" + where + ".shared_bytes)";
      else if ((param.role == ParamRole::Stack && !instance.stack) || // that of another instance
               (param.role == ParamRole::StackTangent && !has(instance, ParamRole::StackTangent)))
        args += "gpuad::stack()";
      else if (isRecord(param.role))
        args += instance.mode == DerivativeMode::Augmented ? view() : param.var->name + ".view()";
      else
        args += param.var->name;
    }
    return args;
  }
  /// What the launcher of an augmented kernel calls the record on its way to the kernel.
  std::string view() const {
    std::string made = "view";
    while (llvm::any_of(emitted.function().params, [&](const Var *param) { return param->name == made; }))
      made = "record_" + made;
    return made;
  }
  void launch() {
    std::string launch = target + "<<<" + where + ".grid, " + where + ".block, " + shared + ", " + where +
                         ".stream>>>(" + arguments() + ");";
    if (instance.mode == DerivativeMode::Augmented) {
      const Expr &most = instance.record->slots;
      std::string slots = most ? ", " + printExpr(forHost(most, where)) : "";
      line("gpuad::run_augmented(" + where + ", \"" + name + "\", " + recordOf(instance)->name + slots +
           ", [&](const gpuad::record_view& " + view() + ") {");
      line("  " + launch);
      line("});");
      if (instance.record->holdsOffers)
        line(recordOf(instance)->name + ".settle(" + where + ".stream);");
      return;
    }
    if (!instance.stack) {
      line(launch);
      return line("gpuad::report_launch(\"" + name + "\");");
    }
    const StackNeed &need = *instance.stack;
    auto named = [&](ParamRole role) {
      auto found = llvm::find_if(instance.params, [&](const DerivativeParam &param) { return param.role == role; });
      return found == instance.params.end() ? std::string() : found->var->name;
    };
    std::string stack = named(ParamRole::Stack), tangents = named(ParamRole::StackTangent);
    unsigned bytesPerSlot = need.bytesPerSlot * (tangents.empty() ? 1 : 2);
    std::string slots = need.slots ? ", " + printExpr(forHost(need.slots, where)) : "";
    line(std::string("gpuad::run_") + (need.slots ? "sized" : "measured") + "(" + where + ", \"" + name + "\", " +
         std::to_string(bytesPerSlot) + slots + ", [&](const gpuad::stack& " + stack + ") {");
    if (!tangents.empty())
      line("  gpuad::stack " + tangents + " = " + stack + ".second_half();");
    line("  " + launch);
    line("});");
  }

  const Emitted &emitted;
  const Derivative &instance;
  std::string where, margin, name, target, shared, text;
};
} // namespace

std::string printLauncher(const Emitted &emitted) {
  std::string text = signature(emitted, " {", /*withDefaults=*/false) + "\n";
  auto bodyOf = [&](const Derivative &instance, unsigned indent) {
    return LauncherBody(emitted, instance, indent).print();
  };
  std::string first = bodyOf(emitted.derivative(), 2);
  bool areAlike =
      llvm::all_of(emitted.instances, [&](const Derivative *instance) { return bodyOf(*instance, 2) == first; });
  if (areAlike)
    return text + first + "}\n";
  std::vector<std::string> tests = instanceTests(emitted);
  for (size_t i = 0; i < tests.size(); ++i) {
    bool isLast = i + 1 == tests.size(); // the kernel says what it is made for
    std::string test = isLast ? "{" : "if constexpr (" + tests[i] + ") {";
    text += (i == 0 ? "  " : "  } else ") + test + "\n" + bodyOf(*emitted.instances[i], 4);
  }
  return text + "  }\n}\n";
}

} // namespace gpuad::emit
