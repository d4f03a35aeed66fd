// What the tests of the kernels share: a test is a function `run_test` that calls `check`.

#pragma once

#include <cstdio>
#include <cstdlib>

/// The test; defined once in each program, called where the processor can run it.
void run_test();

/// Ends the program with a word on what is wrong, unless all is well.
template <class... Values>
void check(bool well, const char* what, Values... values) {
    if (well) return;
    if constexpr (sizeof...(values) == 0) {
        std::fputs(what, stderr);
    } else {
        std::fprintf(stderr, what, values...);
    }
    std::fputc('\n', stderr);
    std::exit(1);
}
