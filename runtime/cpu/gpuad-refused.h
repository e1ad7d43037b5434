// Included by gpuad-cpucc before every CUDA file: names that cannot be given a meaning on the CPU stop the build.
#pragma once

#undef __managed__
#define __managed__ gpuad_error_managed_variables_do_not_run_on_the_CPU
