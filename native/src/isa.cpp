// What this library is, and whether it runs here. Compiled for every processor of the family, whatever the rest of
// the library is compiled for: it is what tells a processor that lacks something to stay away.

#include "readhead.h"

int32_t readhead_version() {
    return 1;
}

const char* readhead_isa() {
    return READHEAD_ISA;
}

const char* readhead_obstacle() {
#if defined(READHEAD_NEEDS_AVX512)
    const bool runs = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return runs ? nullptr : "this processor has no AVX-512";
#elif defined(READHEAD_NEEDS_AVX2)
    const bool runs = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return runs ? nullptr : "this processor has no AVX2 with FMA";
#else
    return nullptr;
#endif
}
