# LLVM, Clang and yaml-cpp, and what of their location is compiled into the tools.

find_package(LLVM 22.1 CONFIG QUIET)
if(NOT LLVM_FOUND)
  message(FATAL_ERROR
    "LLVM 22.1 was not found. On Debian 12 it comes from the bookworm-security archive: enable that archive and "
    "install llvm-22-dev and libclang-22-dev (tool/scripts/setup.sh does it), or set LLVM_DIR.")
endif()
find_package(Clang REQUIRED CONFIG HINTS "${LLVM_INSTALL_PREFIX}" "${LLVM_DIR}/../clang" NO_DEFAULT_PATH)
find_package(yaml-cpp REQUIRED CONFIG)
find_package(Boost 1.74 QUIET COMPONENTS context) # only for running CUDA programs on the CPU
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

# The shared LLVM and Clang, as headers and a library each. yaml-cpp 0.7 calls its target yaml-cpp.
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_library(gpuad_llvm INTERFACE)
target_include_directories(gpuad_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_options(gpuad_llvm INTERFACE ${llvm_definitions})
target_link_libraries(gpuad_llvm INTERFACE LLVM)
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(gpuad_llvm INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()

add_library(gpuad_clang INTERFACE)
target_include_directories(gpuad_clang SYSTEM INTERFACE ${CLANG_INCLUDE_DIRS})
target_link_libraries(gpuad_clang INTERFACE clang-cpp gpuad_llvm)

# Clang's own headers (stddef.h, the CUDA wrappers) must be those of the library we link.
find_program(GPUAD_CLANG NAMES clang-22 clang HINTS "${LLVM_TOOLS_BINARY_DIR}" NO_CACHE REQUIRED)
execute_process(COMMAND "${GPUAD_CLANG}" -print-resource-dir OUTPUT_VARIABLE resource_dir
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(GPUAD_CLANG_RESOURCE_DIR "${resource_dir}" CACHE PATH "Clang's resource folder (clang -print-resource-dir)")
if(NOT EXISTS "${GPUAD_CLANG_RESOURCE_DIR}/include/cuda_wrappers")
  message(FATAL_ERROR "${GPUAD_CLANG_RESOURCE_DIR} has no include/cuda_wrappers: "
                      "install libclang-common-22-dev or set GPUAD_CLANG_RESOURCE_DIR.")
endif()
configure_file("${PROJECT_SOURCE_DIR}/tool/cmake/BuildConfig.h.in"
               "${PROJECT_BINARY_DIR}/generated/support/BuildConfig.h" @ONLY)
