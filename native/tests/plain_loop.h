// `lstmn` and `fusion` as plain loops over the equations, in double: what the kernels are held against.
//
// Equation numbers are those of Cheng, Dong and Lapata (2016). Nothing of the kernels' source is used.

#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "readhead_fusion.h"

using Count = std::int64_t;
using Doubles = std::vector<double>;
using Bytes = std::vector<std::uint8_t>;

inline std::size_t many(Count count) {
    return static_cast<std::size_t>(count);
}

/// The sizes and masks of a call. source_slots: S, of `fusion`.
struct Shape {
    readhead_lstmn_sizes sizes;
    Count source_slots;
    Bytes mask, written, source_mask;
};

/// What a call reads as numbers, and what there is a gradient by: first of `lstmn`, then what `fusion` has besides.
template <class Number>
struct Arrays {
    std::vector<Number> inputs, attend_hidden, attend_input, attend_blend, attend_bias, attend_score;
    std::vector<Number> gate_input, gate_blend, gate_bias, hidden_tape, memory_tape, blend;
    std::vector<Number> fuse_source, fuse_input, fuse_blend, fuse_bias, fuse_score;
    std::vector<Number> gate_source_input, gate_source_blend, gate_source_bias;
    std::vector<Number> source_hidden, source_memory, source_blend;
};

/// What a call writes: first of `lstmn`, then what `fusion` has besides.
template <class Number>
struct Outputs {
    std::vector<Number> hidden, memory, attention, blend;
    std::vector<Number> source_attention, source_blend;
};

/// Rows one behind the other, of `columns` numbers each.
inline Doubles row_of(const Doubles& rows, Count row, Count columns) {
    return Doubles(rows.begin() + row * columns, rows.begin() + (row + 1) * columns);
}

inline void add_row(const Doubles& row, double factor, Doubles& to) {
    for (std::size_t j = 0; j < row.size(); ++j) to[j] += factor * row[j];
}

/// W x, added. weight: [rows of `to`, columns], as torch has it.
inline void add_product(const Doubles& weight, const Doubles& x, Doubles& to) {
    for (std::size_t i = 0; i < to.size(); ++i)
        for (std::size_t j = 0; j < x.size(); ++j) to[i] += weight[i * x.size() + j] * x[j];
}

inline void write_row(const Doubles& row, Count place, Doubles& to) {
    std::copy(row.begin(), row.end(), to.begin() + place * static_cast<Count>(row.size()));
}

inline double sigmoid_of(double x) {
    return 1 / (1 + std::exp(-x));
}

/// place: which of the outputs' columns its weight stands in.
struct PlainSlot {
    Count place;
    Doubles key, hidden, memory;
};

/// What a token reads of a tape; of no slots, zeros.
struct PlainRead {
    Doubles weights, hidden, memory;
};

inline double plain_score(const Doubles& key, const Doubles& query, const Doubles& score) {
    double sum = 0;
    for (std::size_t j = 0; j < key.size(); ++j) sum += score[j] * std::tanh(key[j] + query[j]);
    return sum;
}

/// The slots from `begin` on are read.
inline PlainRead read_plainly(const std::vector<PlainSlot>& slots, std::size_t begin, const Doubles& query,
                              const Doubles& score) {
    PlainRead read{{}, Doubles(query.size()), Doubles(query.size())};
    double largest = -HUGE_VAL, sum = 0;
    for (std::size_t n = begin; n < slots.size(); ++n) {
        read.weights.push_back(plain_score(slots[n].key, query, score));
        largest = std::max(largest, read.weights.back());
    }
    for (double& weight : read.weights) sum += weight = std::exp(weight - largest);
    for (std::size_t n = begin; n < slots.size(); ++n) {
        double& weight = read.weights[n - begin] /= sum;
        add_row(slots[n].hidden, weight, read.hidden);
        add_row(slots[n].memory, weight, read.memory);
    }
    return read;
}

/// One call. fused: whether there is a source, so that it is `fusion`.
class PlainLoop {
public:
    PlainLoop(const Shape& shape, const Arrays<double>& given, bool fused)
        : shape_(shape), sizes_(shape.sizes), given_(given), fused_(fused) {}

    Outputs<double> run() {
        const Count all = sizes_.texts * sizes_.tokens;
        out_ = {Doubles(many(all * sizes_.dim)), Doubles(many(all * sizes_.dim)),
                Doubles(many(all * (sizes_.slots + sizes_.tokens))), Doubles(many(sizes_.texts * sizes_.dim)),
                Doubles(many(fused_ ? all * shape_.source_slots : 0)),
                Doubles(many(fused_ ? sizes_.texts * sizes_.dim : 0))};
        for (Count text = 0; text < sizes_.texts; ++text) read_text(text);
        return out_;
    }

private:
    std::vector<PlainSlot> slots_of(Count text, Count count, const Bytes& is_there, const Doubles& weight,
                                    const Doubles& hidden, const Doubles& memory) const {
        std::vector<PlainSlot> slots;
        for (Count n = 0; n < count; ++n) {
            const Count row = text * count + n;
            if (is_there[many(row)] == 0) continue;
            slots.push_back({n, Doubles(many(sizes_.dim)), row_of(hidden, row, sizes_.dim),
                             row_of(memory, row, sizes_.dim)});
            add_product(weight, slots.back().hidden, slots.back().key);
        }
        return slots;
    }

    void read_text(Count text) {
        std::vector<PlainSlot> tape = slots_of(text, sizes_.slots, shape_.written, given_.attend_hidden,
                                               given_.hidden_tape, given_.memory_tape);
        std::vector<PlainSlot> source;
        Doubles blend = row_of(given_.blend, text, sizes_.dim), source_blend;
        if (fused_) {
            source = slots_of(text, shape_.source_slots, shape_.source_mask, given_.fuse_source, given_.source_hidden,
                              given_.source_memory);
            source_blend = row_of(given_.source_blend, text, sizes_.dim);
        }
        for (Count t = 0; t < sizes_.tokens; ++t)
            if (shape_.mask[many(text * sizes_.tokens + t)] != 0) read_token(text, t, source, tape, blend, source_blend);
        write_row(blend, text, out_.blend);
        if (fused_) write_row(source_blend, text, out_.source_blend);
    }

    void read_token(Count text, Count t, const std::vector<PlainSlot>& source, std::vector<PlainSlot>& tape,
                    Doubles& blend, Doubles& source_blend) {
        const Count token = text * sizes_.tokens + t, span = sizes_.span;
        const Doubles x = row_of(given_.inputs, token, sizes_.input_dim);
        const std::size_t begin = span == 0 || tape.size() < many(span) ? 0 : tape.size() - many(span);
        Doubles query = given_.attend_bias;
        add_product(given_.attend_input, x, query);
        add_product(given_.attend_blend, blend, query);
        const PlainRead read = read_plainly(tape, begin, query, given_.attend_score);  // eq. (4)-(6)
        blend = read.hidden;
        for (std::size_t n = begin; n < tape.size(); ++n)
            out_.attention[many(token * (sizes_.slots + sizes_.tokens) + tape[n].place)] = read.weights[n - begin];
        const Doubles added = fused_ ? read_source(token, x, source, source_blend) : Doubles(many(sizes_.dim));

        Doubles sums = given_.gate_bias;
        add_product(given_.gate_input, x, sums);
        add_product(given_.gate_blend, blend, sums);
        PlainSlot slot{sizes_.slots + t, Doubles(many(sizes_.dim)), {}, {}};
        for (std::size_t j = 0, dim = many(sizes_.dim); j < dim; ++j) {
            const double i = sigmoid_of(sums[j]), f = sigmoid_of(sums[dim + j]), o = sigmoid_of(sums[2 * dim + j]);
            slot.memory.push_back(f * read.memory[j] + i * std::tanh(sums[3 * dim + j]) + added[j]);  // eq. (8), (15)
            slot.hidden.push_back(o * std::tanh(slot.memory[j]));                                     // eq. (9), (16)
        }
        add_product(given_.attend_hidden, slot.hidden, slot.key);
        write_row(slot.hidden, token, out_.hidden);
        write_row(slot.memory, token, out_.memory);
        tape.push_back(slot);
    }

    /// r ⊙ α̃.
    Doubles read_source(Count token, const Doubles& x, const std::vector<PlainSlot>& source, Doubles& source_blend) {
        Doubles query = given_.fuse_bias, gate = given_.gate_source_bias;
        add_product(given_.fuse_input, x, query);
        add_product(given_.fuse_blend, source_blend, query);
        PlainRead read = read_plainly(source, 0, query, given_.fuse_score);  // eq. (11)-(13)
        source_blend = read.hidden;
        for (std::size_t n = 0; n < source.size(); ++n)
            out_.source_attention[many(token * shape_.source_slots + source[n].place)] = read.weights[n];
        add_product(given_.gate_source_input, x, gate);
        add_product(given_.gate_source_blend, source_blend, gate);
        for (std::size_t j = 0; j < gate.size(); ++j) read.memory[j] *= sigmoid_of(gate[j]);  // eq. (14)
        return read.memory;
    }

    const Shape& shape_;
    const readhead_lstmn_sizes& sizes_;
    const Arrays<double>& given_;
    const bool fused_;
    Outputs<double> out_;
};
