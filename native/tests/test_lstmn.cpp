// `lstmn`, forward and backward, against the plain loop.

#include "plain_comparison.h"

void run_test() {
    test_against_plain_loop(false);
}
