//===- RequestedInstances.cpp --------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/RequestedInstances.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuad::frontend {

using clang::dyn_cast;
using llvm::StringRef;

static constexpr const char *Namespace = "gpuad_requested";

/// What a HEAD names, with template arguments: all before the first list or blank that
/// stands in no brackets.
static StringRef namePart(StringRef head) {
  head = head.ltrim();
  int depth = 0;
  for (size_t i = 0; i < head.size(); ++i) {
    depth += (head[i] == '<') - (head[i] == '>');
    bool ends = head[i] == '(' || (llvm::isSpace(head[i]) && !head.substr(i).ltrim().starts_with("<"));
    if (depth == 0 && ends)
      return head.take_front(i);
  }
  return head;
}

std::string headName(StringRef head) {
  std::string name;
  int depth = 0;
  for (char c : namePart(head)) {
    depth += c == '<';
    if (depth == 0)
      name += c;
    depth -= c == '>';
  }
  StringRef last = StringRef(name).trim();
  return last.drop_front(last.rfind(':') == StringRef::npos ? 0 : last.rfind(':') + 1).str();
}

std::vector<std::string> headsInSource(StringRef source) {
  std::vector<std::string> written;
  for (StringRef macro : {"GPUAD_ADJOINT", "GPUAD_TANGENT"})
    for (size_t at = source.find(macro); at != StringRef::npos; at = source.find(macro, at + 1)) {
      StringRef after = source.substr(at + macro.size()).ltrim();
      if (after.consume_front("("))
        if (StringRef text = after.ltrim(); text.consume_front("\""))
          written.push_back(text.take_until([](char c) { return c == '"'; }).str());
    }
  return written;
}

std::vector<std::string> globalsOfHead(StringRef head) {
  std::vector<std::string> found;
  StringRef lists = head.ltrim().drop_front(namePart(head).size());
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = lists.find("::"); at != StringRef::npos; at = lists.find("::", at + 2)) {
    if (at > 0 && (isWord(lists[at - 1]) || lists[at - 1] == '>'))
      continue;
    StringRef name = lists.drop_front(at).take_while([&](char c) { return isWord(c) || c == ':'; });
    found.push_back(name.rsplit("::").second.str());
  }
  return found;
}

std::vector<std::string> requestedInstances(const std::vector<std::string> &heads) {
  std::vector<std::string> found;
  for (const std::string &head : heads) {
    StringRef name = namePart(head);
    bool isName = !name.empty() && (llvm::isAlpha(name[0]) || name[0] == '_' || name[0] == ':');
    if (isName && name.contains('<') && !name.contains("operator") && !llvm::is_contained(found, name))
      found.push_back(name.str());
  }
  return found;
}

std::string printRequested(const std::vector<std::string> &instances) {
  std::string text;
  unsigned number = 0;
  for (const std::string &instance : instances) {
    std::string name = (StringRef(instance).starts_with("::") ? "" : "::") + instance;
    text += std::string("\nnamespace ") + Namespace + " { typedef decltype(&" + name + ") gpuad_requested_" +
            std::to_string(number++) + "; }";
  }
  return text;
}

bool isRequested(const clang::Decl &declaration) {
  auto *space = dyn_cast<clang::NamespaceDecl>(&declaration);
  return space && space->getName() == Namespace;
}

std::vector<std::pair<unsigned, const clang::FunctionDecl *>> instantiateRequested(clang::Sema &sema,
                                                                                   const clang::Decl &declaration) {
  std::vector<std::pair<unsigned, const clang::FunctionDecl *>> found;
  for (const clang::Decl *inner : clang::cast<clang::NamespaceDecl>(declaration).decls()) {
    auto *alias = dyn_cast<clang::TypedefNameDecl>(inner);
    auto *type = alias ? alias->getUnderlyingType()->getAs<clang::DecltypeType>() : nullptr;
    auto *address = type ? dyn_cast<clang::UnaryOperator>(type->getUnderlyingExpr()->IgnoreParenImpCasts()) : nullptr;
    auto *named = address ? dyn_cast<clang::DeclRefExpr>(address->getSubExpr()->IgnoreParenImpCasts()) : nullptr;
    auto *function = named ? dyn_cast<clang::FunctionDecl>(named->getDecl()) : nullptr;
    unsigned number = 0;
    if (!function || alias->getName().rsplit('_').second.getAsInteger(10, number))
      continue;
    found.push_back({number, function});
    if (function->isDefined() || !function->getTemplateInstantiationPattern())
      continue;
    sema.InstantiateFunctionDefinition(function->getLocation(), const_cast<clang::FunctionDecl *>(function),
                                       /*Recursive=*/true, /*DefinitionRequired=*/false, /*AtEndOfTU=*/true);
    sema.PerformPendingInstantiations();
  }
  return found;
}

} // namespace gpuad::frontend
