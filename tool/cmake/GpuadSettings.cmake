# What holds for every target: language level, optimisation default, warnings, places of the build products.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # the libraries also go into plugins

# Tools find the headers of the runtime in ../include of their own folder, built or installed.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# A precompiled header must give the same bytes each time, or ccache never hits.
set(CMAKE_PCH_INSTANTIATE_TEMPLATES OFF)
if(GPUAD_PCH AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# Warnings are asked for per target (gpuad_set_warnings), so that foreign code in a build is left alone.
function(gpuad_set_warnings target)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wnon-virtual-dtor;-Woverloaded-virtual>"
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> # g++ 12 sees overlaps in std::string that are not there
    "$<$<AND:$<BOOL:${GPUAD_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>")
endfunction()
