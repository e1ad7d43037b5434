//===- TemplateHeader.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/TemplateHeader.h"

#include "support/Text.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuad::emit {

using llvm::StringRef;

/// The text between the first < and its end, which is the last > of the text.
static StringRef insideBrackets(StringRef text) {
  size_t open = text.find('<'), close = text.rfind('>');
  return open == StringRef::npos || close == StringRef::npos ? StringRef() : text.slice(open + 1, close);
}

std::vector<std::string> splitArguments(StringRef arguments) {
  return splitAtCommas(insideBrackets(arguments));
}

std::vector<TemplateParameter> parseTemplateHeader(StringRef header) {
  std::vector<TemplateParameter> parameters;
  for (const std::string &part : splitAtCommas(insideBrackets(header))) {
    TemplateParameter parameter;
    int depth = 0;
    size_t end = 0;
    for (; end < part.size() && !(part[end] == '=' && depth == 0); ++end)
      depth += StringRef("<([").contains(part[end]) - StringRef(">)]").contains(part[end]);
    StringRef text = StringRef(part).take_front(end).rtrim();
    size_t nameStart = text.size();
    while (nameStart > 0 && (llvm::isAlnum(text[nameStart - 1]) || text[nameStart - 1] == '_'))
      --nameStart;
    StringRef name = text.substr(nameStart), before = text.take_front(nameStart).rtrim();
    parameter.isType = text.starts_with("class") || text.starts_with("typename");
    if (before.empty()) // "class" or "int" alone: no name
      before = text, name = StringRef();
    parameter.name = name.empty() ? "Arg" + std::to_string(parameters.size() + 1) : name.str();
    parameter.text = before.str() + (before.ends_with(".") ? "" : " ") + parameter.name;
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::string printTemplateHeader(const std::vector<TemplateParameter> &parameters) {
  std::string text;
  for (const TemplateParameter &parameter : parameters)
    text += (text.empty() ? "" : ", ") + parameter.text;
  return "template <" + text + ">";
}

std::string printOwnArguments(const std::vector<TemplateParameter> &parameters) {
  std::string text;
  for (const TemplateParameter &parameter : parameters)
    text += (text.empty() ? "" : ", ") + parameter.name;
  return "<" + text + ">";
}

std::string printInstanceTest(const std::vector<TemplateParameter> &parameters,
                              const std::vector<std::string> &arguments) {
  std::string text;
  for (size_t i = 0; i < parameters.size() && i < arguments.size(); ++i) {
    const TemplateParameter &parameter = parameters[i];
    text += text.empty() ? "" : " && ";
    text += parameter.isType ? "std::is_same_v<" + parameter.name + ", " + arguments[i] + ">"
                             : parameter.name + " == " + arguments[i];
  }
  return text;
}

} // namespace gpuad::emit
