#include "PtxParse.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace llvm;

namespace gpuad::cpucc {

bool PtxStatement::has(StringRef word) const {
  return is_contained(words, word);
}

namespace {

bool isNameStart(char c) {
  return isAlpha(c) || c == '_' || c == '%' || c == '$';
}
bool isNamePart(char c) {
  return isAlnum(c) || c == '_' || c == '$';
}

class PtxParser {
public:
  explicit PtxParser(StringRef text) : rest(text) {}

  std::optional<std::vector<PtxStatement>> run() {
    for (;;) {
      skipBlanks();
      if (rest.empty())
        break;
      if (accept(';') || accept('{') || accept('}'))
        continue;
      statement();
      if (failed)
        return std::nullopt;
    }
    return std::move(result);
  }

private:
  void skipBlanks() {
    for (;;) {
      rest = rest.ltrim();
      if (rest.starts_with("//"))
        rest = rest.drop_until([](char c) { return c == '\n'; });
      else if (rest.starts_with("/*"))
        rest = rest.substr(std::min(rest.size(), rest.find("*/") + 2));
      else
        return;
    }
  }

  bool accept(char c) {
    skipBlanks();
    if (rest.empty() || rest[0] != c)
      return false;
    rest = rest.drop_front();
    return true;
  }

  /// A name: register, label, or operand of the asm statement, which LLVM writes $0 or ${0:modifier}; $$ is a dollar.
  std::string name() {
    skipBlanks();
    std::string text;
    if (rest.consume_front("${")) {
      auto [inner, after] = rest.split('}');
      rest = after;
      return "$" + inner.split(':').first.str();
    }
    if (rest.size() > 1 && rest[0] == '$' && isDigit(rest[1])) {
      text = "$";
      for (rest = rest.drop_front(); !rest.empty() && isDigit(rest[0]); rest = rest.drop_front())
        text += rest[0];
      return text;
    }
    if (rest.empty() || !isNameStart(rest[0])) {
      failed = true;
      return "";
    }
    bool isSpecial = rest[0] == '%';
    do {
      if (rest.consume_front("${:uid}")) // a number for each copy of the statement: names are not shared here anyway
        continue;
      if (rest.starts_with("$$"))
        rest = rest.drop_front();
      text += rest[0];
      rest = rest.drop_front();
    } while (!rest.empty() && (isNamePart(rest[0]) || (isSpecial && rest[0] == '.')));
    return text;
  }

  PtxOperand number() {
    PtxOperand result;
    bool negative = rest.consume_front("-");
    rest.consume_front("+");
    StringRef digits = rest.take_while([](char c) { return isAlnum(c) || c == '.'; });
    rest = rest.drop_front(digits.size());
    result.kind = PtxOperand::Kind::Integer;
    uint64_t bits = 0;
    if (digits.starts_with_insensitive("0f") && digits.size() == 10 && !digits.drop_front(2).getAsInteger(16, bits)) {
      result.kind = PtxOperand::Kind::Real;
      auto word = uint32_t(bits);
      float value;
      std::memcpy(&value, &word, sizeof value);
      result.real = value;
    } else if (digits.starts_with_insensitive("0d") && digits.size() == 18 &&
               !digits.drop_front(2).getAsInteger(16, bits)) {
      result.kind = PtxOperand::Kind::Real;
      std::memcpy(&result.real, &bits, sizeof bits);
    } else if (digits.contains('.')) {
      result.kind = PtxOperand::Kind::Real;
      failed |= digits.getAsDouble(result.real);
    } else {
      StringRef plain = digits.rtrim("Uu");
      failed |= plain.getAsInteger(0, bits);
      result.integer = int64_t(bits);
    }
    if (negative) {
      result.integer = -result.integer;
      result.real = -result.real;
    }
    return result;
  }

  PtxOperand memory() {
    PtxOperand result;
    result.kind = PtxOperand::Kind::Memory;
    result.parts.push_back(single());
    skipBlanks();
    if (!failed && !rest.empty() && (rest[0] == '+' || rest[0] == '-')) {
      if (rest[0] == '+')
        rest = rest.drop_front();
      skipBlanks();
      if (rest.empty() || !(isDigit(rest[0]) || rest[0] == '-'))
        failed = true; // an offset that is an operand
      else
        result.integer = number().integer;
    }
    failed |= !accept(']');
    return result;
  }

  PtxOperand single() {
    PtxOperand result;
    skipBlanks();
    if (rest.empty()) {
      failed = true;
      return result;
    }
    if (accept('['))
      return memory();
    if (accept('{')) {
      result.kind = PtxOperand::Kind::List;
      do
        result.parts.push_back(single());
      while (!failed && accept(','));
      failed |= !accept('}');
      return result;
    }
    if (isDigit(rest[0]) || rest[0] == '-')
      return number();
    result.negated = accept('!');
    result.text = name();
    return result;
  }

  PtxOperand operand() {
    PtxOperand first = single();
    if (failed || !accept('|'))
      return first;
    PtxOperand result;
    result.kind = PtxOperand::Kind::Pair;
    result.parts = {first, single()};
    return result;
  }

  /// .reg .b32 a, b<4>
  void declaration() {
    PtxStatement statement;
    statement.kind = PtxStatement::Kind::Declaration;
    failed |= !accept('.');
    statement.words = {name()};
    do {
      std::string base = name();
      if (accept('<')) {
        int64_t count = number().integer;
        failed |= !accept('>');
        for (int64_t i = 0; i < count && i < 1024; ++i)
          statement.names.push_back(base + std::to_string(i));
      } else {
        statement.names.push_back(base);
      }
    } while (!failed && accept(','));
    result.push_back(statement);
  }

  void statement() {
    PtxStatement statement;
    if (accept('.')) {
      if (name() != "reg")
        failed = true;
      else
        declaration();
      return;
    }
    if (accept('@')) {
      statement.predicateNegated = accept('!');
      statement.predicate = name();
    }
    std::string word = name();
    if (!failed && statement.predicate.empty() && accept(':')) {
      statement.kind = PtxStatement::Kind::Label;
      statement.names = {word};
      result.push_back(statement);
      return;
    }
    statement.words = {word};
    while (!failed && !rest.empty() && rest[0] == '.') { // words follow without blanks
      rest = rest.drop_front();
      rest.consume_front(":");
      StringRef part = rest.take_while([](char c) { return isAlnum(c) || c == '_' || c == ':'; });
      failed |= part.empty();
      statement.words.push_back(part.str());
      rest = rest.drop_front(part.size());
    }
    skipBlanks();
    if (!rest.empty() && rest[0] != ';' && rest[0] != '}')
      do
        statement.operands.push_back(operand());
      while (!failed && accept(','));
    skipBlanks();
    failed |= !rest.empty() && rest[0] != ';' && rest[0] != '}';
    result.push_back(std::move(statement));
  }

  StringRef rest;
  std::vector<PtxStatement> result;
  bool failed = false;
};

} // namespace

std::optional<std::vector<PtxStatement>> parsePtx(StringRef text) {
  return PtxParser(text).run();
}

} // namespace gpuad::cpucc
