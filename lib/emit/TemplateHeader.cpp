//===- TemplateHeader.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/TemplateHeader.h"

#include "support/Text.h"

namespace gpuad::emit {

using ir::TemplateParameter;
using llvm::StringRef;

std::vector<std::string> splitArguments(StringRef arguments) {
  size_t open = arguments.find('<'), close = arguments.rfind('>');
  return splitAtCommas(open == StringRef::npos || close == StringRef::npos ? StringRef()
                                                                           : arguments.slice(open + 1, close));
}

std::string printTemplateHeader(const TemplateParameters &parameters, bool withDefaults) {
  std::string text;
  for (const TemplateParameter &parameter : parameters) {
    text += (text.empty() ? "" : ", ") + parameter.text;
    if (withDefaults && !parameter.defaultArgument.empty())
      text += " = " + parameter.defaultArgument;
  }
  return "template <" + text + ">";
}

std::string printOwnArguments(const TemplateParameters &parameters) {
  std::string text;
  for (const TemplateParameter &parameter : parameters)
    text += (text.empty() ? "" : ", ") + parameter.name;
  return "<" + text + ">";
}

std::string printInstanceTest(const TemplateParameters &parameters, const std::vector<std::string> &arguments) {
  std::string text;
  for (size_t i = 0; i < parameters.size() && i < arguments.size(); ++i) {
    const std::string &name = parameters[i].name;
    text += text.empty() ? "" : " && ";
    switch (parameters[i].kind) {
    case TemplateParameter::Type:
      text += "std::is_same_v<" + name + ", " + arguments[i] + ">";
      break;
    case TemplateParameter::Template:
      text += "gpuad::is_same_template<" + name + ", " + arguments[i] + ">";
      break;
    case TemplateParameter::Value:
      text += name + " == " + arguments[i];
      break;
    }
  }
  return text;
}

} // namespace gpuad::emit
