// Calls that no kernel can answer: each says so, and writes nothing.

#include <cstring>

#include "random_task.h"

namespace {

using Way = std::int32_t (KernelCall::*)() const;
constexpr Way forward = &KernelCall::forward, backward = &KernelCall::backward;

/// A call that could be answered, but for what a test does to it.
class BadCall {
public:
    explicit BadCall(const Task& task) : memory_(task), call_(memory_) {}
    BadCall(const BadCall&) = delete;

    KernelCall& operator*() { return call_; }

    void check_refused(Way way, const char* what, std::size_t which) const {
        const std::int32_t status = (call_.*way)();
        check(status == READHEAD_BAD_CALL, "%s %zu: status %d", what, which, status);
        for (const std::vector<float>& array : memory_.outputs) check_untouched(array, what, which);
        for (const std::vector<float>& array : memory_.gradients) check_untouched(array, what, which);
        check_untouched(memory_.kept, what, which);
    }

    /// The structure's first `count` fields: each in turn is `value`.
    template <class Structure, class Value>
    void test_fields(Structure KernelCall::*part, std::size_t count, Value value, Way way, const char* what) {
        const Structure sound = call_.*part;
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(reinterpret_cast<char*>(&(call_.*part)) + i * sizeof value, &value, sizeof value);
            check_refused(way, what, i);
            call_.*part = sound;
        }
    }

    /// The structure's pointers: each in turn is null.
    template <class Structure>
    void test_nulls(Structure KernelCall::*part, Way way, const char* what, std::size_t others = 0) {
        constexpr std::size_t fields = sizeof(Structure) / sizeof(void*);
        test_fields(part, fields - others, static_cast<const void*>(nullptr), way, what);
    }

private:
    static void check_untouched(const std::vector<float>& array, const char* what, std::size_t which) {
        for (const float x : array) check(std::isnan(x), "%s %zu: something is written", what, which);
    }

    CallMemory memory_;
    KernelCall call_;
};

void test_sizes(const Task& task) {
    BadCall bad(task);
    for (const Way way : {forward, backward}) {
        bad.test_fields(&KernelCall::sizes, 7, Count{-1}, way, "-1 is size");
        for (const auto size : {&readhead_lstmn_sizes::input_dim, &readhead_lstmn_sizes::dim,
                                &readhead_lstmn_sizes::threads}) {
            const Count sound = (*bad).sizes.*size;
            (*bad).sizes.*size = 0;
            bad.check_refused(way, "0 stands for a size of", many(sound));
            (*bad).sizes.*size = sound;
        }
        if (task.shape.fused) {
            (*bad).source.slots = -1;
            bad.check_refused(way, "-1 is the source's size, of", 1);
            (*bad).source.slots = task.shape.source_slots;
        }
    }
}

void test_null_arrays(const Task& task) {
    BadCall bad(task);
    for (const Way way : {forward, backward}) {
        bad.test_nulls(&KernelCall::weights, way, "null is weight");
        bad.test_nulls(&KernelCall::texts, way, "null is text array");
        if (!task.shape.fused) continue;
        bad.test_nulls(&KernelCall::fusion_weights, way, "null is fusion weight");
        bad.test_nulls(&KernelCall::source, way, "null is source array", 1);
    }
    bad.test_nulls(&KernelCall::outputs, forward, "null is output");
    bad.test_nulls(&KernelCall::gradients, backward, "null is gradient");
    if (task.shape.fused) {
        bad.test_nulls(&KernelCall::fusion_outputs, forward, "null is fusion output");
        bad.test_nulls(&KernelCall::fusion_gradients, backward, "null is fusion gradient");
    }
    (*bad).kept = nullptr;
    bad.check_refused(backward, "null is what was kept:", 0);
}

/// One structure after the other is null.
void test_null_structures(const Task& task) {
    CallMemory memory(task);
    const KernelCall call(memory);
    for (int null = 0; null < 5; ++null) {
        const auto unless = [&](int place, const auto* part) { return place == null ? nullptr : part; };
        const std::int32_t there = readhead_lstmn_forward(unless(0, &call.sizes), unless(1, &call.weights), nullptr,
                                                          unless(2, &call.texts), unless(3, &call.outputs), nullptr);
        check(null > 3 || there == READHEAD_BAD_CALL, "lstmn, structure %d is null: status %d", null, there);
        const std::int32_t back =
            readhead_lstmn_backward(unless(0, &call.sizes), unless(1, &call.weights), unless(2, &call.texts),
                                    unless(3, &call.by_outputs), call.kept, unless(4, &call.gradients));
        check(back == READHEAD_BAD_CALL, "lstmn backward, structure %d is null: status %d", null, back);
    }
}

void test_null_fusion_structures(const Task& task) {
    CallMemory memory(task);
    const KernelCall call(memory);
    for (int null = 0; null < 9; ++null) {
        const auto unless = [&](int place, const auto* part) { return place == null ? nullptr : part; };
        const std::int32_t there = readhead_fusion_forward(
            unless(0, &call.sizes), unless(1, &call.weights), unless(2, &call.texts), unless(3, &call.fusion_weights),
            unless(4, &call.source), unless(5, &call.outputs), unless(6, &call.fusion_outputs), nullptr);
        check(null > 6 || there == READHEAD_BAD_CALL, "fusion, structure %d is null: status %d", null, there);
        const std::int32_t back = readhead_fusion_backward(
            unless(0, &call.sizes), unless(1, &call.weights), unless(2, &call.texts), unless(3, &call.fusion_weights),
            unless(4, &call.source), unless(5, &call.by_outputs), unless(6, &call.by_fusion_outputs), call.kept,
            unless(7, &call.gradients), unless(8, &call.fusion_gradients));
        check(back == READHEAD_BAD_CALL, "fusion backward, structure %d is null: status %d", null, back);
    }
}

}  // namespace

void run_test() {
    Random random;
    constexpr Kind kind{"any", 2, 0, false, 0, 0, 0, 0};
    for (const bool fused : {false, true}) {
        const Task task = random_task(fused, kind, 2, 3, 5, Out::of_fusion, random);
        test_sizes(task);
        test_null_arrays(task);
        test_null_structures(task);
        if (fused) test_null_fusion_structures(task);
    }
}
