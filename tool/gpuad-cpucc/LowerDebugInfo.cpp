/// \file
/// Debug information: NVPTX marks the address class of variables with DWARF operations that debuggers for the host do
/// not know.

#include "Lowering.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gpuad::cpucc {

static bool namesAddressClass(const DIExpression *expression) {
  return is_contained(expression->getElements(), uint64_t(dwarf::DW_OP_xderef));
}

void lowerDebugInfo(Lowering &lowering) {
  DIExpression *plain = DIExpression::get(lowering.context, {});
  for (GlobalVariable &global : lowering.module.globals()) {
    SmallVector<DIGlobalVariableExpression *> records;
    global.getDebugInfo(records);
    if (records.empty())
      continue;
    global.eraseMetadata(LLVMContext::MD_dbg);
    for (DIGlobalVariableExpression *record : records)
      global.addDebugInfo(namesAddressClass(record->getExpression())
                              ? DIGlobalVariableExpression::get(lowering.context, record->getVariable(), plain)
                              : record);
  }
  for (Function &function : lowering.module)
    for (Instruction &instruction : instructions(function))
      for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange()))
        if (namesAddressClass(record.getExpression()))
          record.setExpression(plain);
}

} // namespace gpuad::cpucc
