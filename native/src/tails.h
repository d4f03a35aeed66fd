// Loops over rows whose length is no multiple of the vectors' width.

#pragma once

#include "vector.h"

namespace readhead {

/// A vector of which every place counts.
struct Whole {};

/// A vector of which only the first places count: memory beyond them is neither read nor written.
struct First {
    Index count;
};

inline Vector load(const float* from, Whole) {
    return load(from);
}

inline Vector load(const float* from, First first) {
    return load_first(from, first.count);
}

inline void store(float* to, Vector x, Whole) {
    store(to, x);
}

inline void store(float* to, Vector x, First first) {
    store_first(to, x, first.count);
}

/// Calls step(i, places) for the vectors that begin at i = 0, width, ... below `count`.
template <class Step>
__attribute__((always_inline)) inline void by_vectors(Index count, const Step& step) {
    Index i = 0;
    for (; i + width <= count; i += width) step(i, Whole{});
    if (i < count) step(i, First{count - i});
}

/// Copies `count` floats and makes whole vectors of them with zeros; `to` has room for padded(count).
inline void copy_padded(const float* from, Index count, float* to) {
    by_vectors(count, [&](Index i, auto places) { store(to + i, load(from + i, places)); });
}

}  // namespace readhead
