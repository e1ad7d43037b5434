//===- Instances.h - one template for its instances ----------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The derivatives of the instances of one template are one template: with the
/// primal's parameters, and the instances in its body.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_INSTANCES_H
#define GPUAD_EMIT_INSTANCES_H

#include "emit/Placement.h"

namespace gpuad::emit {

/// Puts what will be one function together. Instances whose derivatives take different
/// parameters stay overloads.
std::vector<Emitted> groupInstances(std::vector<ir::Derivative> &derivatives);

/// Gives all instances the parameters of the first, and the first what any of them needs
/// besides (memory for records).
void uniteParameters(Emitted &one);

/// Makes the body: a test of the template's arguments, then the instance that they
/// choose.
void makeTemplateBody(Emitted &one);

/// "T is float" for each instance, in order.
std::vector<std::string> instanceTests(const Emitted &one);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_INSTANCES_H
