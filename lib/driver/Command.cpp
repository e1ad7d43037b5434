//===- Command.cpp --------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Command.h"

#include "driver/CheckRules.h"
#include "driver/WriteFiles.h"
#include "gpuad/Translate.h"
#include "support/BuildConfig.h"
#include "support/DiagnosticOutput.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuad {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {
/// Text is printed as it comes; the other formats are one document at the end.
class ConsoleSink final : public DiagnosticSink {
public:
  explicit ConsoleSink(DiagnosticFormat format) : format(format) {}
  void finish() {
    if (format == DiagnosticFormat::Json)
      llvm::errs() << formatJson(kept);
    else if (format == DiagnosticFormat::Sarif)
      llvm::errs() << formatSarif(kept, VersionString);
    else
      llvm::errs() << formatCount(warningCount(), errorCount());
  }

  std::string input; ///< now at work: what has no place of its own speaks of it

protected:
  void take(Diagnostic diagnostic) override {
    if (diagnostic.severity == Severity::Error && !diagnostic.range.isValid() && !input.empty()) {
      diagnostic.range.file = std::make_shared<const std::string>(input);
      diagnostic.range.line = diagnostic.range.column = 1;
    }
    if (format == DiagnosticFormat::Text)
      llvm::errs() << formatText(diagnostic, lines);
    else
      kept.push_back(std::move(diagnostic));
  }

private:
  DiagnosticFormat format;
  SourceLines lines;
  std::vector<Diagnostic> kept;
};
} // namespace

/// What --dump-after may name: the first is printed by translate(), the second by transform::runPipeline().
static const std::vector<std::string> DumpStages = {"frontend", "derivatives"};

ExitStatus reportBadUsage(const std::string &problem) {
  llvm::errs() << "gpuad-translate: error: " << problem << "\n";
  return ExitStatus::BadUsage;
}

/// FILE_grad.cu beside FILE.cu, or in the folder of -o when there are several inputs.
static std::string outputFor(const Options &options, const std::string &input, bool isFolder) {
  if (!options.output.empty() && !isFolder)
    return options.output;
  llvm::SmallString<256> place(isFolder ? options.output : path::parent_path(input).str());
  path::append(place, path::stem(input) + "_grad" + path::extension(input));
  return std::string(place);
}

std::string findContradiction(const Command &command) {
  const Options &options = command.options;
  bool writesMore = !options.header.empty() || !options.depfile.empty() || !options.report.empty();
  if (command.checkRules)
    return command.inputs.empty() ? "" : "--check-rules looks at rules alone and takes no input";
  if (command.inputs.empty())
    return "no input; usage: gpuad-translate [options] FILE.cu [-o OUT.cu] [-- COMPILER-FLAGS]";
  if (options.checkOnly && writesMore)
    return "--check writes nothing, so it cannot go with --header, --report or --depfile";
  if (!options.dumpAfter.empty() && !llvm::is_contained(DumpStages, options.dumpAfter))
    return "there is no stage '" + options.dumpAfter + "' to dump after; the stages are " +
           llvm::join(DumpStages, ", ");
  if (options.roundTrip && (!options.requests.empty() || options.checkOnly))
    return "--round-trip differentiates nothing, so it cannot go with --adjoint, --tangent or --check";
  if (options.hasCompilerFlags && !options.databaseFolder.empty())
    return "-p takes the flags from a compile_commands.json, so it cannot go with flags after '--'";
  if (!options.depfile.empty() && options.output == "-")
    return "--depfile names the output as its target, so it cannot go with '-o -'";
  if (command.inputs.size() > 1 && writesMore)
    return "--header, --report and --depfile are for one input";
  if (command.inputs.size() > 1 && options.output == "-")
    return "with several inputs, -o names a folder";
  for (const std::string &input : command.inputs)
    if (fs::equivalent(input, outputFor(options, input, command.inputs.size() > 1)))
      return "the output would take the place of its input '" + input + "'";
  return {};
}

/// Everything that one input gives, written at once.
static std::string writeResults(const Options &options, const TranslateResult &result, const std::string &output) {
  std::vector<FileToWrite> files;
  if (!options.checkOnly && (options.dumpAfter.empty() || !options.output.empty()))
    files.push_back({output, result.text});
  if (!options.header.empty())
    files.push_back({options.header, result.header});
  if (!options.report.empty())
    files.push_back({options.report, result.report});
  if (!options.depfile.empty())
    files.push_back({options.depfile, makeRule(output, result.dependencies)});
  return writeFiles(files);
}

static ExitStatus translateOne(Options options, const std::string &input, bool isFolder, ConsoleSink &sink) {
  options.input = sink.input = input;
  std::string output = outputFor(options, input, isFolder);
  TranslateResult result = translate(options, sink);
  llvm::outs() << result.dump;
  if (!result.ok)
    return ExitStatus::Refused;
  std::string problem = writeResults(options, result, output);
  return problem.empty() ? ExitStatus::Done : reportBadUsage(problem);
}

ExitStatus run(const Command &command) {
  ConsoleSink sink(command.format);
  ExitStatus worst = ExitStatus::Done;
  if (command.checkRules) {
    unsigned compared = checkRuleFiles(command.options, sink);
    if (sink.errorCount())
      worst = ExitStatus::Refused;
    else
      llvm::outs() << compared << " rules agree with differences\n";
  }
  bool isFolder = command.inputs.size() > 1 && !command.options.output.empty();
  if (isFolder)
    if (std::error_code code = fs::create_directories(command.options.output))
      return reportBadUsage("cannot make the folder '" + command.options.output + "': " + code.message());
  for (size_t i = 0; i < command.inputs.size(); ++i) {
    const std::string &input = command.inputs[i];
    bool tells = command.showProgress && command.inputs.size() > 1;
    if (tells)
      llvm::errs() << "[" << i + 1 << "/" << command.inputs.size() << "] " << input << "\n";
    worst = std::max(worst, translateOne(command.options, input, isFolder, sink));
  }
  sink.finish();
  return worst;
}

} // namespace gpuad
