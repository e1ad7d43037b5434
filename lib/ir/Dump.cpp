//===- Dump.cpp -----------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Dump.h"

namespace gpuad::ir {

static std::string name(const Var *var) {
  return var ? var->name : "<null>";
}
static std::string typeName(const Type &type) {
  return type ? spell(type) : "<null>";
}

static std::string list(const std::vector<Expr> &elements) {
  std::string text;
  for (const Expr &e : elements)
    text += (text.empty() ? "" : ", ") + dump(e);
  return text;
}

static std::string mentioned(const std::vector<Var *> &vars) {
  std::string text;
  for (const Var *var : vars)
    text += (text.empty() ? " mentions " : " ") + name(var);
  return text;
}

static const char *spelled(BinaryOp op) {
  static const char *const Spellings[] = {"+", "-",  "*",  "/",  "%",  "<<", ">>", "&", "|",
                                          "^", "&&", "||", "==", "!=", "<",  "<=", ">", ">="};
  return Spellings[static_cast<unsigned>(op)];
}

static const char *spelled(UnaryOp op) {
  static const char *const Spellings[] = {"-", "+", "!", "~"};
  return Spellings[static_cast<unsigned>(op)];
}

static std::string dumpCast(const CastExpr &e) {
  static const char *const Styles[] = {"implicit", "c", "static", "reinterpret", "const", "functional"};
  return std::string(Styles[static_cast<unsigned>(e.style)]) + "<" + typeName(e.type) + ">(" + dump(e.operand) + ")";
}

static std::string dumpThreadIndex(const ThreadIndexExpr &e) {
  static const char *const Builtins[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
  std::string text = Builtins[static_cast<unsigned>(e.builtin)];
  return e.builtin == ThreadBuiltin::WarpSize ? text : text + "." + "xyz"[e.dimension];
}

std::string dump(const Expr &e) {
  if (!e)
    return "<null>";
  switch (e->kind) {
  case ExprKind::AddrOf:
    return "&" + dump(llvm::cast<AddrOfExpr>(*e).place);
  case ExprKind::Binary: {
    auto &binary = llvm::cast<BinaryExpr>(*e);
    return "(" + dump(binary.lhs) + " " + spelled(binary.op) + " " + dump(binary.rhs) + ")";
  }
  case ExprKind::Call: {
    auto &call = llvm::cast<CallExpr>(*e);
    return call.callee.name + call.callee.templateArguments + "(" + list(call.args) + ")";
  }
  case ExprKind::Cast:
    return dumpCast(llvm::cast<CastExpr>(*e));
  case ExprKind::Deref:
    return "*" + dump(llvm::cast<DerefExpr>(*e).pointer);
  case ExprKind::Index: {
    auto &index = llvm::cast<IndexExpr>(*e);
    return dump(index.base) + "[" + dump(index.index) + "]";
  }
  case ExprKind::Init:
    return typeName(e->type) + "{" + list(llvm::cast<InitExpr>(*e).elements) + "}";
  case ExprKind::Lit:
    return llvm::cast<LitExpr>(*e).spelling;
  case ExprKind::Member: {
    auto &member = llvm::cast<MemberExpr>(*e);
    return dump(member.base) + "." + member.name;
  }
  case ExprKind::Ref:
    return name(llvm::cast<RefExpr>(*e).var);
  case ExprKind::Select: {
    auto &select = llvm::cast<SelectExpr>(*e);
    return "(" + dump(select.condition) + " ? " + dump(select.thenValue) + " : " + dump(select.elseValue) + ")";
  }
  case ExprKind::Text: {
    auto &text = llvm::cast<TextExpr>(*e);
    return "text(" + text.text + mentioned(text.mentions) + ")";
  }
  case ExprKind::ThreadIndex:
    return dumpThreadIndex(llvm::cast<ThreadIndexExpr>(*e));
  case ExprKind::Unary: {
    auto &unary = llvm::cast<UnaryExpr>(*e);
    return std::string(spelled(unary.op)) + "(" + dump(unary.operand) + ")";
  }
  }
  return {};
}

static const char *spelled(Storage storage) {
  static const char *const Spellings[] = {"local",    "parameter",     "shared",      "dynamic_shared",
                                          "constant", "device_global", "host_global", "constexpr"};
  return Spellings[static_cast<unsigned>(storage)];
}

static const char *spelled(AccumHow how) {
  static const char *const Spellings[] = {"undecided",     "plain",         "plain_if_apart", "shared_atomic",
                                          "global_atomic", "block_reduced", "warp_reduced",   "any_space"};
  return Spellings[static_cast<unsigned>(how)];
}

static std::string dumpDecl(const DeclStmt &s) {
  if (!s.var)
    return "decl <null>";
  std::string text = "decl ";
  if (s.var->storage != Storage::Local)
    text += std::string(spelled(s.var->storage)) + " ";
  return text + declare(s.var->type, s.var->name) + (s.init ? " = " + dump(s.init) : "");
}

static std::string dumpInside(const Stmt &s, unsigned indent) {
  return s ? dump(s, indent + 2) : "";
}

static std::string dumpIf(const IfStmt &s, const std::string &margin, unsigned indent) {
  std::string text = margin + (s.isConstexpr ? "if constexpr " : "if ") + dump(s.condition) + "\n";
  text += dumpInside(s.thenBody, indent);
  if (s.elseBody)
    text += margin + "else\n" + dumpInside(s.elseBody, indent);
  return text;
}

static std::string dumpFor(const ForStmt &s, const std::string &margin, unsigned indent) {
  std::string text = margin + "for " + (s.condition ? dump(s.condition) : "true") +
                     (s.pragma.empty() ? "" : " [" + s.pragma + "]") + "\n";
  for (const Stmt &init : s.init)
    text += margin + "  init\n" + dump(init, indent + 4);
  for (const Stmt &step : s.increment)
    text += margin + "  step\n" + dump(step, indent + 4);
  return text + dumpInside(s.body, indent);
}

static std::string dumpSwitch(const SwitchStmt &s, const std::string &margin, unsigned indent) {
  std::string text = margin + "switch " + dump(s.value) + "\n";
  for (const SwitchCase &one : s.cases) {
    text += margin + "  case " + list(one.labels) + (one.isDefault ? " default" : "") +
            (one.fallsThrough ? " falls through" : "") + "\n";
    text += dumpInside(one.body, indent + 2);
  }
  return text;
}

static std::string dumpLaunch(const LaunchStmt &s) {
  std::string text = "launch " + s.callee.name + " grid " + dump(s.grid) + " block " + dump(s.block);
  if (s.sharedBytes)
    text += " shared " + dump(s.sharedBytes);
  if (s.stream)
    text += " stream " + dump(s.stream);
  return text + " (" + list(s.args) + ")";
}

/// A statement that is one line; empty for structured ones.
static std::string dumpLine(const Stmt &s) {
  switch (s->kind) {
  case StmtKind::Accum: {
    auto &accum = llvm::cast<AccumStmt>(*s);
    return "accum " + std::string(spelled(accum.how)) + " " + dump(accum.place) + " += " + dump(accum.value);
  }
  case StmtKind::Assign:
    return dump(llvm::cast<AssignStmt>(*s).place) + " = " + dump(llvm::cast<AssignStmt>(*s).value);
  case StmtKind::Break:
    return "break";
  case StmtKind::Comment:
    return "// " + llvm::cast<CommentStmt>(*s).text;
  case StmtKind::Continue:
    return "continue";
  case StmtKind::Decl:
    return dumpDecl(llvm::cast<DeclStmt>(*s));
  case StmtKind::Do:
    return "do " + dump(llvm::cast<DoStmt>(*s).call);
  case StmtKind::Launch:
    return dumpLaunch(llvm::cast<LaunchStmt>(*s));
  case StmtKind::Return:
    return llvm::cast<ReturnStmt>(*s).value ? "return " + dump(llvm::cast<ReturnStmt>(*s).value) : "return";
  case StmtKind::Text: {
    auto &text = llvm::cast<TextStmt>(*s);
    return "text [" + text.what + "] " + text.text + mentioned(text.mentions);
  }
  case StmtKind::Block:
  case StmtKind::For:
  case StmtKind::If:
  case StmtKind::Switch:
  case StmtKind::While:
    return {};
  }
  return {};
}

std::string dump(const Stmt &s, unsigned indent) {
  std::string margin(indent, ' ');
  if (!s)
    return margin + "<null>\n";
  switch (s->kind) {
  case StmtKind::Block: {
    std::string text = margin + "block\n";
    for (const Stmt &inner : llvm::cast<BlockStmt>(*s).stmts)
      text += dump(inner, indent + 2);
    return text;
  }
  case StmtKind::For:
    return dumpFor(llvm::cast<ForStmt>(*s), margin, indent);
  case StmtKind::If:
    return dumpIf(llvm::cast<IfStmt>(*s), margin, indent);
  case StmtKind::Switch:
    return dumpSwitch(llvm::cast<SwitchStmt>(*s), margin, indent);
  case StmtKind::While: {
    auto &loop = llvm::cast<WhileStmt>(*s);
    return margin + (loop.isDo ? "do-while " : "while ") + dump(loop.condition) + "\n" + dumpInside(loop.body, indent);
  }
  default:
    return margin + dumpLine(s) + (s->note.empty() ? "" : "  // " + s->note) + "\n";
  }
}

std::string dump(const Function &function) {
  static const char *const Kinds[] = {"kernel", "device", "host_device", "host"};
  std::string text = Kinds[static_cast<unsigned>(function.kind)];
  text += " " + typeName(function.returnType) + " " + function.qualifiedName() + function.templateArguments + "(";
  for (size_t i = 0; i < function.params.size(); ++i)
    text += (i ? ", " : "") + declare(function.params[i]->type, function.params[i]->name);
  text += ")";
  if (!function.attributes.empty())
    text += " [" + function.attributes + "]";
  return text + "\n" + (function.body ? dump(function.body, 2) : "");
}

std::string dump(const Module &module) {
  std::string text;
  for (const std::unique_ptr<Var> &global : module.globals)
    text += std::string(spelled(global->storage)) + " " + declare(global->type, global->name) + "\n";
  for (const std::unique_ptr<Function> &function : module.functions)
    text += dump(*function);
  return text;
}

} // namespace gpuad::ir
