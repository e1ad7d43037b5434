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
