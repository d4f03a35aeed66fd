#include "plain_loop.h"

#include <algorithm>
#include <cmath>

Doubles row_of(const Doubles& rows, Count row, Count columns) {
    return Doubles(rows.begin() + row * columns, rows.begin() + (row + 1) * columns);
}

void add_product(const Doubles& weight, const Doubles& x, Doubles& to) {
    for (std::size_t i = 0; i < to.size(); ++i)
        for (std::size_t j = 0; j < x.size(); ++j) to[i] += weight[i * x.size() + j] * x[j];
}

namespace {

void write_row(const Doubles& row, Count place, Doubles& to) {
    std::copy(row.begin(), row.end(), to.begin() + place * static_cast<Count>(row.size()));
}

void add_row(const Doubles& row, double factor, Doubles& to) {
    for (std::size_t j = 0; j < row.size(); ++j) to[j] += factor * row[j];
}

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

/// place: the column of the outputs that its weight stands in.
struct Slot {
    Count place;
    Doubles key, hidden, memory;
};

/// What a token reads of a tape: of no slots, zeros.
struct Read {
    Doubles weights, hidden, memory;
};

double score_of(const Doubles& key, const Doubles& query, const Doubles& score) {
    double sum = 0;
    for (std::size_t j = 0; j < key.size(); ++j) sum += score[j] * std::tanh(key[j] + query[j]);
    return sum;
}

/// Reads the slots from `begin` on.
Read read_slots(const std::vector<Slot>& slots, std::size_t begin, const Doubles& query,
                const Doubles& score) {
    Read read{{}, Doubles(query.size()), Doubles(query.size())};
    double largest = -HUGE_VAL, sum = 0;
    for (std::size_t n = begin; n < slots.size(); ++n) {
        read.weights.push_back(score_of(slots[n].key, query, score));
        largest = std::max(largest, read.weights.back());
    }
    for (double& weight : read.weights) sum += weight = std::exp(weight - largest);
    for (std::size_t n = begin; n < slots.size(); ++n) {
        const double weight = read.weights[n - begin] /= sum;
        add_row(slots[n].hidden, weight, read.hidden);
        add_row(slots[n].memory, weight, read.memory);
    }
    return read;
}

/// A call, text after text and token after token.
class PlainLoop {
public:
    PlainLoop(const Shape& shape, const InArrays<double>& given)
        : shape_(shape), sizes_(shape.sizes), dim_(many(shape.sizes.dim)), given_(given) {}

    OutArrays<double> run() {
        const std::size_t texts = many(sizes_.texts), tokens = texts * many(sizes_.tokens);
        for (const std::size_t of_tokens : {Out::hidden, Out::memory}) out_[of_tokens].resize(tokens * dim_);
        out_[Out::attention].resize(tokens * many(sizes_.slots + sizes_.tokens));
        out_[Out::blend].resize(texts * dim_);
        if (shape_.fused) {
            out_[Out::source_attention].resize(tokens * many(shape_.source_slots));
            out_[Out::source_blend].resize(texts * dim_);
        }
        for (Count text = 0; text < sizes_.texts; ++text) read_text(text);
        return out_;
    }

private:
    /// The slots of a text that there are, of `count`. keys: the weight that makes their keys of their h.
    std::vector<Slot> slots_of(Count text, Count count, const Bytes& is_there, const Doubles& keys,
                                    const Doubles& hidden, const Doubles& memory) const {
        std::vector<Slot> slots;
        for (Count n = 0, row = text * count; n < count; ++n, ++row) {
            if (is_there[many(row)] == 0) continue;
            slots.push_back({n, Doubles(dim_), row_of(hidden, row, sizes_.dim), row_of(memory, row, sizes_.dim)});
            add_product(keys, slots.back().hidden, slots.back().key);
        }
        return slots;
    }

    void read_text(Count text) {
        tape_ = slots_of(text, sizes_.slots, shape_.written, given_[In::attend_hidden], given_[In::hidden_tape],
                         given_[In::memory_tape]);
        blend_ = row_of(given_[In::blend], text, sizes_.dim);
        if (shape_.fused) {
            source_ = slots_of(text, shape_.source_slots, shape_.source_mask, given_[In::fuse_source],
                               given_[In::source_hidden], given_[In::source_memory]);
            source_blend_ = row_of(given_[In::source_blend], text, sizes_.dim);
        }
        for (Count t = 0; t < sizes_.tokens; ++t)
            if (shape_.mask[many(text * sizes_.tokens + t)] != 0) read_token(text * sizes_.tokens + t, t);
        write_row(blend_, text, out_[Out::blend]);
        if (shape_.fused) write_row(source_blend_, text, out_[Out::source_blend]);
    }

    void read_token(Count token, Count t) {
        const Doubles x = row_of(given_[In::inputs], token, sizes_.input_dim);
        const Read read = read_tape(token, x);
        const Doubles added = shape_.fused ? read_source(token, x) : Doubles(dim_);
        Doubles sums = given_[In::gate_bias];
        add_product(given_[In::gate_input], x, sums);
        add_product(given_[In::gate_blend], blend_, sums);  // eq. (7)
        Slot slot{sizes_.slots + t, Doubles(dim_), Doubles(dim_), Doubles(dim_)};
        for (std::size_t j = 0; j < dim_; ++j) {
            const double i = sigmoid(sums[j]), f = sigmoid(sums[dim_ + j]);
            const double o = sigmoid(sums[2 * dim_ + j]), candidate = std::tanh(sums[3 * dim_ + j]);
            slot.memory[j] = f * read.memory[j] + i * candidate + added[j];  // eq. (8), (15)
            slot.hidden[j] = o * std::tanh(slot.memory[j]);                  // eq. (9), (16)
        }
        add_product(given_[In::attend_hidden], slot.hidden, slot.key);
        write_row(slot.hidden, token, out_[Out::hidden]);
        write_row(slot.memory, token, out_[Out::memory]);
        tape_.push_back(slot);
    }

    Read read_tape(Count token, const Doubles& x) {
        Doubles query = given_[In::attend_bias];
        add_product(given_[In::attend_input], x, query);
        add_product(given_[In::attend_blend], blend_, query);
        const std::size_t span = sizes_.span == 0 ? tape_.size() : many(sizes_.span);
        const std::size_t begin = tape_.size() - std::min(span, tape_.size());
        const Read read = read_slots(tape_, begin, query, given_[In::attend_score]);  // eq. (4)-(6)
        for (std::size_t n = 0; n < read.weights.size(); ++n) {
            const Count column = tape_[begin + n].place;
            out_[Out::attention][many(token * (sizes_.slots + sizes_.tokens) + column)] = read.weights[n];
        }
        blend_ = read.hidden;
        return read;
    }

    /// r ⊙ α̃.
    Doubles read_source(Count token, const Doubles& x) {
        Doubles query = given_[In::fuse_bias], gate = given_[In::gate_source_bias];
        add_product(given_[In::fuse_input], x, query);
        add_product(given_[In::fuse_blend], source_blend_, query);
        Read read = read_slots(source_, 0, query, given_[In::fuse_score]);  // eq. (11)-(13)
        for (std::size_t n = 0; n < source_.size(); ++n)
            out_[Out::source_attention][many(token * shape_.source_slots + source_[n].place)] = read.weights[n];
        source_blend_ = read.hidden;
        add_product(given_[In::gate_source_input], x, gate);
        add_product(given_[In::gate_source_blend], source_blend_, gate);
        for (std::size_t j = 0; j < dim_; ++j) read.memory[j] *= sigmoid(gate[j]);  // eq. (14)
        return read.memory;
    }

    const Shape& shape_;
    const readhead_lstmn_sizes& sizes_;
    const std::size_t dim_;
    const InArrays<double>& given_;
    std::vector<Slot> tape_, source_;
    Doubles blend_, source_blend_;
    OutArrays<double> out_;
};

}  // namespace

OutArrays<double> plain_loop(const Shape& shape, const InArrays<double>& given) {
    return PlainLoop(shape, given).run();
}
