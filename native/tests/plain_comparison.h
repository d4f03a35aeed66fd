// The kernels held against the plain loop: what the tests of `lstmn` and of `fusion` share.

#pragma once

/// All kinds of numbers, at sizes around those of vectors. fused: `fusion`, not `lstmn`.
void test_against_plain_loop(bool fused);
