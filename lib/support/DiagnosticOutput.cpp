//===- DiagnosticOutput.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/DiagnosticOutput.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace gpuad {

std::optional<llvm::StringRef> SourceLines::line(const std::string &file, unsigned number) {
  auto [entry, isNew] = files.try_emplace(file);
  if (isNew)
    if (auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false))
      entry->second = std::move(*buffer);
  if (!entry->second || number == 0)
    return std::nullopt;
  llvm::StringRef rest = entry->second->getBuffer();
  for (unsigned i = 1; i < number; ++i) {
    size_t end = rest.find('\n');
    if (end == llvm::StringRef::npos)
      return std::nullopt;
    rest = rest.drop_front(end + 1);
  }
  return rest.take_until([](char c) { return c == '\n'; }).rtrim('\r');
}

static const char *spelled(Severity severity) {
  static const char *const Spellings[] = {"note", "remark", "warning", "error"};
  return Spellings[static_cast<unsigned>(severity)];
}

/// The line with tabs as blanks, and the column on screen of each of its bytes.
static std::string expandTabs(llvm::StringRef line, std::vector<size_t> &columns) {
  std::string text;
  size_t column = 0;
  for (char c : line) {
    columns.push_back(column);
    bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80; // of a character in UTF-8
    if (c == '\t') {
      size_t next = (column / 8 + 1) * 8;
      text.append(next - column, ' ');
      column = next;
      continue;
    }
    text += c;
    column += !continues;
  }
  columns.push_back(column);
  return text;
}

static std::string snippet(const SourceRange &range, SourceLines &lines) {
  std::optional<llvm::StringRef> line = lines.line(*range.file, range.line);
  if (!line || range.column == 0)
    return {};
  std::vector<size_t> columns;
  std::string shown = expandTabs(*line, columns);
  size_t first = std::min<size_t>(range.column - 1, line->size());
  size_t last = std::min<size_t>(first + std::max(range.length, 1u), line->size());
  std::string marks(columns[first], ' ');
  marks += '^';
  if (last > first && columns[last] > columns[first] + 1)
    marks.append(columns[last] - columns[first] - 1, '~');
  std::string number = std::to_string(range.line);
  std::string margin(number.size() < 5 ? 5 - number.size() : 0, ' ');
  return margin + number + " | " + shown + "\n" + std::string(std::max<size_t>(5, number.size()), ' ') + " | " + marks +
         "\n";
}

std::string formatText(const Diagnostic &diagnostic, SourceLines &lines) {
  std::string text;
  const SourceRange &range = diagnostic.range;
  if (range.isValid())
    text = *range.file + ":" + std::to_string(range.line) + ":" + std::to_string(std::max(range.column, 1u)) + ": ";
  text += std::string(spelled(diagnostic.severity)) + ": " + diagnostic.message;
  if (!diagnostic.slug.empty())
    text += " [gpuad-" + diagnostic.slug + "]";
  text += "\n";
  if (range.isValid())
    text += snippet(range, lines);
  for (const Diagnostic &note : diagnostic.notes)
    text += formatText(note, lines);
  return text;
}

/// Names and quoted source come from the user and need not be UTF-8.
static std::string utf8(const std::string &text) {
  return llvm::json::isUTF8(text) ? text : llvm::json::fixUTF8(text);
}

static llvm::json::Object toJson(const Diagnostic &diagnostic) {
  llvm::json::Object object{{"severity", spelled(diagnostic.severity)}, {"message", utf8(diagnostic.message)}};
  if (!diagnostic.slug.empty())
    object["id"] = "gpuad-" + diagnostic.slug;
  if (diagnostic.range.isValid()) {
    object["file"] = utf8(*diagnostic.range.file);
    object["line"] = diagnostic.range.line;
    object["column"] = std::max(diagnostic.range.column, 1u);
    object["offset"] = diagnostic.range.offset;
    object["length"] = diagnostic.range.length;
  }
  if (!diagnostic.notes.empty()) {
    llvm::json::Array notes;
    for (const Diagnostic &note : diagnostic.notes)
      notes.push_back(toJson(note));
    object["notes"] = std::move(notes);
  }
  return object;
}

static std::string print(llvm::json::Value document) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << llvm::formatv("{0:2}", document) << "\n";
  return text;
}

std::string formatJson(const std::vector<Diagnostic> &diagnostics) {
  llvm::json::Array all;
  for (const Diagnostic &diagnostic : diagnostics)
    all.push_back(toJson(diagnostic));
  return print(llvm::json::Object{{"diagnostics", std::move(all)}});
}

static llvm::json::Array sarifLocations(const SourceRange &range) {
  if (!range.isValid())
    return {};
  llvm::json::Object region{{"startLine", range.line}, {"startColumn", std::max(range.column, 1u)}};
  if (range.length) {
    region["byteOffset"] = range.offset;
    region["byteLength"] = range.length;
  }
  llvm::json::Object artifact{{"uri", utf8(*range.file)}};
  llvm::json::Object physical{{"artifactLocation", std::move(artifact)}, {"region", std::move(region)}};
  llvm::json::Array places;
  places.push_back(llvm::json::Object{{"physicalLocation", std::move(physical)}});
  return places;
}

static const char *sarifLevel(Severity severity) {
  if (severity == Severity::Error)
    return "error";
  return severity == Severity::Warning ? "warning" : "note";
}

static llvm::json::Object sarifResult(const Diagnostic &diagnostic) {
  llvm::json::Object result{{"ruleId", "gpuad-" + diagnostic.slug},
                            {"level", sarifLevel(diagnostic.severity)},
                            {"message", llvm::json::Object{{"text", utf8(diagnostic.message)}}},
                            {"locations", sarifLocations(diagnostic.range)}};
  llvm::json::Array related;
  for (const Diagnostic &note : diagnostic.notes) {
    llvm::json::Array places = sarifLocations(note.range);
    llvm::json::Object place = places.empty() ? llvm::json::Object() : *places[0].getAsObject();
    place["message"] = llvm::json::Object{{"text", utf8(note.message)}};
    related.push_back(std::move(place));
  }
  if (!related.empty())
    result["relatedLocations"] = std::move(related);
  return result;
}

std::string formatSarif(const std::vector<Diagnostic> &diagnostics, const std::string &version) {
  std::set<std::string> slugs;
  llvm::json::Array results, rules;
  for (const Diagnostic &diagnostic : diagnostics) {
    results.push_back(sarifResult(diagnostic));
    slugs.insert(diagnostic.slug);
  }
  for (const std::string &slug : slugs)
    rules.push_back(llvm::json::Object{{"id", "gpuad-" + slug}});
  llvm::json::Object driver{{"name", "gpuad-translate"}, {"version", version}, {"rules", std::move(rules)}};
  llvm::json::Object run{{"tool", llvm::json::Object{{"driver", std::move(driver)}}}, {"results", std::move(results)}};
  return print(llvm::json::Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                                  {"version", "2.1.0"},
                                  {"runs", llvm::json::Array{std::move(run)}}});
}

std::string formatCount(unsigned warnings, unsigned errors) {
  auto counted = [](unsigned count, const char *what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  if (!warnings && !errors)
    return {};
  std::string text = warnings ? counted(warnings, "warning") : "";
  if (errors)
    text += (text.empty() ? "" : " and ") + counted(errors, "error");
  return text + " generated.\n";
}

} // namespace gpuad
