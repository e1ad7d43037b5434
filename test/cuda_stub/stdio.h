// Stub: all of it is in cuda_runtime.h.
#include "cuda_runtime.h"
