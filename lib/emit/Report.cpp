//===- Report.cpp ---------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Report.h"

#include "emit/CudaPrinter.h"
#include "ir/Walk.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuad::emit {

using namespace ir;

static std::string html(const std::string &text) {
  std::string escaped;
  llvm::raw_string_ostream stream(escaped);
  llvm::printHTMLEscaped(text, stream);
  return escaped;
}

static const char *describe(AccumHow how) {
  switch (how) {
  case AccumHow::Undecided:
    return "undecided";
  case AccumHow::Plain:
    return "plain add";
  case AccumHow::PlainIfApart:
    return "plain add where two arrays differ, else atomic add in global memory";
  case AccumHow::SharedAtomic:
    return "atomic add in shared memory";
  case AccumHow::GlobalAtomic:
    return "atomic add in global memory";
  case AccumHow::BlockReduced:
    return "summed over the block, then one atomic add";
  case AccumHow::WarpReduced:
    return "summed over the warp, then one atomic add";
  case AccumHow::AnySpace:
    return "memory space tested at run time: plain or atomic add";
  }
  return "";
}

/// Rows of what a derivative adds into memory that others may see; a sum in a local
/// variable needs no reason.
static std::string sumsOf(const Function &function) {
  std::string rows;
  forEachStmt(function.body, [&](const Stmt &s) {
    auto *accum = llvm::dyn_cast<AccumStmt>(s.get());
    if (!accum || (accum->how == AccumHow::Plain && llvm::isa<RefExpr>(accum->place.get())))
      return;
    std::string line = s->range.isValid() ? std::to_string(s->range.line) : "";
    rows += "<tr><td><code>" + html(printExpr(accum->place)) + "</code></td><td>" + describe(accum->how) + "</td><td>" +
            html(s->note) + "</td><td>" + line + "</td></tr>\n";
  });
  return rows;
}

static std::string recordsOf(const Derivative &derivative) {
  if (!derivative.stack)
    return "<p>Nothing is recorded in global memory: what the reverse sweep needs is kept in registers and local "
           "arrays or computed again.</p>\n";
  const StackNeed &need = *derivative.stack;
  return "<p>Recorded by each thread: " + std::to_string(need.bytesPerSlot) + " bytes times " +
         (need.slots ? "<code>" + html(printExpr(need.slots)) + "</code>" : std::string("what the run needs")) +
         ".</p>\n";
}

std::string printReport(const Module &module, const std::vector<Derivative> &derivatives) {
  std::string title = "Derivatives of " + html(llvm::sys::path::filename(module.path).str());
  std::string text = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + title +
                     "</title>\n<style>body { font-family: sans-serif; max-width: 70em; margin: 2em auto } "
                     "td, th { text-align: left; padding: 0.2em 1em 0.2em 0 }</style>\n</head>\n<body>\n<h1>" +
                     title + "</h1>\n";
  for (const Derivative &derivative : derivatives) {
    text += "<h2><code>" + html(derivative.function->qualifiedName()) + "</code></h2>\n<p>" + html(derivative.comment) +
            "</p>\n";
    if (derivative.mode != DerivativeMode::Adjoint)
      continue;
    text += recordsOf(derivative);
    std::string rows = sumsOf(*derivative.function);
    text += rows.empty()
                ? "<p>It adds into no memory that other threads see.</p>\n"
                : "<table>\n<tr><th>adjoint</th><th>how</th><th>why</th><th>line</th></tr>\n" + rows + "</table>\n";
  }
  return text + "</body>\n</html>\n";
}

} // namespace gpuad::emit
