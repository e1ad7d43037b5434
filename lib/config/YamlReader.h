//===- YamlReader.h - YAML nodes, read strictly ----------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// yaml-cpp accepts two equal keys and converts scalars freely. This wrapper walks
/// nodes itself, reads every scalar as text, and reports what does not fit with
/// file, line and column.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_CONFIG_YAMLREADER_H
#define GPUAD_CONFIG_YAMLREADER_H

#include "support/Diagnostics.h"
#include "yaml-cpp/yaml.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <set>

namespace gpuad::config {

class YamlReader {
public:
  YamlReader(const std::string &path, DiagnosticSink &sink)
      : file(std::make_shared<const std::string>(path)), sink(sink) {}

  /// The document in `text`, or none after reporting why it is no YAML.
  std::optional<YAML::Node> parse(const std::string &text) {
    try {
      return YAML::Load(text);
    } catch (const YAML::Exception &error) {
      diag::report(sink, diag::Id::YamlSyntax, range(error.mark), error.msg);
      return std::nullopt;
    }
  }

  SourceRange range(const YAML::Mark &mark, unsigned shift = 0) const {
    SourceRange place;
    place.file = file;
    bool known = !mark.is_null();
    place.line = known ? static_cast<unsigned>(mark.line) + 1 : 1;
    place.column = known ? static_cast<unsigned>(mark.column) + 1 + shift : 1;
    place.offset = known ? static_cast<unsigned>(mark.pos) + shift : 0;
    return place;
  }
  SourceRange range(const YAML::Node &node) const { return range(node.Mark()); }

  /// Visits the entries of a map in order. False after reporting that `node` is no
  /// map; doubled and non-text keys are reported and skipped.
  bool forEachEntry(
      const YAML::Node &node, const std::string &what,
      llvm::function_ref<void(const std::string &key, const YAML::Node &keyNode, const YAML::Node &value)> visit) {
    if (!node.IsMap())
      return wrongType(node, what, "a map");
    std::set<std::string> seen;
    for (const auto &entry : node) {
      if (!entry.first.IsScalar()) {
        wrongType(entry.first, "a key of " + what, "text");
        continue;
      }
      const std::string &key = entry.first.Scalar();
      if (seen.insert(key).second)
        visit(key, entry.first, entry.second);
      else
        diag::report(sink, diag::Id::YamlDoubleKey, range(entry.first), key, what);
    }
    return true;
  }

  void unknownKey(const YAML::Node &keyNode, const std::string &what, const std::string &known) {
    diag::report(sink, diag::Id::YamlUnknownKey, range(keyNode), keyNode.Scalar(), what, known);
  }

  bool wrongType(const YAML::Node &node, const std::string &what, const std::string &wanted) {
    diag::report(sink, diag::Id::YamlWrongType, range(node), what, wanted);
    return false;
  }

  std::optional<std::string> text(const YAML::Node &node, const std::string &what) {
    if (node.IsScalar())
      return node.Scalar();
    wrongType(node, what, "text");
    return std::nullopt;
  }

  std::optional<bool> truth(const YAML::Node &node, const std::string &what) {
    if (node.IsScalar() && (node.Scalar() == "true" || node.Scalar() == "false"))
      return node.Scalar() == "true";
    wrongType(node, what, "true or false");
    return std::nullopt;
  }

  std::optional<double> number(const YAML::Node &node, const std::string &what) {
    if (node.IsScalar() && !node.Scalar().empty()) {
      char *end = nullptr;
      double value = std::strtod(node.Scalar().c_str(), &end);
      if (*end == 0)
        return value;
    }
    wrongType(node, what, "a number");
    return std::nullopt;
  }

  /// The elements of a list; also none after reporting.
  std::vector<YAML::Node> list(const YAML::Node &node, const std::string &what) {
    std::vector<YAML::Node> elements;
    if (!node.IsSequence()) {
      wrongType(node, what, "a list");
      return elements;
    }
    for (const YAML::Node &element : node)
      elements.push_back(element);
    return elements;
  }

  std::vector<std::string> textList(const YAML::Node &node, const std::string &what) {
    std::vector<std::string> texts;
    for (const YAML::Node &element : list(node, what))
      if (auto value = text(element, "an element of " + what))
        texts.push_back(*value);
    return texts;
  }

  DiagnosticSink &diagnostics() { return sink; }

private:
  std::shared_ptr<const std::string> file;
  DiagnosticSink &sink;
};

} // namespace gpuad::config

#endif // GPUAD_CONFIG_YAMLREADER_H
