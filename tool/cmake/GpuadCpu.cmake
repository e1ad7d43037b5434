# Running CUDA programs on the CPU: whether this build has it, where its files go, and the function for tests.
include_guard(GLOBAL)

# The toolkit is needed for its headers. CUDAToolkit's own module wants libraries too, so look by hand.
find_path(GPUAD_CUDA_INCLUDE cuda_runtime.h NO_CACHE
  HINTS "$ENV{CUDA_PATH}/include" "$ENV{CUDA_HOME}/include" /usr/local/cuda/include /usr/lib/cuda/include)
if(GPUAD_CUDA_INCLUDE)
  string(REGEX REPLACE "/include/?$" "" GPUAD_CUDA_PATH "${GPUAD_CUDA_INCLUDE}")
endif()

set(GPUAD_CPU OFF)
if(TARGET Boost::context AND GPUAD_CUDA_PATH)
  set(GPUAD_CPU ON)
else()
  message(STATUS "gpuad-cpucc is left out: it needs Boost.Context and the headers of a CUDA toolkit")
endif()

# The same place in the build tree and in an installed one, as seen from the program.
set(GPUAD_CPU_LIBRARY_FOLDER "${CMAKE_INSTALL_LIBDIR}/gpuad")
set(GPUAD_CPU_INSTALL_FOLDER "${GPUAD_CPU_LIBRARY_FOLDER}")
set(GPUAD_CPU_BUILD_FOLDER "${PROJECT_BINARY_DIR}/${GPUAD_CPU_LIBRARY_FOLDER}")

# gpuad_add_cpu_test(NAME SOURCES file... [FLAGS flag...] [LINK_FLAGS flag...] [ARGUMENTS argument...] [STRICT] [NO_NVCC]
#                    [ORDERS order...])
#
# A CUDA program that checks itself, compiled once and run in several thread orders:
#   cpu.NAME.build          gpuad-cpucc compiles it, with the strict checks in it where STRICT is given
#   cpu.NAME.ORDER          it ends with 0; ORDERS are ascending, descending and shuffle:SEED, by default one of each
#   cpu.NAME.strict.ORDER   with STRICT: the same under the strict checks
#   cpu.NAME.nvcc           nvcc compiles and links it too (skipped without nvcc), since what clang takes is not what nvcc takes
function(gpuad_add_cpu_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STRICT;NO_NVCC" "" "SOURCES;FLAGS;ARGUMENTS;ORDERS")
  list(TRANSFORM arg_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  file(MAKE_DIRECTORY "${folder}")
  if(NOT arg_ORDERS)
    set(arg_ORDERS ascending descending shuffle:7)
  endif()
  set(strict "")
  if(arg_STRICT)
    set(strict --strict)
  endif()
  add_test(NAME cpu.${name}.build COMMAND "${PROJECT_BINARY_DIR}/bin/gpuad-cpucc" ${arg_SOURCES} -o "${folder}/program"
           -std=c++17 ${arg_FLAGS} ${strict})
  set_tests_properties(cpu.${name}.build PROPERTIES FIXTURES_SETUP cpu_${name} LABELS cpu)
  foreach(order IN LISTS arg_ORDERS)
    string(REPLACE ":" "_" suffix "${order}")
    add_test(NAME cpu.${name}.${suffix} COMMAND "${folder}/program" ${arg_ARGUMENTS})
    set_tests_properties(cpu.${name}.${suffix} PROPERTIES FIXTURES_REQUIRED cpu_${name} LABELS cpu
      ENVIRONMENT "GPUAD_CPU_ORDER=${order};GPUAD_CPU_STRICT=0")
    if(arg_STRICT)
      add_test(NAME cpu.${name}.strict.${suffix} COMMAND "${folder}/program" ${arg_ARGUMENTS})
      set_tests_properties(cpu.${name}.strict.${suffix} PROPERTIES FIXTURES_REQUIRED cpu_${name} LABELS cpu
        ENVIRONMENT "GPUAD_CPU_ORDER=${order}")
    endif()
  endforeach()
  if(NOT arg_NO_NVCC)
    add_test(NAME cpu.${name}.nvcc COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/test/support/nvcc_link.py"
             "${GPUAD_NVCC}" "${folder}/by_nvcc" ${arg_FLAGS} ${arg_SOURCES})
    set_tests_properties(cpu.${name}.nvcc PROPERTIES SKIP_RETURN_CODE 77 LABELS "cpu;nvcc")
  endif()
endfunction()

# gpuad_add_cpu_expectation(NAME COMMAND... STATUS n|fail|any SAYS regex... [NEEDS fixture] [ENVIRONMENT ...])
#
# A command that must end and speak in a given way.
function(gpuad_add_cpu_expectation name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "STATUS;NEEDS" "COMMAND;SAYS;ENVIRONMENT")
  add_test(NAME cpu.${name} COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/test/support/run_expect.py"
           ${arg_STATUS} ${arg_SAYS} -- ${arg_COMMAND})
  set_tests_properties(cpu.${name} PROPERTIES LABELS cpu ENVIRONMENT "${arg_ENVIRONMENT}")
  if(arg_NEEDS)
    set_tests_properties(cpu.${name} PROPERTIES FIXTURES_REQUIRED ${arg_NEEDS})
  endif()
endfunction()
