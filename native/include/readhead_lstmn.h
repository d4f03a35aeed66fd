/* The kernels of `lstmn` (readhead/ops/lstmn), a long short-term memory-network of one layer.
 *
 * Sizes are those of the structure below, in the letters of its comments; all arrays are
 * contiguous and of float, masks of bytes that are 0 or not. No array may overlap one that is written. Whoever calls
 * owns all memory.
 */

#ifndef READHEAD_LSTMN_H
#define READHEAD_LSTMN_H

#include "readhead.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int64_t texts;     /* B, may be 0 */
    int64_t tokens;    /* T, of each text, padding with them; may be 0 */
    int64_t input_dim; /* E, at least 1 */
    int64_t dim;       /* D, at least 1 */
    int64_t slots;     /* M, there before the first token; may be 0 */
    int64_t span;      /* a token reads at most so many slots; 0 = all */
    int64_t threads;   /* at most so many take part, the caller's with them; at least 1 */
} readhead_lstmn_sizes;

typedef struct {
    const float* attend_hidden; /* [D, D], W_h */
    const float* attend_input;  /* [D, E], W_x */
    const float* attend_blend;  /* [D, D], W_h̃ */
    const float* attend_bias;   /* [D], b */
    const float* attend_score;  /* [D], v */
    const float* gate_input;    /* [4D, E], W_i; rows of i, f, o, ĉ in turn */
    const float* gate_blend;    /* [4D, D], W_b */
    const float* gate_bias;     /* [4D], b_g */
} readhead_lstmn_weights;

typedef struct {
    const float* inputs;       /* [B, T, E] */
    const uint8_t* mask;       /* [B, T], not 0 = a real token; what stands in others is never read */
    const float* hidden_tape;  /* [B, M, D] */
    const float* memory_tape;  /* [B, M, D] */
    const uint8_t* written;    /* [B, M], not 0 = a slot that may be read */
    const float* blend;        /* [B, D], h̃ before the first token */
} readhead_lstmn_texts;

typedef struct {
    float* hidden;    /* [B, T, D], h */
    float* memory;    /* [B, T, D], c */
    float* attention; /* [B, T, M + T] */
    float* blend;     /* [B, D], h̃ of the last real token */
} readhead_lstmn_outputs;

/* The gradients by the outputs; a null one is zero. */
typedef struct {
    const float* hidden;
    const float* memory;
    const float* attention;
    const float* blend;
} readhead_lstmn_by_outputs;

/* Where the gradients go, each of its tensor's size. None may be null. */
typedef struct {
    float* inputs;
    float* attend_hidden;
    float* attend_input;
    float* attend_blend;
    float* attend_bias;
    float* attend_score;
    float* gate_input;
    float* gate_blend;
    float* gate_bias;
    float* hidden_tape;
    float* memory_tape;
    float* blend;
} readhead_lstmn_gradients;

/* How many floats the forward pass keeps for the backward: with P = D rounded up to a multiple of 16,
 * 16 + B T (5D + 2P + M + T) + 3P B (M + T). */
READHEAD_EXPORT int64_t readhead_lstmn_kept_size(const readhead_lstmn_sizes* sizes);

/* How many floats `readhead_lstmn_pack` writes. */
READHEAD_EXPORT int64_t readhead_lstmn_packed_size(const readhead_lstmn_sizes* sizes);

/* Lays the weights' matrices out as the forward pass wants them, once for many calls. Of the sizes only E and D matter.
 * What it writes is for this library on this machine. */
READHEAD_EXPORT void readhead_lstmn_pack(const readhead_lstmn_sizes* sizes, const readhead_lstmn_weights* weights,
                                         float* packed);

/* Eq. (4)-(9) of Cheng, Dong and Lapata (2016).
 *
 * packed: as `readhead_lstmn_pack` wrote it for the same weights; null = packs them itself.
 * kept: for the backward pass; null = there will be none.
 *
 * Returns a readhead_status. */
READHEAD_EXPORT int32_t readhead_lstmn_forward(
    const readhead_lstmn_sizes* sizes, const readhead_lstmn_weights* weights,
    const float* packed, const readhead_lstmn_texts* texts,
    const readhead_lstmn_outputs* outputs, float* kept);

/* The way back: sizes, weights and texts as the forward pass got them, `kept` as it left it.
 *
 * Returns as `readhead_lstmn_forward`. */
READHEAD_EXPORT int32_t readhead_lstmn_backward(
    const readhead_lstmn_sizes* sizes, const readhead_lstmn_weights* weights,
    const readhead_lstmn_texts* texts, const readhead_lstmn_by_outputs* by_outputs,
    const float* kept, const readhead_lstmn_gradients* gradients);

#ifdef __cplusplus
}
#endif

#endif
