/* The C interface of readhead's kernels.
 *
 * There is one library for each instruction set, from the same source: libreadhead-avx512, -avx2 and -portable. They
 * share no symbols, so that all can be loaded at once. A caller asks each library whether it runs here before it calls
 * anything else of it: `readhead_obstacle` is compiled for every processor, the rest is not.
 *
 * Memory is the caller's, all of it: a kernel reads and writes what its arguments name and keeps no pointer. What it
 * needs besides, it takes from a workspace that each calling thread keeps (see `readhead_release`). A kernel sees to it
 * that sizes are possible and that no array is null; that the arrays are as large as the sizes say is the caller's to
 * check before.
 */

#ifndef READHEAD_H
#define READHEAD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define READHEAD_EXPORT __attribute__((visibility("default")))

/* What a kernel returns. */
enum readhead_status {
    READHEAD_DONE = 0,
    READHEAD_NO_MEMORY = 1, /* nothing that was written is of use */
    READHEAD_BAD_CALL = 2,  /* an impossible size, or null for an array that is not empty; nothing is written */
};

/* The interface's version. It changes with every change to this file that a caller would notice. */
READHEAD_EXPORT int32_t readhead_version(void);

/* What this library is built for: "avx512", "avx2" or "portable". */
READHEAD_EXPORT const char* readhead_isa(void);

/* Why this library cannot run on this processor, as a clause; NULL if it can. */
READHEAD_EXPORT const char* readhead_obstacle(void);

/* Writes `value` over the workspace that the calling thread keeps: for tests, since a kernel that reads what it did
 * not write shows when that is NaN. */
READHEAD_EXPORT void readhead_fill_workspace(float value);

/* Gives the workspace of the calling thread back. It also goes when the thread ends. */
READHEAD_EXPORT void readhead_release(void);

#ifdef __cplusplus
}
#endif

#endif
