#include "matrix.h"

#include <array>
#include <utility>

namespace readhead {
namespace {

// A tile of the result is kept in registers: so many rows, so many vectors wide. The sizes fill the registers, but
// for one vector of the left-hand side and those of the right.
constexpr Index panel_vectors = 2;
constexpr Index panel_width = panel_vectors * width;
#if defined(__AVX512F__)
constexpr Index wide_rows = 14;
constexpr Index narrow_rows = 14;  // in a last panel of one vector
#elif defined(__AVX2__)
constexpr Index wide_rows = 6;
constexpr Index narrow_rows = 12;
#else
constexpr Index wide_rows = 4;
constexpr Index narrow_rows = 8;
#endif

// A block of the left-hand side, so many rows by so many columns, is read once a panel: it stays in the second
// level of the cache, and the panel's part that goes with it (depth · panel_width) in the first.
constexpr Index block_depth = 320;
constexpr Index block_rows = 168;  // a multiple of every tile's rows

constexpr Index least(Index a, Index b) {
    return a < b ? a : b;
}

/// Where part `part` of `parts` begins in `count`, as evenly as can be.
constexpr Index part_begin(Index part, Index parts, Index count) {
    return part * (count / parts) + least(part, count % parts);
}

constexpr Index parts_of(Index count, Index most) {
    return (count + most - 1) / most;
}

/// Columns of the panel that begins at `column`, the last one's rounded up to whole vectors.
Index width_of_panel(Index column, Index columns) {
    return least(panel_width, padded(columns - column));
}

/// A tile's left-hand side where it lies, row after row.
struct InPlace {
    const float* data;
    Index row_stride;

    float at(Index row, Index k) const { return data[row * row_stride + k]; }
};

/// A tile's left-hand side copied, column after column.
template <Index rows>
struct Copied {
    const float* data;

    float at(Index row, Index k) const { return data[k * rows + row]; }
};

/// Rows of a panel, and how far behind each lies its counterpart in the next panel.
struct PanelRows {
    const float* data;
    Index to_next;
};

/// Where a tile's sums go: `vectors` vectors a row, of the last one only the first `last` columns.
struct Place {
    float* data;
    Index row_stride;
    Index last;
    Into into;
};

/// Vector `v` of `vectors` of a tile's row goes to memory.
template <bool whole, bool adds>
void put(Vector sum, float* to, Index count) {
    if constexpr (whole) {
        store(to, adds ? load(to) + sum : sum);
    } else {
        store_first(to, adds ? load_first(to, count) + sum : sum, count);
    }
}

template <bool whole, bool adds, Index rows, Index vectors>
__attribute__((always_inline)) inline void put_all(const Vector (&sums)[rows][vectors], Place place) {
#pragma GCC unroll 16
    for (Index row = 0; row < rows; ++row) {
        float* to = place.data + row * place.row_stride;
        for (Index v = 0; v + 1 < vectors; ++v) put<true, adds>(sums[row][v], to + v * width, width);
        put<whole, adds>(sums[row][vectors - 1], to + (vectors - 1) * width, place.last);
    }
}

/// One tile beside `panels` adjacent panels: rows · depth · panels · vectors multiplications. What is read of the next
/// panel meanwhile comes from the third level of the cache. Each sum goes through the depth from its beginning to its
/// end, whatever the tile, so that no number depends on how many rows the product has.
template <Index rows, Index vectors, Index panels, class Left>
void tile(const Left& left, const PanelRows& panel, Index depth, const Place& place) {
    Vector sums[rows][panels * vectors] = {};
#pragma GCC unroll 2
    for (Index k = 0; k < depth; ++k) {
        const float* from = panel.data + k * vectors * width;
        Vector right[panels * vectors];
#pragma GCC unroll 4
        for (Index p = 0; p < panels; ++p, from += panel.to_next)
            for (Index v = 0; v < vectors; ++v) right[p * vectors + v] = load(from + v * width);
        for (Index line = 0; line < panels * vectors * width; line += 16) __builtin_prefetch(from + line);
#pragma GCC unroll 16
        for (Index row = 0; row < rows; ++row) {
            const Vector a = broadcast(left.at(row, k));
            for (Index v = 0; v < panels * vectors; ++v) sums[row][v] = multiply_add(a, right[v], sums[row][v]);
        }
    }
    if (place.into == Into::add) {
        place.last == width ? put_all<true, true>(sums, place) : put_all<false, true>(sums, place);
    } else {
        place.last == width ? put_all<true, false>(sums, place) : put_all<false, false>(sums, place);
    }
}

using TileInPlace = void (*)(const InPlace&, const PanelRows&, Index depth, const Place&);
using TileCopied = void (*)(const float* left, const PanelRows&, Index depth, const Place&);
using Copy = void (*)(const Matrix& tile, float* to);

template <Index rows, Index vectors>
void tile_copied(const float* left, const PanelRows& panel, Index depth, const Place& place) {
    tile<rows, vectors, 1>(Copied<rows>{left}, panel, depth, place);
}

/// Copies a tile's left-hand side, [rows, depth], column after column. Adjacent rows, as a transposed matrix has
/// them, are copied whole.
template <Index rows>
void copy_tile(const Matrix& tile, float* to) {
    for (Index k = 0; k < tile.columns; ++k, to += rows) {
        const float* from = tile.data + k * tile.column_stride;
        if (tile.row_stride == 1) {
            std::memcpy(to, from, rows * sizeof(float));
        } else {
            for (Index row = 0; row < rows; ++row) to[row] = from[row * tile.row_stride];
        }
    }
}

// Each table's entry i is for tiles of i + 1 rows.

template <Index vectors, std::size_t... i>
constexpr std::array<TileInPlace, sizeof...(i)> tiles_in_place(std::index_sequence<i...>) {
    return {tile<static_cast<Index>(i) + 1, vectors, 1, InPlace>...};
}

template <Index vectors, std::size_t... i>
constexpr std::array<TileCopied, sizeof...(i)> tiles_copied(std::index_sequence<i...>) {
    return {tile_copied<static_cast<Index>(i) + 1, vectors>...};
}

template <std::size_t... i>
constexpr std::array<Copy, sizeof...(i)> copies_of_tiles(std::index_sequence<i...>) {
    return {copy_tile<static_cast<Index>(i) + 1>...};
}

constexpr auto wide_in_place = tiles_in_place<panel_vectors>(std::make_index_sequence<wide_rows>());
constexpr auto wide_copied = tiles_copied<panel_vectors>(std::make_index_sequence<wide_rows>());
constexpr auto narrow_in_place = tiles_in_place<1>(std::make_index_sequence<narrow_rows>());
constexpr auto narrow_copied = tiles_copied<1>(std::make_index_sequence<wide_rows>());
constexpr auto copies = copies_of_tiles(std::make_index_sequence<wide_rows>());

/// Calls each(begin, rows) for the tiles of at most `most` rows that `rows` are cut into.
template <class Each>
void for_tiles(Index rows, Index most, const Each& each) {
    const Index tiles = parts_of(rows, most);
    for (Index i = 0; i < tiles; ++i) {
        const Index begin = part_begin(i, tiles, rows);
        each(begin, part_begin(i + 1, tiles, rows) - begin);
    }
}

template <class Table>
auto entry(const Table& table, Index rows) {
    return table[static_cast<std::size_t>(rows - 1)];
}

Place at_row(const Place& place, Index row) {
    return {place.data + row * place.row_stride, place.row_stride, place.last, place.into};
}

/// The left-hand side of a part of the product: where it lies, or tile after tile in `copy`.
struct Block {
    Matrix matrix;
    const float* copy;
};

/// Cuts a block's rows into tiles and copies them to `to`, one after the other.
Block copy_block(const Matrix& block, float* to) {
    for_tiles(block.rows, wide_rows, [&](Index begin, Index rows) {
        const float* data = block.data + begin * block.row_stride;
        const Matrix tile{data, rows, block.columns, block.row_stride, block.column_stride};
        entry(copies, rows)(tile, to + begin * block.columns);
    });
    return {block, to};
}

/// All tiles of a block beside one panel.
void multiply_panel(const Block& block, const PanelRows& panel, bool wide, const Place& place) {
    const Matrix& left = block.matrix;
    if (block.copy != nullptr) {
        for_tiles(left.rows, wide_rows, [&](Index begin, Index rows) {
            const auto tile = wide ? entry(wide_copied, rows) : entry(narrow_copied, rows);
            tile(block.copy + begin * left.columns, panel, left.columns, at_row(place, begin));
        });
    } else {
        for_tiles(left.rows, wide ? wide_rows : narrow_rows, [&](Index begin, Index rows) {
            const auto tile = wide ? entry(wide_in_place, rows) : entry(narrow_in_place, rows);
            const InPlace from{left.data + begin * left.row_stride, left.row_stride};
            tile(from, panel, left.columns, at_row(place, begin));
        });
    }
}

/// How many panels a block of few rows takes at a time: one sum waits for itself, and eight do not.
Index panels_at_once(const Block& block) {
    if (block.copy != nullptr || block.matrix.rows > 2) return 1;
    return block.matrix.rows == 1 ? 4 : 2;
}

/// A block of one or two rows beside as many panels as it takes at a time.
void multiply_panels(const Block& block, const PanelRows& panels, const Place& place) {
    const InPlace from{block.matrix.data, block.matrix.row_stride};
    const auto few = block.matrix.rows == 1 ? tile<1, panel_vectors, 4, InPlace> : tile<2, panel_vectors, 2, InPlace>;
    few(from, panels, block.matrix.columns, place);
}

/// result = or += block · (the rows of `right` that begin at `from`).
void multiply_block(const Block& block, const Packed& right, Index from, float* result, Index row_stride, Into into) {
    const Index at_once = panels_at_once(block);
    Index column = 0;
    for (; at_once > 1 && column + at_once * panel_width <= right.columns; column += at_once * panel_width) {
        const float* rows = right.panels + column * right.depth + from * panel_width;
        multiply_panels(block, {rows, right.depth * panel_width}, {result + column, row_stride, width, into});
    }
    for (; column < right.columns; column += panel_width) {
        const Index wide = width_of_panel(column, right.columns);
        const float* rows = right.panels + column * right.depth + from * wide;
        const Index last = least(width, right.columns - column - (wide - width));
        multiply_panel(block, {rows, right.depth * wide}, wide == panel_width, {result + column, row_stride, last, into});
    }
}

}  // namespace

Index packed_size(Index depth, Index columns) {
    return depth * padded(columns);
}

Packed pack(const Matrix& matrix, float* panels) {
    float* to = panels;
    for (Index column = 0; column < matrix.columns; column += panel_width) {
        const Index wide = width_of_panel(column, matrix.columns);
        const Index real = least(wide, matrix.columns - column);
        const float* from = matrix.data + column * matrix.column_stride;
        for (Index k = 0; k < matrix.rows; ++k, from += matrix.row_stride, to += wide) {
            for (Index i = 0; i < real; ++i) to[i] = from[i * matrix.column_stride];
            for (Index i = real; i < wide; ++i) to[i] = 0.f;
        }
    }
    return {panels, matrix.rows, matrix.columns};
}

void multiply(const Matrix& left, const Packed& right, float* result, Index row_stride, Into into,
              Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const Index row_parts = parts_of(left.rows, block_rows);
    const Index depth_parts = left.columns == 0 ? 1 : parts_of(left.columns, block_depth);  // an empty sum is 0
    float* copy = left.column_stride == 1 ? nullptr : workspace.take(block_rows * block_depth);
    for (Index i = 0; i < row_parts; ++i) {
        const Index row = part_begin(i, row_parts, left.rows);
        const Index rows = part_begin(i + 1, row_parts, left.rows) - row;
        for (Index j = 0; j < depth_parts; ++j) {
            const Index k = part_begin(j, depth_parts, left.columns);
            const Index depth = part_begin(j + 1, depth_parts, left.columns) - k;
            const float* data = left.data + row * left.row_stride + k * left.column_stride;
            const Matrix part{data, rows, depth, left.row_stride, left.column_stride};
            const Block block = copy == nullptr ? Block{part, nullptr} : copy_block(part, copy);
            multiply_block(block, right, k, result + row * row_stride, row_stride, j == 0 ? into : Into::add);
        }
    }
}

}  // namespace readhead
