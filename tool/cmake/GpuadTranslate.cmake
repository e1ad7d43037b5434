# gpuad_add_derivatives(TARGET SOURCES file.cu...
#   [ADJOINT head...] [TANGENT head...]     what to differentiate; none: what the source asks for
#   [CONFIG file.yaml] [RULES file.yaml...] settings and further derivative rules
#   [REPORT file.html]                      what was recorded and how each adjoint is accumulated
#   [HEADER file.cuh]                       declarations of the public derivatives
#   [OPTIONS option...])                    anything else for gpuad-translate
#
# Translates each source when the target is built, and again when the source, a header, the settings, the flags or the translator
# change. file_grad.cu takes the place of file.cu in the target; it finds the headers of file.cu's folder and of the runtime.
# The translator gets the include folders, definitions, options and language standard of the target.

function(gpuad_add_derivatives target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CONFIG;REPORT;HEADER" "SOURCES;ADJOINT;TANGENT;RULES;OPTIONS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "gpuad_add_derivatives: there is no target '${target}'")
  elseif(NOT arg_SOURCES)
    message(FATAL_ERROR "gpuad_add_derivatives(${target}): SOURCES is missing")
  elseif(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gpuad_add_derivatives(${target}): what is '${arg_UNPARSED_ARGUMENTS}'?")
  endif()
  list(LENGTH arg_SOURCES number)
  if(number GREATER 1 AND (arg_ADJOINT OR arg_TANGENT OR arg_REPORT OR arg_HEADER))
    message(FATAL_ERROR "gpuad_add_derivatives(${target}): ADJOINT, TANGENT, REPORT and HEADER belong to one source; "
                        "call the function once for each")
  endif()

  # Options of the translator, and the files they name.
  list(TRANSFORM arg_ADJOINT PREPEND "--adjoint=")
  list(TRANSFORM arg_TANGENT PREPEND "--tangent=")
  set(options ${arg_ADJOINT} ${arg_TANGENT} ${arg_OPTIONS})
  set(inputs "")
  set(products "")
  foreach(file IN LISTS arg_RULES)
    cmake_path(ABSOLUTE_PATH file)
    list(APPEND options "--rules=${file}")
    list(APPEND inputs "${file}")
  endforeach()
  if(arg_CONFIG)
    cmake_path(ABSOLUTE_PATH arg_CONFIG)
    list(APPEND options "--config=${arg_CONFIG}")
    list(APPEND inputs "${arg_CONFIG}")
  endif()
  foreach(product REPORT HEADER)
    if(arg_${product})
      cmake_path(ABSOLUTE_PATH arg_${product} BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
      string(TOLOWER "--${product}=" option)
      list(APPEND options "${option}${arg_${product}}")
      list(APPEND products "${arg_${product}}")
    endif()
  endforeach()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/gpuad/${target}")
  gpuad_write_flags(${target} "${folder}" flags)
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(GET source STEM LAST_ONLY stem)
    cmake_path(GET source PARENT_PATH source_folder)
    set(output "${folder}/${stem}_grad.cu")
    add_custom_command(
      OUTPUT "${output}" ${products}
      COMMAND gpuad::gpuad-translate ${options} "${source}" -o "${output}" "--depfile=${output}.d" -- "@${flags}"
      DEPENDS "${source}" "${flags}" ${inputs} "$<TARGET_FILE:gpuad::gpuad-translate>"
      DEPFILE "${output}.d"
      COMMENT "Differentiating ${stem}.cu"
      VERBATIM)
    gpuad_replace_source(${target} "${source}" "${output}")
    set_property(SOURCE "${output}" APPEND PROPERTY INCLUDE_DIRECTORIES "${source_folder}")
  endforeach()
  target_include_directories(${target} PRIVATE
    "${folder}" $<TARGET_PROPERTY:gpuad::runtime,INTERFACE_INCLUDE_DIRECTORIES>)
endfunction()

# The target's flags in a response file, one argument a line. Quoted once, so a definition may hold a string.
function(gpuad_write_flags target folder result)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(language CXX)
  if("CUDA" IN_LIST languages)
    set(language CUDA)
  endif()
  foreach(name INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS CUDA_STANDARD)
    set(${name} "$<TARGET_PROPERTY:${target},${name}>")
  endforeach()
  set(standard "$<IF:$<BOOL:${CUDA_STANDARD}>,${CUDA_STANDARD},17>")
  set(options "$<FILTER:${COMPILE_OPTIONS},EXCLUDE,^SHELL:>")
  set(text "-std=c++${standard}\n")
  foreach(pair "INCLUDE_DIRECTORIES|-I" "COMPILE_DEFINITIONS|-D" "options|")
    string(REGEX MATCH "^([^|]*)[|](.*)$" pair "${pair}")
    set(list "${${CMAKE_MATCH_1}}")
    set(prefix "${CMAKE_MATCH_2}")
    string(APPEND text "$<$<BOOL:${list}>:'${prefix}$<JOIN:${list},'\n'${prefix}>'\n>")
  endforeach()
  string(APPEND text "${CMAKE_${language}_FLAGS}\n")
  # Written once per language, as an option may be meant for one of them.
  file(GENERATE OUTPUT "${folder}/$<CONFIG>flags_$<COMPILE_LANGUAGE>.rsp" CONTENT "${text}" TARGET ${target})
  set(${result} "${folder}/$<CONFIG>flags_${language}.rsp" PARENT_SCOPE)
endfunction()

# In the sources of the target, `output` stands where `source` stood, or at the end.
function(gpuad_replace_source target source output)
  get_target_property(sources ${target} SOURCES)
  get_target_property(base ${target} SOURCE_DIR)
  set(kept "")
  foreach(entry IN LISTS sources)
    cmake_path(ABSOLUTE_PATH entry BASE_DIRECTORY "${base}" NORMALIZE OUTPUT_VARIABLE place)
    if(entry AND NOT place STREQUAL source)
      list(APPEND kept "${entry}")
    endif()
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${kept} "${output}")
endfunction()
