//===- TemplateTypes.h - parameters of template derivatives ----- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The derivative of an instance of a template is printed as a template, so the types
/// of its parameters are written over those of the template: T* x_bar beside
/// const T* x. The body keeps the types of the instance.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_TEMPLATETYPES_H
#define GPUAD_TRANSFORM_TEMPLATETYPES_H

#include "ir/Derivative.h"

namespace gpuad::transform {

void writeTemplateTypes(ir::Derivative &derivative);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_TEMPLATETYPES_H
