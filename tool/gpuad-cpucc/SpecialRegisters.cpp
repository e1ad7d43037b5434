/// \file
/// Special registers: thread ids are loads from the state of the running thread, the rest the device library knows.

#include "Lowering.h"

#include "Abi.h"

using namespace llvm;

namespace gpuad::cpucc {
namespace {

struct Register {
  StringRef name;
  unsigned offset, bits;
};

const Register Registers[] = {
#define GPUAD_REGISTER(NAME, FIELD) {NAME, offsetof(GpuadThread, FIELD), 8 * sizeof(GpuadThread::FIELD)},
#include "SpecialRegisters.def"
#undef GPUAD_REGISTER
};

/// Registers that a function of the device library computes, as gpuad_sreg_NAME, with 64 bits.
const StringRef Computed[] = {"laneid",
                              "warpid",
                              "lanemask_eq",
                              "lanemask_lt",
                              "lanemask_le",
                              "lanemask_gt",
                              "lanemask_ge",
                              "nwarpid",
                              "smid",
                              "nsmid",
                              "clock",
                              "clock_hi",
                              "clock64",
                              "globaltimer",
                              "globaltimer_lo",
                              "globaltimer_hi",
                              "total_smem_size",
                              "warpsize",
                              "reserved_smem_offset_1"};

} // namespace

Value *readSpecialRegister(Lowering &lowering, IRBuilder<> &builder, StringRef name, Type *type) {
  std::string plain = name.str();
  if (name == "WARP_SZ")
    plain = "warpsize";
  if (StringRef(plain).starts_with("lanemask."))
    plain[8] = '_';
  for (const Register &known : Registers)
    if (known.name == plain)
      return builder.CreateZExtOrTrunc(lowering.threadField(builder, known.offset, known.bits), type);
  for (StringRef known : Computed)
    if (known == plain) {
      Value *value = lowering.callLibrary(builder, "gpuad_sreg_" + plain, builder.getInt64Ty(), {});
      return builder.CreateZExtOrTrunc(value, type);
    }
  return nullptr;
}

} // namespace gpuad::cpucc
