//===- Function.h - variables and functions --------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A Function owns its variables and has a body of statements. Whatever else is
/// known about a variable (activity, memory space) is in side tables keyed by it.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_FUNCTION_H
#define GPUAD_IR_FUNCTION_H

#include "ir/Stmt.h"

#include <optional>

namespace gpuad::ir {

/// Where a variable lives.
enum class Storage {
  Local, ///< a register or the thread's stack
  Parameter,
  Shared,         ///< __shared__ of fixed size
  DynamicShared,  ///< extern __shared__
  Constant,       ///< __constant__ at namespace scope
  DeviceGlobal,   ///< __device__ at namespace scope
  HostGlobal,     ///< a namespace-scope or static variable of the host
  ConstexprGlobal ///< a compile-time constant
};

/// What a pragma asks of reverse mode.
enum class Keeping { Free, Record, Recompute };

struct Var : Ordered {
  std::string name;
  Type type;
  Storage storage = Storage::Local;
  SourceRange range;
  std::vector<std::string> namespaces; ///< of namespace-scope variables
  std::string templateArguments;       ///< of an instance of a variable template: "<float>", printed after the name
  SourceRange declaration;             ///< of namespace-scope variables: the whole declarator
  bool isInternal = false;             ///< namespace-scope variables: static, or in an anonymous namespace
  bool isMember = false;               ///< a static member of a class, which is the last of `namespaces`
  bool isReachable = true;             ///< false: a static member that is private
  bool isGenerated = false;            ///< the shadow of another one, made by an earlier translation
  bool isStaticLocal = false;
  std::optional<int64_t> constant; ///< ConstexprGlobal, integers: the value
  std::string alignment;           ///< "__align__(16)" and its like, printed before the type
  bool pinned = false;             ///< named by verbatim Text: must keep its name
  bool isThis = false;             ///< the object of a method
  Keeping keeping = Keeping::Free;
  bool isTemporary = false; ///< made by gpuad: may be folded into its use
  Type templateType;        ///< of a parameter of an instance: as the template declares it; null: the type itself
};

enum class FunctionKind { Kernel, Device, HostDevice, Host };

/// A parameter of a function template.
struct TemplateParameter {
  enum Kind { Type, Value, Template };
  Kind kind = Type;
  std::string text;            ///< "class T", "int N": without a default, and with a name
  std::string name;            ///< "T"
  std::string defaultArgument; ///< as written; empty: none
  bool isPack = false;
};

struct Function;

/// A derivative of a function that the user wrote.
struct WrittenDerivative {
  const Function *function = nullptr; ///< null: there is none
  std::vector<bool> shadowed;         ///< by parameter of the primal: its shadow follows it
};

/// A function as the user wrote it, or as a transform made it.
struct Function : Ordered {
  std::string name;                    ///< "saxpy", "operator()"
  std::vector<std::string> namespaces; ///< outermost first; "" for an anonymous one
  std::string className;               ///< of a method; empty otherwise
  FunctionKind kind = FunctionKind::Host;
  Type returnType;
  std::vector<Var *> params;
  Stmt body; ///< a Block; null when only declared

  std::vector<std::unique_ptr<Var>> vars; ///< all of params and locals
  SourceRange range;                      ///< of the whole definition, template header included
  SourceRange nameRange;
  SourceRange bodyRange; ///< of the braces; the round trip replaces this text
  bool inMainFile = true;
  bool isStatic = false;
  bool isInline = false;
  bool isTemplateInstance = false;
  std::string templateArguments;                     ///< "<float, 4>" of an instance
  std::vector<TemplateParameter> templateParameters; ///< of the function template that this is an instance of
  SourceRange templateRange;                         ///< its name there: one for all instances
  Type templateReturnType;                           ///< as the template declares it; null: the type itself
  std::vector<std::string> requestedAs;              ///< instances: how HEADs with arguments name this one
  std::string cannotBeNamed; ///< why nobody can write the arguments of this instance; empty: they can
  std::string attributes;    ///< "__launch_bounds__(256)", "__forceinline__", as to be printed
  bool isGenerated = false;  ///< marked as a derivative by an earlier translation
  bool bodiesDiffer = false; ///< host and device pass saw different code; this is the device's
  std::vector<std::pair<Var *, Var *>> aliases; ///< pointer parameters that may be one array, as a pragma says
  std::vector<std::string> requests;            ///< "adjoint:HEAD" / "tangent:HEAD" from attributes in the source
  WrittenDerivative writtenTangent, writtenAdjoint;

  Var *makeVar(std::string name, Type type, Storage storage = Storage::Local) {
    vars.push_back(std::make_unique<Var>());
    vars.back()->name = std::move(name);
    vars.back()->type = std::move(type);
    vars.back()->storage = storage;
    return vars.back().get();
  }
  bool isKernel() const { return kind == FunctionKind::Kernel; }
  bool runsOnDevice() const { return kind != FunctionKind::Host; }
  /// "physics::step", with the class for methods.
  std::string qualifiedName() const {
    std::string text;
    for (const std::string &space : namespaces)
      if (!space.empty())
        text += space + "::";
    return text + (className.empty() ? "" : className + "::") + name;
  }
};

} // namespace gpuad::ir

#endif // GPUAD_IR_FUNCTION_H
