/// \file
/// The text of inline PTX as statements.

#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuad::cpucc {

struct PtxOperand {
  enum class Kind { Name, Integer, Real, Memory, List, Pair };
  Kind kind = Kind::Name;
  std::string text;              ///< name: a register, "$0" for an operand of the asm statement, or "%tid.x"
  bool negated = false;          ///< name: "!p"
  int64_t integer = 0;           ///< integer; memory: offset
  double real = 0;               ///< real
  std::vector<PtxOperand> parts; ///< memory: base; list: elements; pair: "d|p"
};

struct PtxStatement {
  enum class Kind { Instruction, Declaration, Label };
  Kind kind = Kind::Instruction;
  std::string predicate; ///< instruction: "@p"
  bool predicateNegated = false;
  std::vector<std::string> words; ///< instruction: the mnemonic, split at dots; declaration: the type
  std::vector<PtxOperand> operands;
  std::vector<std::string> names; ///< declaration: registers; label: its name

  bool has(llvm::StringRef word) const;
};

/// Nothing if the text is not understood.
std::optional<std::vector<PtxStatement>> parsePtx(llvm::StringRef text);

} // namespace gpuad::cpucc
