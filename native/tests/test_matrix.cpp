// Products against a plain loop, at sizes around those of tiles, panels and blocks, on memory of just their size.

#include "matrix.h"

#include <cmath>
#include <random>

#include "check.h"

using namespace readhead;

namespace {

constexpr Index sizes[] = {1, 2, 3, 7, 8, 15, 16, 17, 63, 65, 100, 300};
constexpr Index depths[] = {1, 2, 3, 7, 16, 65, 300};
constexpr float untouched = -77.f;

using Floats = std::vector<float>;

std::size_t many(Index count) {
    return static_cast<std::size_t>(count);
}

Floats random_floats(Index count) {
    static std::mt19937 generator(1);
    std::uniform_real_distribution<float> between(-1.f, 1.f);
    Floats values(many(count));
    for (float& value : values) value = between(generator);
    return values;
}

/// A matrix and its memory: row after row with `gap` floats between them, or column after column.
struct Stored {
    Floats memory;
    Matrix view;

    static Stored by_rows(Index rows, Index columns, Index gap) {
        Floats memory = random_floats(rows * (columns + gap) - gap);
        const Matrix view = Matrix::of_rows(memory.data(), rows, columns, columns + gap);
        return {std::move(memory), view};
    }

    static Stored by_columns(Index rows, Index columns, Index gap) {
        Stored stored = by_rows(columns, rows, gap);
        stored.view = stored.view.transposed();
        return stored;
    }
};

double element(const Matrix& matrix, Index row, Index column) {
    return matrix.data[row * matrix.row_stride + column * matrix.column_stride];
}

/// The exact product and what rounding may make of it: depth · 2^-24 · Σ |a b|.
struct Exact {
    std::vector<double> product, magnitude;

    Exact(const Matrix& left, const Matrix& right)
        : product(many(left.rows * right.columns)), magnitude(product.size()) {
        for (Index k = 0; k < left.columns; ++k) {
            std::vector<double> row;
            for (Index j = 0; j < right.columns; ++j) row.push_back(element(right, k, j));
            for (Index i = 0; i < left.rows; ++i) add(element(left, i, k), row, i * right.columns);
        }
    }

    void add(double a, const std::vector<double>& row, Index to) {
        double* sum = product.data() + to;
        double* size = magnitude.data() + to;
        for (const double b : row) {
            *sum++ += a * b;
            *size++ += std::abs(a * b);
        }
    }
};

struct Result {
    Index rows, columns, gap;
    Floats memory;

    Result(Index rows_, Index columns_, Index gap_, float value)
        : rows(rows_), columns(columns_), gap(gap_), memory(many(rows_ * (columns_ + gap_) - gap_), untouched) {
        for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < columns; ++j) memory[many(i * (columns + gap) + j)] = value;
    }

    void compare(const Exact& exact, double added, Index depth, const char* what) const {
        for (Index i = 0; i < rows; ++i) {
            for (Index j = 0; j < columns + (i + 1 < rows ? gap : 0); ++j) {
                const float found = memory[many(i * (columns + gap) + j)];
                if (j >= columns) {
                    check(found == untouched, "%s (%td,%td,%td): column %td written", what, rows, depth, columns, j);
                    continue;
                }
                const double wanted = exact.product[many(i * columns + j)] + added;
                const double room = (exact.magnitude[many(i * columns + j)] + std::abs(added)) * double(depth + 2) * 6e-8;
                check(std::abs(found - wanted) <= room, "%s (%td,%td,%td): [%td,%td] = %.9g, not %.9g", what, rows,
                      depth, columns, i, j, double{found}, wanted);
            }
        }
    }
};

void test_product(const Stored& left, const Stored& right, const char* what) {
    Workspace& workspace = Workspace::of_piece(0);
    workspace.fill(std::nanf(""));
    const Index rows = left.view.rows, depth = left.view.columns, columns = right.view.columns;
    const Exact exact(left.view, right.view);
    Floats panels(many(packed_size(depth, columns)), std::nanf(""));
    const Packed packed = pack(right.view, panels.data());

    Result result(rows, columns, 3, std::nanf(""));
    multiply(left.view, packed, result.memory.data(), columns + 3, Into::replace, workspace);
    result.compare(exact, 0., depth, what);

    Result sum(rows, columns, 0, 5.f);
    multiply(left.view, packed, sum.memory.data(), columns, Into::add, workspace);
    sum.compare(exact, 5., depth, what);
}

void test_sizes() {
    for (const Index rows : sizes) {
        for (const Index depth : depths) {
            for (const Index columns : sizes) {
                const Stored left = Stored::by_rows(rows, depth, rows % 2), right = Stored::by_columns(depth, columns, 1);
                test_product(left, right, "A·Wᵀ");
                const Stored across = Stored::by_columns(rows, depth, columns % 2);
                test_product(across, Stored::by_rows(depth, columns, 0), "Aᵀ·B");
            }
        }
    }
}

/// More than a block in every direction.
void test_large() {
    test_product(Stored::by_rows(400, 700, 0), Stored::by_rows(700, 50, 0), "A·B");
    test_product(Stored::by_columns(400, 700, 0), Stored::by_rows(700, 50, 0), "Aᵀ·B");
}

/// A left-hand side of which neither rows nor columns are adjacent.
void test_strides() {
    const Floats memory = random_floats(40 * 60);
    Stored left{memory, {}};
    left.view = {left.memory.data(), 20, 20, 120, 3};
    test_product(left, Stored::by_rows(20, 33, 0), "every third column");
}

void test_nothing() {
    Workspace& workspace = Workspace::of_piece(0);
    const Packed none{nullptr, 0, 3};
    Floats result(6, 7.f);
    multiply(Matrix::of_rows(nullptr, 2, 0, 0), none, result.data(), 3, Into::add, workspace);
    check(result == Floats(6, 7.f), "a product over nothing adds something");
    multiply(Matrix::of_rows(nullptr, 2, 0, 0), none, result.data(), 3, Into::replace, workspace);
    check(result == Floats(6, 0.f), "a product over nothing is not 0");
    multiply(Matrix::of_rows(nullptr, 0, 4, 4), {nullptr, 4, 0}, result.data(), 3, Into::replace, workspace);
    check(result == Floats(6, 0.f), "a product without rows writes");
}

/// A NaN or an infinity in one row of the left-hand side stays in that row, beside zeros in the padding too.
void test_not_a_number() {
    for (const Index columns : {1, 17, 100}) {
        Stored left = Stored::by_rows(7, 9, 0);
        left.memory[9 * 3 + 4] = std::nanf("");
        Floats panels(many(packed_size(9, columns)));
        const Packed packed = pack(Stored::by_rows(9, columns, 0).view, panels.data());
        Result result(7, columns, 0, 0.f);
        multiply(left.view, packed, result.memory.data(), columns, Into::replace, Workspace::of_piece(0));
        for (Index i = 0; i < 7 * columns; ++i)
            check(std::isnan(result.memory[many(i)]) == (i / columns == 3), "NaN in place %td of %td columns", i, columns);
    }
}

}  // namespace

void run_test() {
    test_sizes();
    test_large();
    test_strides();
    test_nothing();
    test_not_a_number();
}
