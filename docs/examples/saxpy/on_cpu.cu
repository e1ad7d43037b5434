// The whole program as one file, for a machine without a GPU: gpuad-cpucc on_cpu.cu -I FOLDER_OF_SAXPY_GRAD -o saxpy
#include "saxpy_grad.cu"

#include "main.cu"
