//===- CudaPrinter.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/CudaPrinter.h"

#include "emit/AccumPrinter.h"
#include "emit/ExprPrinter.h"
#include "emit/TemplateHeader.h"
#include "emit/Wrap.h"
#include "ir/ForHeader.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuad::emit {

using namespace ir;

namespace {
class StmtPrinter {
public:
  StmtPrinter(const PrintOptions &options, Type returnType = nullptr)
      : width(options.width), indent(options.indent), pragmas(options.pragmas), returnType(std::move(returnType)) {}

  void print(const Stmt &s);
  /// The statements of a Block (or one statement) at the current depth, no braces.
  void printInside(const Stmt &s);
  std::string text;
  std::string lastNote; ///< at the end of the text so far, if it ends at `endOfLastNote`
  size_t endOfLastNote = 0;

private:
  void line(const std::string &code, const std::string &given = {});
  void remember(const std::string &note);
  void open(const std::string &header, const std::string &note);
  void close(const std::string &after = {});
  /// A header with its body: on one line, below it, or in braces.
  void body(const std::string &header, const Stmt &s, const std::string &note, bool mayShareLine = true);
  size_t printFlags(const std::vector<Stmt> &stmts, size_t first);
  void printIf(const IfStmt &s, const std::string &before = {});
  void printKeeping(const Var &var);
  void printFor(const ForStmt &s);
  void printSwitch(const SwitchStmt &s);
  void printText(const TextStmt &s);
  std::string simple(const Stmt &s);

  unsigned width, indent;
  bool pragmas = false;
  Type returnType;
};
} // namespace

//===----------------------------------------------------------------------===//
// Simple statements
//===----------------------------------------------------------------------===//

static bool hasCompoundForm(BinaryOp op) {
  return op <= BinaryOp::Xor;
}

/// `x += e` for `x = x + e`, or empty.
static std::string printCompound(const std::string &place, const AssignStmt &s) {
  auto *binary = llvm::dyn_cast<BinaryExpr>(stripImplicit(s.value).get());
  if (!binary || !hasCompoundForm(binary->op) || isRecord(s.place->type))
    return {};
  BinarySides sides = printSides(*binary);
  // A cast around the operation that must be written would be lost.
  Printed whole = printConverted(s.value, s.place->type);
  if (whole.precedence != precedenceOf(binary->op))
    return {};
  Printed rhs = sides.rhs;
  Expr operand = binary->rhs;
  bool commutes = binary->op == BinaryOp::Add || binary->op == BinaryOp::Mul;
  if (sides.castLhs || sides.lhs.text != place) {
    if (!commutes || sides.rhs.text != place || !isScalar(s.place->type) || sides.lhs.text == place)
      return {};
    rhs = sides.lhs;
    operand = binary->lhs;
  }
  auto *lit = llvm::dyn_cast<LitExpr>(stripImplicit(operand).get());
  bool stepsByOne = lit && lit->spelling == "1" && !isFloating(s.place->type);
  if (stepsByOne && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub))
    return (binary->op == BinaryOp::Add ? "++" : "--") + place;
  return place + " " + spellOperator(binary->op) + "= " + inParentheses(rhs, Precedence::Assign);
}

static std::string printAssign(const AssignStmt &s) {
  Printed place = printBare(s.place);
  std::string target = inParentheses(place, Precedence::Unary);
  if (std::string compound = printCompound(place.text, s); !compound.empty())
    return compound;
  return target + " = " + asArgument(s.value, s.place->type);
}

static std::string storagePrefix(const Var &var) {
  std::string text;
  if (var.storage == Storage::DynamicShared)
    text = "extern __shared__ ";
  else if (var.storage == Storage::Shared)
    text = "__shared__ ";
  else if (var.storage == Storage::ConstexprGlobal)
    text = var.isStaticLocal ? "static constexpr " : "constexpr ";
  else if (var.isStaticLocal)
    text = "static ";
  return text + (var.alignment.empty() ? "" : var.alignment + " ");
}

static Type declaredType(const Var &var) {
  return var.storage == Storage::ConstexprGlobal ? withConst(var.type, false) : var.type;
}

/// " = init", or empty.
static std::string initializer(const DeclStmt &s) {
  if (!s.init)
    return {};
  return " = " + asArgument(s.init, s.var->type);
}

static std::string printDecl(const DeclStmt &s) {
  return storagePrefix(*s.var) + declare(declaredType(*s.var), s.var->name) + initializer(s);
}

/// The init or increment of a for: declarators share their base type.
static std::string printList(const std::vector<Stmt> &stmts) {
  std::string text;
  for (const Stmt &s : stmts) {
    if (!text.empty())
      text += ", ";
    if (auto *decl = llvm::dyn_cast<DeclStmt>(s.get())) {
      std::string declared = printDecl(*decl);
      if (!text.empty())
        declared = llvm::StringRef(declared).drop_front(baseSpelling(decl->var->type).size()).ltrim().str();
      text += declared;
    } else if (auto *assign = llvm::dyn_cast<AssignStmt>(s.get())) {
      text += printAssign(*assign);
    } else if (auto *call = llvm::dyn_cast<DoStmt>(s.get())) {
      text += printBare(call->call).text;
    } else if (auto *accum = llvm::dyn_cast<AccumStmt>(s.get())) {
      text += printAccum(*accum);
    } else if (auto *verbatim = llvm::dyn_cast<TextStmt>(s.get())) {
      text += llvm::StringRef(verbatim->text).rtrim(" ;\n").str();
    }
  }
  return text;
}

static std::string printLaunch(const LaunchStmt &s) {
  auto part = [](const Expr &e) {
    std::string text = asArgument(e, e->type);
    return llvm::StringRef(text).contains('>') ? "(" + text + ")" : text; // not to end the list early
  };
  std::string text = s.callee.spelling + s.callee.templateArguments + "<<<" + part(s.grid) + ", " + part(s.block);
  if (s.sharedBytes || s.stream)
    text += ", " + (s.sharedBytes ? part(s.sharedBytes) : std::string("0"));
  if (s.stream)
    text += ", " + part(s.stream);
  return text + ">>>(" + printArguments(s.callee, s.args, 0, s.args.size()) + ")";
}

/// A statement of one line, with its semicolon; empty for all others.
std::string StmtPrinter::simple(const Stmt &s) {
  switch (s->kind) {
  case StmtKind::Accum:
    return printAccum(llvm::cast<AccumStmt>(*s)) + ";";
  case StmtKind::Assign:
    return printAssign(llvm::cast<AssignStmt>(*s)) + ";";
  case StmtKind::Break:
    return "break;";
  case StmtKind::Continue:
    return "continue;";
  case StmtKind::Decl:
    return printDecl(llvm::cast<DeclStmt>(*s)) + ";";
  case StmtKind::Do: {
    std::string call = printBare(llvm::cast<DoStmt>(*s).call).text;
    return llvm::StringRef(call).rtrim().ends_with(";") ? call : call + ";";
  }
  case StmtKind::Launch:
    return printLaunch(llvm::cast<LaunchStmt>(*s)) + ";";
  case StmtKind::Return: {
    const Expr &value = llvm::cast<ReturnStmt>(*s).value;
    return value ? "return " + asArgument(value, returnType ? returnType : value->type) + ";" : "return;";
  }
  case StmtKind::Block:
  case StmtKind::Comment:
  case StmtKind::For:
  case StmtKind::If:
  case StmtKind::Switch:
  case StmtKind::Text:
  case StmtKind::While:
    return {};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Lines and bodies
//===----------------------------------------------------------------------===//

/// A note that stands at the line before is not said again.
void StmtPrinter::line(const std::string &code, const std::string &given) {
  bool isSaid = !given.empty() && given == lastNote && text.size() == endOfLastNote;
  const std::string note = isSaid ? "" : given;
  std::string whole = std::string(indent, ' ') + code;
  bool fits = note.find('\n') == std::string::npos && whole.size() + 5 + note.size() <= width;
  if (!note.empty() && fits && note.back() != '\\') {
    text += whole + "  // " + note + "\n";
    return remember(given);
  }
  if (!note.empty())
    text += wrapComment(note, indent, width);
  // Code of several lines is the user's own; a directive must stay on one.
  bool isVerbatim = code.find('\n') != std::string::npos || code[0] == '#';
  text += (isVerbatim ? whole : wrapCode(whole, width)) + "\n";
  remember(given);
}

void StmtPrinter::remember(const std::string &note) {
  lastNote = note;
  endOfLastNote = text.size();
}

void StmtPrinter::open(const std::string &header, const std::string &note) {
  line(header.empty() ? "{" : header + " {", note);
  indent += 2;
}

void StmtPrinter::close(const std::string &after) {
  indent -= 2;
  text += std::string(indent, ' ') + "}" + after + "\n";
}

/// The one statement of a body that needs no braces; null when it needs them.
static Stmt loneStmt(const Stmt &s) {
  Stmt inner = s;
  while (auto *block = llvm::dyn_cast<BlockStmt>(inner.get())) {
    if (block->stmts.size() != 1 || !block->note.empty())
      return nullptr;
    inner = block->stmts[0];
  }
  return inner;
}

void StmtPrinter::body(const std::string &header, const Stmt &s, const std::string &note, bool mayShareLine) {
  Stmt lone = loneStmt(s);
  bool isPlain = lone && !llvm::isa<DeclStmt>(lone.get()) && (lone->note.empty() || note.empty());
  std::string code = isPlain ? simple(lone) : "";
  std::string remark = isPlain && note.empty() ? lone->note : note;
  size_t headerSize = indent + header.size();
  if (!code.empty() && code.find('\n') == std::string::npos && headerSize <= width &&
      indent + 2 + code.size() <= width) {
    if (mayShareLine && headerSize + 1 + code.size() <= width)
      return line(header + " " + code, remark);
    line(header, note);
    indent += 2;
    line(code, note.empty() ? remark : "");
    indent -= 2;
    return;
  }
  open(header, note);
  printInside(s);
  close();
}

/// "want_a = a_bar" of `const bool want_a = a_bar;`, or empty for other statements.
static std::string asFlag(const Stmt &s) {
  auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
  if (!decl || !decl->init || !decl->note.empty() || !isBool(decl->var->type) || !decl->var->type->isConst ||
      !storagePrefix(*decl->var).empty())
    return {};
  return decl->var->name + initializer(*decl);
}

/// Flags that follow each other share a line, as people write them.
size_t StmtPrinter::printFlags(const std::vector<Stmt> &stmts, size_t first) {
  std::string code;
  size_t i = first;
  for (; i < stmts.size(); ++i) {
    std::string flag = asFlag(stmts[i]);
    if (flag.empty() || (!code.empty() && indent + code.size() + flag.size() + 3 > width))
      break;
    code += (code.empty() ? "const bool " : ", ") + flag;
  }
  if (i > first)
    line(code + ";");
  return i;
}

void StmtPrinter::printInside(const Stmt &s) {
  auto *block = llvm::dyn_cast<BlockStmt>(s.get());
  if (!block)
    return print(s);
  for (size_t i = 0; i < block->stmts.size();) {
    size_t after = printFlags(block->stmts, i);
    if (after == i)
      print(block->stmts[i++]);
    else
      i = after;
  }
}

//===----------------------------------------------------------------------===//
// Structured statements
//===----------------------------------------------------------------------===//

void StmtPrinter::printIf(const IfStmt &s, const std::string &before) {
  std::string header =
      before + (s.isConstexpr ? "if constexpr (" : "if (") + printConverted(s.condition, boolType()).text + ")";
  if (!s.elseBody && before.empty())
    return body(header, s.thenBody, s.note);
  if (!s.elseBody) {
    open(header, s.note);
    printInside(s.thenBody);
    return close();
  }
  Stmt lone = loneStmt(s.thenBody), other = loneStmt(s.elseBody);
  auto isShort = [&](const Stmt &one) {
    return one && one->note.empty() && !llvm::isa<DeclStmt>(one.get()) && !simple(one).empty() &&
           indent + 2 + simple(one).size() <= width;
  };
  auto *chained = other ? llvm::dyn_cast<IfStmt>(other.get()) : nullptr;
  if (before.empty() && isShort(lone) && isShort(other) && indent + header.size() <= width) {
    body(header, s.thenBody, s.note, /*mayShareLine=*/false);
    return body("else", s.elseBody, {}, /*mayShareLine=*/false);
  }
  open(header, s.note);
  printInside(s.thenBody);
  indent -= 2;
  if (chained)
    return printIf(*chained, "} else ");
  open("} else", {});
  printInside(s.elseBody);
  close();
}

void StmtPrinter::printKeeping(const Var &var) {
  if (pragmas && var.keeping != Keeping::Free)
    line(std::string("#pragma gpuad ") + (var.keeping == Keeping::Record ? "record(" : "recompute(") + var.name + ")");
}

void StmtPrinter::printFor(const ForStmt &s) {
  if (pragmas && s.checkpoints)
    line("#pragma gpuad checkpoint" + (*s.checkpoints ? "(" + std::to_string(*s.checkpoints) + ")" : ""));
  if (!s.pragma.empty())
    line(s.pragma);
  std::string init = printList(s.init), step = printList(s.increment);
  std::string header = "for (" + init + ";" + (s.condition ? " " + printConverted(s.condition, boolType()).text : "") +
                       ";" + (step.empty() ? "" : " " + step) + ")";
  auto *block = llvm::dyn_cast<BlockStmt>(s.body.get());
  if (block && block->stmts.empty())
    return line(header + " {}", s.note);
  body(header, s.body, s.note);
}

/// Whether control never runs past the end of `s`.
static bool leaves(const Stmt &s) {
  switch (s->kind) {
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Return:
    return true;
  case StmtKind::Block: {
    auto &block = llvm::cast<BlockStmt>(*s);
    return !block.stmts.empty() && leaves(block.stmts.back());
  }
  default:
    return false;
  }
}

static bool declares(const Stmt &s) {
  auto *block = llvm::dyn_cast<BlockStmt>(s.get());
  if (!block)
    return llvm::isa<DeclStmt>(s.get());
  for (const Stmt &inner : block->stmts)
    if (llvm::isa<DeclStmt>(inner.get()))
      return true;
  return false;
}

void StmtPrinter::printSwitch(const SwitchStmt &s) {
  open("switch (" + printBare(s.value).text + ")", s.note);
  for (size_t i = 0; i < s.cases.size(); ++i) {
    const SwitchCase &one = s.cases[i];
    std::vector<std::string> labels;
    for (const Expr &label : one.labels)
      labels.push_back("case " + printBare(label).text + ":");
    if (one.isDefault)
      labels.push_back("default:");
    bool braces = one.body && declares(one.body);
    for (size_t k = 0; k < labels.size(); ++k)
      line(labels[k] + (braces && k + 1 == labels.size() ? " {" : ""));
    indent += 2;
    if (one.body)
      printInside(one.body);
    auto *block = one.body ? llvm::dyn_cast<BlockStmt>(one.body.get()) : nullptr;
    bool isEmpty = !one.body || (block && block->stmts.empty());
    if (!one.fallsThrough && (isEmpty || !leaves(one.body)))
      line("break;");
    else if (one.fallsThrough && !isEmpty && i + 1 < s.cases.size())
      line("[[fallthrough]];");
    indent -= 2;
    if (braces)
      line("}");
  }
  close();
}

/// Verbatim lines, moved so that they start at the current depth. Raw strings and
/// continued lines are left alone.
void StmtPrinter::printText(const TextStmt &s) {
  llvm::StringRef source = llvm::StringRef(s.text).rtrim();
  std::string margin(indent, ' ');
  if (!s.note.empty())
    text += wrapComment(s.note, indent, width);
  llvm::SmallVector<llvm::StringRef, 8> lines;
  source.split(lines, '\n');
  bool keep = source.contains("R\"") || source.contains("\\\n") || source.contains("\\\r");
  size_t common = std::string::npos;
  for (llvm::StringRef one : llvm::ArrayRef(lines).drop_front())
    if (!one.trim().empty())
      common = std::min(common, one.size() - one.ltrim(' ').size());
  for (size_t i = 0; i < lines.size(); ++i) {
    llvm::StringRef one = lines[i].rtrim('\r');
    if (i == 0)
      text += margin + one.str();
    else if (keep || common == std::string::npos)
      text += "\n" + one.str();
    else
      text += "\n" + (one.trim().empty() ? "" : margin + one.drop_front(common).str());
  }
  bool ends = source.ends_with(";") || source.ends_with("}") || source.ends_with(":") || source.starts_with("#");
  text += ends ? "\n" : ";\n";
}

void StmtPrinter::print(const Stmt &s) {
  switch (s->kind) {
  case StmtKind::Block:
    open({}, s->note);
    printInside(s);
    return close();
  case StmtKind::Comment: {
    const std::string &comment = llvm::cast<CommentStmt>(*s).text;
    text += comment.empty() ? "\n" : wrapComment(comment, indent, width);
    return;
  }
  case StmtKind::For:
    return printFor(llvm::cast<ForStmt>(*s));
  case StmtKind::If:
    return printIf(llvm::cast<IfStmt>(*s));
  case StmtKind::Switch:
    return printSwitch(llvm::cast<SwitchStmt>(*s));
  case StmtKind::Text:
    return printText(llvm::cast<TextStmt>(*s));
  case StmtKind::While: {
    auto &loop = llvm::cast<WhileStmt>(*s);
    std::string condition = "while (" + printConverted(loop.condition, boolType()).text + ")";
    if (!loop.isDo)
      return body(condition, loop.body, s->note);
    open("do", s->note);
    printInside(loop.body);
    return close(" " + condition + ";");
  }
  case StmtKind::Accum:
  case StmtKind::Assign:
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Decl:
  case StmtKind::Do:
  case StmtKind::Launch:
  case StmtKind::Return:
    if (auto *declaration = llvm::dyn_cast<DeclStmt>(s.get()))
      printKeeping(*declaration->var);
    return line(simple(s), s->note);
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

std::string printExpr(const Expr &e) {
  return printBare(e).text;
}

std::string printStmt(const Stmt &s, const PrintOptions &options) {
  StmtPrinter printer(options);
  printer.print(s);
  return printer.text;
}

static const char *kindPrefix(FunctionKind kind) {
  switch (kind) {
  case FunctionKind::Kernel:
    return "__global__ ";
  case FunctionKind::Device:
    return "__device__ ";
  case FunctionKind::HostDevice:
    return "__host__ __device__ ";
  case FunctionKind::Host:
    return "";
  }
  return "";
}

/// Everything up to the closing parenthesis, wrapped, without a line end.
static std::string signature(const Function &function, const PrintOptions &options, const char *ending) {
  std::string margin(options.indent, ' '), text;
  const bool isTemplate = !function.templateParameters.empty();
  if (isTemplate)
    text += margin + printTemplateHeader(function.templateParameters, options.withDefaults) + "\n";
  std::string head = margin + (options.maybeUnused ? "[[maybe_unused]] " : "");
  bool saysInline = function.attributes.find("__forceinline__") != std::string::npos; // it is inline
  head += std::string(function.isStatic ? "static " : "") + (function.isInline && !saysInline ? "inline " : "");
  head += kindPrefix(function.kind) + (function.attributes.empty() ? "" : function.attributes + " ");
  std::string params = function.name + "(";
  for (size_t i = 0; i < function.params.size(); ++i) {
    const Var &param = *function.params[i];
    params += (i ? ", " : "") + declare(isTemplate && param.templateType ? param.templateType : param.type, param.name);
  }
  bool showsReturn = isTemplate && function.templateReturnType;
  head += declare(showsReturn ? function.templateReturnType : function.returnType, params + ")");
  return text + wrapCode(head + ending, options.width);
}

std::string printDeclaration(const Function &function, const PrintOptions &options) {
  return signature(function, options, ";") + "\n";
}

static std::string printBraces(const Stmt &body, const PrintOptions &options, const Type &returnType) {
  PrintOptions inside = options;
  inside.indent += 2;
  StmtPrinter printer(inside, returnType);
  printer.printInside(body);
  return "{\n" + printer.text + std::string(options.indent, ' ') + "}";
}

std::string printFunction(const Function &function, const PrintOptions &options) {
  std::string braces = printBraces(function.body, options, function.returnType);
  return signature(function, options, " {") + braces.substr(1) + "\n";
}

std::string printBody(const Stmt &body, const Type &returnType, const PrintOptions &options) {
  return printBraces(body, options, returnType);
}

} // namespace gpuad::emit
