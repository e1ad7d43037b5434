# One function per sort of target. Source lists are globbed: a new file needs no edit here or in its folder's list.

# Files that share a precompiled header compile with the same options; two headers serve all of lib.
function(gpuad_use_pch target kind)
  if(NOT GPUAD_PCH)
    return()
  endif()
  if(NOT TARGET gpuad_pch_${kind})
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/pch_${kind}.cpp" CONTENT "")
    add_library(gpuad_pch_${kind} OBJECT "${PROJECT_BINARY_DIR}/generated/pch_${kind}.cpp")
    gpuad_set_warnings(gpuad_pch_${kind})
    target_link_libraries(gpuad_pch_${kind} PRIVATE gpuad_llvm)
    set(headers "llvm/ADT/ArrayRef.h" "llvm/ADT/DenseMap.h" "llvm/ADT/SmallVector.h" "llvm/ADT/StringRef.h"
        "llvm/Support/Error.h" "llvm/Support/raw_ostream.h")
    if(kind STREQUAL "clang")
      target_link_libraries(gpuad_pch_${kind} PRIVATE gpuad_clang)
      list(APPEND headers
        "clang/AST/ASTConsumer.h" "clang/AST/ASTContext.h" "clang/AST/DynamicRecursiveASTVisitor.h"
        "clang/AST/StmtVisitor.h" "clang/Basic/SourceManager.h" "clang/Frontend/CompilerInstance.h"
        "clang/Frontend/FrontendAction.h" "clang/Lex/Lexer.h" "clang/Lex/Preprocessor.h"
        "clang/Serialization/PCHContainerOperations.h" "clang/Tooling/Tooling.h")
    elseif(kind STREQUAL "test")
      target_link_libraries(gpuad_pch_${kind} PRIVATE GTest::gtest)
      list(APPEND headers "gtest/gtest.h")
      set_target_properties(gpuad_pch_${kind} PROPERTIES POSITION_INDEPENDENT_CODE OFF) # as programs are compiled
    endif()
    list(TRANSFORM headers REPLACE "(.+)" "<\\1>")
    target_precompile_headers(gpuad_pch_${kind} PRIVATE
      ${headers} <cstdint> <map> <memory> <optional> <string> <string_view> <utility> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM gpuad_pch_${kind})
endfunction()

# gpuad_add_library(NAME [SOURCES file...] [DEPENDS folder...] [EXTERNAL target...] [PCH base|clang|none])
#
# The library of lib/NAME, as target gpuad_NAME. Without SOURCES it takes every .cpp of the folder; a folder that has
# only headers so far becomes an interface library. DEPENDS names folders of lib: the allowed ones, and no others.
function(gpuad_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PCH" "SOURCES;DEPENDS;EXTERNAL")
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  endif()
  list(TRANSFORM arg_DEPENDS PREPEND gpuad_)
  set(target gpuad_${name})
  set(scope PUBLIC)
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    gpuad_set_warnings(${target})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope}
    "${PROJECT_SOURCE_DIR}/lib" "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(${target} ${scope} ${arg_DEPENDS} ${arg_EXTERNAL} gpuad_llvm)
  if(arg_SOURCES AND NOT arg_PCH STREQUAL "none")
    if(NOT arg_PCH)
      set(arg_PCH base)
    endif()
    gpuad_use_pch(${target} ${arg_PCH})
  endif()
endfunction()

# gpuad_add_tool(NAME [DEPENDS folder...] [EXTERNAL target...])
#
# The program NAME from every .cpp of the current folder; nothing while the folder has none.
function(gpuad_add_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;EXTERNAL")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  if(NOT sources)
    return()
  endif()
  list(TRANSFORM arg_DEPENDS PREPEND gpuad_)
  add_executable(${name} ${sources})
  gpuad_set_warnings(${name})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tool" "${PROJECT_SOURCE_DIR}/lib")
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} ${arg_EXTERNAL} gpuad_llvm)
  add_executable(gpuad::${name} ALIAS ${name})
  install(TARGETS ${name} EXPORT gpuadTargets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endfunction()
