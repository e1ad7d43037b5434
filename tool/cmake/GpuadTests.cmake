# gpuad_add_numeric_test(NAME SOURCE file.cu
#   [ADJOINT head...] [TANGENT head...]      what to differentiate; none: what the source asks for
#   [AGAIN head...]                          tangents of the derivatives: the generated file is translated again
#   [SECOND]                                 the tangent of each adjoint as well, compared with differences of that adjoint
#   [TWICE]                                  with SECOND: the tangent of each tangent too
#   [WITHOUT_SECOND "kernel=reason"...]      kernels that SECOND leaves out
#   [PROGRAM file.cu]                        the program with main(); default: the generated file itself
#   [TRANSLATE_FLAGS flag...]                for gpuad-translate, before "--"
#   [FLAGS flag...]                          for every compiler, and for gpuad-translate after "--"
#   [RUNS "arguments"...])                   one run each; default: one run without arguments
#
# Makes the tests
#   numeric.NAME.translate   the translator writes SOURCE's stem with _grad.cu
#   numeric.NAME.again       with AGAIN: the same on the generated file, into SOURCE's stem with _again.cu
#   numeric.NAME.nvcc        nvcc compiles that file without a warning, for three architectures (skipped without nvcc)
#   numeric.NAME.build       gpuad-cpucc compiles PROGRAM, which includes the generated file by its name
#   numeric.NAME.run         the program ends with 0 on the CPU, under the strict checks; numeric.NAME.run.K with several RUNS
#   numeric.NAME.descending  where no run of RUNS names a thread order of its own: the same in another order than the usual one
#   numeric.NAME.round_trip  the functions as the translator prints them, differentiated in their turn, pass the same checks
#   numeric.NAME.second      with SECOND: test/support/second.py on the first run of RUNS
#   gpu.NAME                 the same on a GPU (label gpu, skipped without one)
# A program checks numbers itself and ends with 1 when one is wrong. One test holds many kernels of a topic: each front end costs
# half a second, whatever the size of the file.
function(gpuad_add_numeric_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SECOND;TWICE" "SOURCE;PROGRAM" "ADJOINT;TANGENT;AGAIN;WITHOUT_SECOND;TRANSLATE_FLAGS;FLAGS;RUNS")
  cmake_path(ABSOLUTE_PATH arg_SOURCE)
  cmake_path(GET arg_SOURCE STEM stem)
  cmake_path(GET arg_SOURCE PARENT_PATH source_folder)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  file(MAKE_DIRECTORY "${folder}")
  set(generated "${folder}/${stem}_grad.cu")
  if(arg_PROGRAM)
    cmake_path(ABSOLUTE_PATH arg_PROGRAM)
    set(program "${arg_PROGRAM}")
  else()
    set(arg_PROGRAM "${generated}")
    set(program "-")
  endif()
  if(NOT arg_RUNS)
    set(arg_RUNS "-")
  endif()
  list(TRANSFORM arg_ADJOINT PREPEND "--adjoint=" OUTPUT_VARIABLE adjoints)
  list(TRANSFORM arg_TANGENT PREPEND "--tangent=" OUTPUT_VARIABLE tangents)
  set(flags ${arg_FLAGS} -I "${source_folder}" -I "${PROJECT_BINARY_DIR}/include" -I "${PROJECT_SOURCE_DIR}/test/numeric")
  set(bin "${PROJECT_BINARY_DIR}/bin")
  set(support "${PROJECT_SOURCE_DIR}/test/support")

  add_test(NAME numeric.${name}.translate
    COMMAND "${bin}/gpuad-translate" ${adjoints} ${tangents} ${arg_TRANSLATE_FLAGS} "${arg_SOURCE}" -o "${generated}"
            -- ${flags})
  set(last "${generated}")
  if(arg_AGAIN)
    set(last "${folder}/${stem}_again.cu")
    list(TRANSFORM arg_AGAIN PREPEND "--tangent=")
    add_test(NAME numeric.${name}.again
      COMMAND "${bin}/gpuad-translate" ${arg_AGAIN} "${generated}" -o "${last}" -- ${flags})
    set_tests_properties(numeric.${name}.again PROPERTIES
      FIXTURES_REQUIRED ${name}_first FIXTURES_SETUP ${name}_text LABELS numeric)
  endif()
  add_test(NAME numeric.${name}.nvcc
    COMMAND Python3::Interpreter -B "${support}/nvcc_check.py" "${GPUAD_NVCC}" "${arg_SOURCE}" "${last}" -- ${flags})
  add_test(NAME numeric.${name}.build
    COMMAND "${bin}/gpuad-cpucc" --strict "${arg_PROGRAM}" -o "${folder}/program" -std=c++17 -I "${folder}" ${flags})
  add_test(NAME gpu.${name}
    COMMAND Python3::Interpreter -B "${support}/gpu_run.py" "${GPUAD_NVCC}" "${arg_PROGRAM}" "${folder}/gpu_program" ${arg_RUNS}
            -- -I "${folder}" ${flags})
  if(NOT arg_AGAIN)
    add_test(NAME numeric.${name}.round_trip
    COMMAND Python3::Interpreter -B "${support}/round_trip.py" "${bin}" "${arg_SOURCE}" "${program}" "${folder}/round_trip"
            ${arg_RUNS} -- ${adjoints} ${tangents} ${arg_TRANSLATE_FLAGS} -- ${flags})
    set_tests_properties(numeric.${name}.round_trip PROPERTIES LABELS numeric)
  endif()
  if(arg_SECOND)
    list(GET arg_RUNS 0 first_run)
    set(twice "")
    if(arg_TWICE)
      set(twice "--twice")
    endif()
    add_test(NAME numeric.${name}.second
      COMMAND Python3::Interpreter -B "${support}/second.py" "${bin}" "${arg_SOURCE}" "${program}" "${folder}/second"
              ${twice} "${first_run}" -- ${adjoints} ${tangents} ${arg_TRANSLATE_FLAGS} -- ${arg_WITHOUT_SECOND} -- ${flags})
    set_tests_properties(numeric.${name}.second PROPERTIES LABELS numeric)
  endif()
  set_tests_properties(numeric.${name}.translate PROPERTIES FIXTURES_SETUP "${name}_first;${name}_text" LABELS numeric)
  set_tests_properties(numeric.${name}.nvcc PROPERTIES FIXTURES_REQUIRED ${name}_text SKIP_RETURN_CODE 77 LABELS "numeric;nvcc")
  set_tests_properties(numeric.${name}.build PROPERTIES
    FIXTURES_REQUIRED ${name}_text FIXTURES_SETUP ${name}_program LABELS numeric)
  set_tests_properties(gpu.${name} PROPERTIES FIXTURES_REQUIRED ${name}_text SKIP_RETURN_CODE 77 LABELS gpu)

  list(LENGTH arg_RUNS runs)
  set(number 0)
  foreach(run IN LISTS arg_RUNS)
    math(EXPR number "${number} + 1")
    set(test numeric.${name}.run)
    if(runs GREATER 1)
      string(APPEND test ".${number}")
    endif()
    if(run STREQUAL "-")
      set(run "")
    endif()
    separate_arguments(run UNIX_COMMAND "${run}")
    add_test(NAME ${test} COMMAND "${folder}/program" ${run})
    set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED ${name}_program LABELS numeric)
  endforeach()
  if(NOT "${arg_RUNS}" MATCHES "descending|shuffle")
    list(GET arg_RUNS 0 run)
    string(REGEX REPLACE "^-$" "" run "${run}")
    separate_arguments(run UNIX_COMMAND "${run}")
    add_test(NAME numeric.${name}.descending COMMAND "${folder}/program" ${run})
    set_tests_properties(numeric.${name}.descending PROPERTIES FIXTURES_REQUIRED ${name}_program LABELS numeric
      ENVIRONMENT GPUAD_CPU_ORDER=descending)
  endif()
endfunction()
