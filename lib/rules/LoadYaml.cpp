//===- LoadYaml.cpp - reading one rule file -------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rules/LoadYaml.h"

#include "config/YamlReader.h"
#include "rules/Formula.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace gpuad::rules {

using config::YamlReader;

template <class T> using Names = std::vector<std::pair<const char *, T>>;

static const Names<RuleKind> Kinds = {{"atomic", RuleKind::Atomic},
                                      {"barrier", RuleKind::Barrier},
                                      {"collective", RuleKind::Collective},
                                      {"compose", RuleKind::Compose},
                                      {"construct", RuleKind::Construct},
                                      {"expand", RuleKind::Expand},
                                      {"fence", RuleKind::Fence},
                                      {"forbidden", RuleKind::Forbidden},
                                      {"group", RuleKind::Group},
                                      {"inactive", RuleKind::Inactive},
                                      {"library", RuleKind::Library},
                                      {"load", RuleKind::Load},
                                      {"memory", RuleKind::Memory},
                                      {"part", RuleKind::Part},
                                      {"pure", RuleKind::Pure},
                                      {"store", RuleKind::Store},
                                      {"undo", RuleKind::Undo}};
static const Names<AtomicOp> AtomicOps = {{"add", AtomicOp::Add},
                                          {"compare_swap", AtomicOp::CompareSwap},
                                          {"exchange", AtomicOp::Exchange},
                                          {"integer", AtomicOp::IntegerOnly},
                                          {"max", AtomicOp::Max},
                                          {"min", AtomicOp::Min},
                                          {"sub", AtomicOp::Sub}};
static const Names<TypeClass> TypeClasses = {
    {"bfloat16", TypeClass::BFloat16}, {"double", TypeClass::Double},   {"float", TypeClass::Float},
    {"floating", TypeClass::Floating}, {"half", TypeClass::Half},       {"integer", TypeClass::Integer},
    {"number", TypeClass::Number},     {"pointer", TypeClass::Pointer}, {"record", TypeClass::Record}};
static const Names<ThreadPlace> ThreadPlaces = {{"block", ThreadPlace::Block},
                                                {"lane", ThreadPlace::Lane},
                                                {"same", ThreadPlace::Same},
                                                {"thread", ThreadPlace::Thread},
                                                {"tile", ThreadPlace::Tile}};
static const Names<Singularity> Singularities = {
    {"not_positive", Singularity::NotPositive}, {"overflow", Singularity::Overflow}, {"pole", Singularity::Pole}};

template <class T> static std::string listOf(const Names<T> &names) {
  std::string text;
  for (const auto &[name, value] : names)
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

namespace {

/// Reads one entry of `rules:`. Formulas are parsed last, when the parameters and
/// the lets are known whatever the order of the keys.
class RuleReader {
public:
  RuleReader(YamlReader &reader) : reader(reader), rule(std::make_unique<Rule>()) {}

  std::unique_ptr<Rule> read(const YAML::Node &node);

private:
  YamlReader &reader;
  std::unique_ptr<Rule> rule;
  std::string what = "a rule";
  YAML::Node kind, params, domain, singular, let, partials, expansion, simplify, value, inverse;
  YAML::Node active;

  void readKey(const std::string &key, const YAML::Node &keyNode, const YAML::Node &node);
  bool readTextKey(const std::string &key, const YAML::Node &node);
  bool readSpellingKey(const std::string &key, const YAML::Node &node);
  void readParams();
  void readParam(const YAML::Node &node);
  void readEffects(const YAML::Node &node);
  void readParamMaps();
  void readFormulas();
  void requireKeys(const YAML::Node &node);
  RuleParam *param(const std::string &name, const YAML::Node &at);
  FormulaRef formula(const YAML::Node &node, const std::string &of, bool withResult, bool withParams = true);

  template <class T> std::optional<T> choice(const YAML::Node &node, const std::string &of, const Names<T> &names) {
    auto text = reader.text(node, of);
    for (const auto &[name, value] : names)
      if (text && *text == name)
        return value;
    if (text)
      reader.wrongType(node, of, "one of " + listOf(names));
    return std::nullopt;
  }
};

} // namespace

std::unique_ptr<Rule> RuleReader::read(const YAML::Node &node) {
  unsigned before = reader.diagnostics().errorCount();
  rule->range = reader.range(node);
  if (node.IsMap())
    for (const auto &entry : node)
      if (entry.first.IsScalar() && entry.second.IsScalar() && entry.first.Scalar() == "name")
        what = "rule '" + entry.second.Scalar() + "'";
  reader.forEachEntry(node, what, [&](const std::string &key, const YAML::Node &keyNode, const YAML::Node &value) {
    readKey(key, keyNode, value);
  });
  if (kind.IsDefined() && !kind.IsNull())
    rule->kind = choice(kind, "the kind of " + what, Kinds).value_or(RuleKind::Pure);
  readParams();
  readParamMaps();
  readFormulas();
  requireKeys(node);
  return reader.diagnostics().errorCount() == before ? std::move(rule) : nullptr;
}

bool RuleReader::readTextKey(const std::string &key, const YAML::Node &node) {
  std::string *target = key == "name"        ? &rule->name
                        : key == "transpose" ? &rule->transpose
                        : key == "tangent"   ? &rule->tangent
                        : key == "note"      ? &rule->note
                        : key == "unchecked" ? &rule->unchecked
                                             : nullptr;
  if (!target)
    return false;
  *target = reader.text(node, "'" + key + "'").value_or("");
  return true;
}

bool RuleReader::readSpellingKey(const std::string &key, const YAML::Node &node) {
  Spelling spelling;
  spelling.isFast = key == "fast";
  if (key == "float" || key == "fast")
    spelling.precision = Precision::Float;
  else if (key == "double")
    spelling.precision = Precision::Double;
  else if (key != "match")
    return false;
  for (std::string &name : reader.textList(node, "'" + key + "'")) {
    spelling.name = std::move(name);
    rule->match.push_back(spelling.name);
    rule->spellings.push_back(spelling);
  }
  return true;
}

void RuleReader::readKey(const std::string &key, const YAML::Node &keyNode, const YAML::Node &node) {
  if (readTextKey(key, node) || readSpellingKey(key, node))
    return;
  // Kept for later: they need the parameters.
  std::pair<const char *, YAML::Node *> kept[] = {
      {"active", &active},     {"domain", &domain},     {"expansion", &expansion}, {"inverse", &inverse},
      {"kind", &kind},         {"let", &let},           {"params", &params},       {"partials", &partials},
      {"simplify", &simplify}, {"singular", &singular}, {"value", &value}};
  for (auto &[name, target] : kept)
    if (key == name) {
      target->reset(node);
      return;
    }
  if (key == "atomic") {
    rule->atomicOp = choice(node, "'atomic'", AtomicOps).value_or(AtomicOp::None);
  } else if (key == "bits") {
    rule->bits = choice<Bits>(node, "'bits'", {{"of_number", Bits::OfNumber}, {"to_number", Bits::ToNumber}})
                     .value_or(Bits::None);
  } else if (key == "effects") {
    readEffects(node);
  } else if (key == "exec") {
    auto where = choice<int>(node, "'exec'", {{"any", 0}, {"device", 1}, {"host", 2}}).value_or(0);
    rule->deviceOnly = where == 1;
    rule->hostOnly = where == 2;
  } else if (key == "given") {
    rule->given = reader.textList(node, "'given'");
  } else if (key == "headers") {
    rule->headers = reader.textList(node, "'headers'");
  } else if (key == "place") {
    rule->place = choice(node, "'place'", ThreadPlaces).value_or(ThreadPlace::Unknown);
  } else if (key == "idle") {
    if (auto number = reader.number(node, "'idle'"))
      rule->idle = static_cast<int64_t>(*number);
  } else if (key == "result") {
    rule->integerResult = choice<bool>(node, "'result'", {{"floating", false}, {"integer", true}}).value_or(false);
  } else if (key == "selects") {
    rule->selects =
        choice<Selection>(node, "'selects'", {{"largest", Selection::Largest}, {"smallest", Selection::Smallest}})
            .value_or(Selection::None);
  } else if (key == "scope") {
    rule->ofBlock = choice<bool>(node, "'scope'", {{"block", true}, {"warp", false}}).value_or(false);
  } else if (key == "variadic") {
    rule->isVariadic = reader.truth(node, "'variadic'").value_or(false);
  } else {
    reader.unknownKey(
        keyNode, what,
        "active, atomic, bits, domain, double, effects, exec, expansion, fast, float, given, headers, idle, inverse, "
        "kind, let, match, name, note, params, partials, place, result, scope, selects, simplify, singular, tangent, "
        "transpose, unchecked, value, variadic");
  }
}

void RuleReader::readParams() {
  if (!params.IsDefined() || params.IsNull())
    return;
  for (const YAML::Node &node : reader.list(params, "'params'"))
    readParam(node);
  for (size_t i = 0; i < rule->params.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (rule->params[i].name == rule->params[k].name)
        diag::report(reader.diagnostics(), diag::Id::YamlDoubleKey, reader.range(params[i]), rule->params[i].name,
                     "'params'");
}

void RuleReader::readParam(const YAML::Node &node) {
  RuleParam param;
  if (node.IsScalar()) {
    param.name = node.Scalar();
  } else {
    auto entry = [&](const std::string &key, const YAML::Node &keyNode, const YAML::Node &value) {
      if (key == "name")
        param.name = reader.text(value, "the name of a parameter").value_or("");
      else if (key == "default")
        param.defaultValue = reader.text(value, "'default'").value_or("");
      else if (key == "output")
        param.isOutput = reader.truth(value, "'output'").value_or(false);
      else if (key == "type")
        param.type = choice(value, "'type'", TypeClasses).value_or(TypeClass::Any);
      else if (key == "class")
        param.classes = reader.textList(value, "'class'");
      else
        reader.unknownKey(keyNode, "a parameter", "class, default, name, output, type");
    };
    if (!reader.forEachEntry(node, "a parameter", entry))
      return;
  }
  if (param.name.empty() || param.name == "ret" || param.name == "select")
    reader.wrongType(node, "a parameter", "a name other than ret and select");
  rule->params.push_back(param);
}

void RuleReader::readEffects(const YAML::Node &node) {
  Effects &effects = rule->effects;
  reader.forEachEntry(node, "'effects'",
                      [&](const std::string &key, const YAML::Node &keyNode, const YAML::Node &value) {
                        if (key == "reads")
                          effects.reads = reader.textList(value, "'reads'");
                        else if (key == "writes")
                          effects.writes = reader.textList(value, "'writes'");
                        else if (key == "order")
                          effects.order = reader.text(value, "'order'").value_or("");
                        else if (key == "io")
                          effects.io = reader.truth(value, "'io'").value_or(false);
                        else if (key == "volatile")
                          effects.isVolatile = reader.truth(value, "'volatile'").value_or(false);
                        else
                          reader.unknownKey(keyNode, "'effects'", "io, order, reads, volatile, writes");
                      });
}

RuleParam *RuleReader::param(const std::string &name, const YAML::Node &at) {
  for (RuleParam &param : rule->params)
    if (param.name == name)
      return &param;
  diag::report(reader.diagnostics(), diag::Id::RuleUnknownParam, reader.range(at), what, name);
  return nullptr;
}

void RuleReader::readParamMaps() {
  if (domain.IsDefined() && !domain.IsNull())
    reader.forEachEntry(domain, "'domain'", [&](const std::string &key, const YAML::Node &at, const YAML::Node &value) {
      RuleParam *target = param(key, at);
      std::vector<YAML::Node> bounds = reader.list(value, "a domain");
      if (bounds.size() != 2) {
        reader.wrongType(value, "a domain", "a list of two numbers");
        return;
      }
      auto low = reader.number(bounds[0], "a bound"), high = reader.number(bounds[1], "a bound");
      if (target && low && high) {
        target->domain = {*low, *high};
        target->hasDomain = true;
      }
    });
  if (singular.IsDefined() && !singular.IsNull())
    reader.forEachEntry(singular, "'singular'",
                        [&](const std::string &key, const YAML::Node &at, const YAML::Node &value) {
                          auto chosen = choice(value, "a singularity", Singularities);
                          if (RuleParam *target = param(key, at); target && chosen)
                            target->singularity = *chosen;
                        });
  if (active.IsDefined() && !active.IsNull())
    for (const YAML::Node &node : reader.list(active, "'active'"))
      if (auto name = reader.text(node, "an element of 'active'"); name && param(*name, node))
        rule->active.push_back(*name);
}

FormulaRef RuleReader::formula(const YAML::Node &node, const std::string &of, bool withResult, bool withParams) {
  auto text = reader.text(node, of);
  if (!text)
    return nullptr;
  FormulaScope scope;
  scope.result = withResult;
  if (withParams) {
    for (const RuleParam &param : rule->params)
      if (rule->kind == RuleKind::Compose && param.type == TypeClass::Record)
        for (const char *part : PartNames)
          scope.params.push_back(param.name + "." + part);
      else
        scope.params.push_back(param.name);
    if (rule->kind == RuleKind::Group)
      scope.params.insert(scope.params.end(), GroupNames.begin(), GroupNames.end());
    for (const auto &[name, bound] : rule->lets)
      scope.lets.push_back(name);
  }
  FormulaError error;
  FormulaRef parsed = parseFormula(*text, scope, error);
  if (!parsed) {
    bool isQuoted = node.Tag() == "!";
    SourceRange range = reader.range(node.Mark(), error.column + isQuoted);
    diag::report(reader.diagnostics(), diag::Id::RuleFormula, range, of, error.text);
  }
  return parsed;
}

void RuleReader::readFormulas() {
  auto each = [&](const YAML::Node &node, const std::string &of, auto visit) {
    if (node.IsDefined() && !node.IsNull())
      reader.forEachEntry(node, of, visit);
  };
  each(let, "'let'", [&](const std::string &key, const YAML::Node &, const YAML::Node &node) {
    if (FormulaRef parsed = formula(node, "'" + key + "'", true))
      rule->lets.emplace_back(key, parsed);
  });
  each(partials, "'partials'", [&](const std::string &key, const YAML::Node &at, const YAML::Node &node) {
    FormulaRef parsed = formula(node, "the partial by '" + key + "'", true);
    if (parsed && param(key, at))
      rule->partials[key] = parsed;
  });
  each(expansion, "'expansion'", [&](const std::string &key, const YAML::Node &at, const YAML::Node &node) {
    FormulaRef parsed = formula(node, "the expansion of '" + key + "'", false);
    bool isPart = rule->kind == RuleKind::Compose &&
                  llvm::any_of(PartNames, [&](const char *part) { return key == std::string("ret.") + part; });
    if (parsed && (key == "ret" || isPart || param(key, at)))
      rule->expansion.emplace_back(key, parsed);
  });
  each(simplify, "'simplify'", [&](const std::string &key, const YAML::Node &at, const YAML::Node &node) {
    FormulaRef condition = formula(at, "a condition", false), form = formula(node, "a simpler form", false);
    if (condition && form)
      rule->simplify.emplace_back(condition, form);
    (void)key;
  });
  if (value.IsDefined() && !value.IsNull())
    rule->value = formula(value, "'value'", false);
  if (inverse.IsDefined() && !inverse.IsNull())
    rule->inverse = formula(inverse, "'inverse'", true, false);
}

void RuleReader::requireKeys(const YAML::Node &node) {
  auto missing = [&](const char *key) {
    diag::report(reader.diagnostics(), diag::Id::RuleMissingKey, reader.range(node), what, key);
  };
  if (rule->name.empty())
    missing("name");
  if (rule->match.empty())
    missing("match");
  bool isBare = rule->kind == RuleKind::Inactive || rule->kind == RuleKind::Forbidden ||
                rule->kind == RuleKind::Barrier || rule->kind == RuleKind::Fence;
  if (!isBare && (!params.IsDefined() || params.IsNull()))
    missing("params");
  if ((rule->kind == RuleKind::Compose || rule->kind == RuleKind::Expand || rule->kind == RuleKind::Group) &&
      rule->expansion.empty())
    missing("expansion");
  if (rule->kind == RuleKind::Atomic && rule->atomicOp == AtomicOp::None)
    missing("atomic");
  if (rule->kind == RuleKind::Forbidden && rule->note.empty())
    missing("note");
}

/// Two rules of one file may share a spelling only if their parameter types tell
/// them apart.
static bool overlap(const Rule &a, const Rule &b) {
  if (a.params.size() != b.params.size() && !a.params.empty() && !b.params.empty())
    return false;
  for (size_t i = 0; i < std::min(a.params.size(), b.params.size()); ++i)
    if (a.params[i].type != b.params[i].type || a.params[i].classes != b.params[i].classes)
      return false;
  return true;
}

static void reportDoubleRules(const std::vector<std::unique_ptr<Rule>> &rules, DiagnosticSink &sink) {
  std::map<std::string, std::vector<const Rule *>> bySpelling;
  std::map<std::string, const Rule *> byName;
  auto complain = [&](const Rule &rule, const Rule &first, const std::string &name) {
    Diagnostic diagnostic = diag::make(diag::Id::RuleDouble, rule.range, name);
    diagnostic.notes.push_back(diag::note(first.range, "the first one is here"));
    sink.report(std::move(diagnostic));
  };
  for (const std::unique_ptr<Rule> &rule : rules) {
    if (auto [first, isNew] = byName.try_emplace(rule->name, rule.get()); !isNew)
      complain(*rule, *first->second, "rule '" + rule->name + "'");
    for (const std::string &name : rule->match) {
      for (const Rule *other : bySpelling[name])
        if (other == rule.get() || overlap(*other, *rule)) {
          complain(*rule, *other, "a rule for '" + name + "'");
          break;
        }
      bySpelling[name].push_back(rule.get());
    }
  }
}

/// One entry of `classes:`.
static void readClass(YamlReader &reader, const YAML::Node &node, std::vector<ir::LibraryClass> &classes) {
  ir::LibraryClass made;
  reader.forEachEntry(node, "a class", [&](const std::string &key, const YAML::Node &keyNode, const YAML::Node &value) {
    if (key == "class")
      made.name = reader.text(value, "'class'").value_or("");
    else if (key == "elements")
      made.elements = reader.text(value, "'elements'").value_or("");
    else if (key == "fields")
      reader.forEachEntry(value, "'fields'", [&](const std::string &field, const YAML::Node &, const YAML::Node &how) {
        made.fields[field] = reader.text(how, "field '" + field + "'").value_or("");
      });
    else
      reader.unknownKey(keyNode, "a class", "class, elements, fields");
  });
  if (made.name.empty())
    diag::report(reader.diagnostics(), diag::Id::RuleMissingKey, reader.range(node), "a class", "class");
  else
    classes.push_back(std::move(made));
}

LoadedRules loadYaml(const std::string &path, const std::string &text, DiagnosticSink &sink) {
  LoadedRules loaded;
  std::vector<std::unique_ptr<Rule>> &rules = loaded.rules;
  std::string section;
  YamlReader reader(path, sink);
  std::optional<YAML::Node> document = reader.parse(text);
  if (!document)
    return loaded;
  auto entry = [&](const std::string &key, const YAML::Node &keyNode, const YAML::Node &value) {
    if (key == "version") {
      if (reader.text(value, "'version'").value_or("1") != "1")
        reader.wrongType(value, "'version'", "1");
    } else if (key == "section") {
      section = reader.text(value, "'section'").value_or("");
    } else if (key == "rules") {
      for (const YAML::Node &node : reader.list(value, "'rules'"))
        if (std::unique_ptr<Rule> rule = RuleReader(reader).read(node))
          rules.push_back(std::move(rule));
    } else if (key == "classes") {
      for (const YAML::Node &node : reader.list(value, "'classes'"))
        readClass(reader, node, loaded.classes);
    } else {
      reader.unknownKey(keyNode, "a rule file", "classes, rules, section, version");
    }
  };
  reader.forEachEntry(*document, "a rule file", entry);
  for (std::unique_ptr<Rule> &rule : rules)
    rule->section = section;
  reportDoubleRules(rules, sink);
  return loaded;
}

} // namespace gpuad::rules
