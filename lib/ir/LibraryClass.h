//===- LibraryClass.h - how to reach the fields of a library's class -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_LIBRARYCLASS_H
#define GPUAD_IR_LIBRARYCLASS_H

#include <map>
#include <string>

namespace gpuad::ir {

/// A class of a library, as rule files describe it: how text names a field that only the library may name itself.
/// "f" is printed f(object), ".m()" object.m(), and "[]" the object itself, which is indexed like its field. The fields
/// of a field that is "*" are those of the object, and are named "outer.inner".
struct LibraryClass {
  std::string name;                          ///< qualified, without template arguments
  std::map<std::string, std::string> fields; ///< field -> accessor
  std::string elements; ///< not empty: the template arguments are the fields, reached by elements<k>(object)
};

} // namespace gpuad::ir

#endif // GPUAD_IR_LIBRARYCLASS_H
