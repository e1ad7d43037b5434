//===- BoundedKernel.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/BoundedKernel.h"

#include "emit/CudaPrinter.h"
#include "emit/TemplateHeader.h"
#include "emit/Wrap.h"
#include "ir/Builder.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::emit {

using namespace ir;

static constexpr unsigned Columns = 120;

bool hasBoundedKernel(const Emitted &emitted) {
  return llvm::any_of(emitted.instances, [](const Derivative *one) { return one->mayLackRegisters; });
}

std::string boundedKernelName(const Emitted &emitted) {
  return emitted.function().name + "_in_large_blocks";
}

/// The head of the kernel, under another name.
static void copyHead(const Function &from, Function &to, FunctionKind kind, const std::string &name) {
  to.kind = kind;
  to.name = name;
  to.params = from.params;
  to.returnType = from.returnType;
  to.templateParameters = from.templateParameters;
  to.templateReturnType = from.templateReturnType;
  to.isStatic = true;
}

std::string printBothKernels(const Emitted &emitted) {
  const Function &kernel = emitted.function();
  const std::string bodyName = kernel.name + "_body";
  PrintOptions options, inner;
  options.maybeUnused = emitted.mayBeUnused;
  inner.maybeUnused = true;

  Function body;
  copyHead(kernel, body, FunctionKind::Device, bodyName);
  body.attributes = "__forceinline__";
  body.body = kernel.body;

  Callee callee;
  callee.name = callee.spelling = bodyName;
  callee.templateArguments = emitted.isTemplate ? printOwnArguments(kernel.templateParameters) : "";
  std::vector<Expr> args;
  for (Var *param : kernel.params)
    args.push_back(makeRef(param));
  Stmt call = makeBlock({makeDo(makeCall(callee, args, voidType()))});

  Function plain, bounded;
  copyHead(kernel, plain, FunctionKind::Kernel, kernel.name);
  plain.isStatic = kernel.isStatic;
  plain.isInline = kernel.isInline;
  plain.attributes = kernel.attributes;
  plain.body = call;
  copyHead(kernel, bounded, FunctionKind::Kernel, boundedKernelName(emitted));
  bounded.attributes = "__launch_bounds__(1024, 1)";
  bounded.body = call;
  const std::string &comment = emitted.derivative().comment;
  return (comment.empty() ? "" : wrapComment(comment, 0, Columns)) + printFunction(body, inner) + "\n" +
         printFunction(plain, options) + "\n// For blocks of more threads than the other one has registers for.\n" +
         printFunction(bounded, inner);
}

} // namespace gpuad::emit
