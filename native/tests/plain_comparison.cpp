#include "plain_comparison.h"

#include "random_task.h"

namespace {

constexpr const char* input_names[] = {
    "inputs", "attend_hidden", "attend_input", "attend_blend", "attend_bias", "attend_score",
    "gate_input", "gate_blend", "gate_bias", "hidden_tape", "memory_tape", "blend",
    "fuse_source", "fuse_input", "fuse_blend", "fuse_bias", "fuse_score",
    "gate_source_input", "gate_source_blend", "gate_source_bias", "source_hidden", "source_memory", "source_blend"};
constexpr const char* output_names[] = {"hidden", "memory", "attention", "blend", "source_attention", "source_blend"};

constexpr Kind kinds[] = {
    {"dense", 0, 0, false, 0, 0, 0, 2e-6},
    {"ragged", 4, 0, true, 0, 0, 0, 2e-6},
    {"span", 3, 2, true, 0, 0, 0, 2e-6},
    {"keys up to the guard", 2, 0, true, 32.9, 32.9, 0, 2e-5},
    {"keys of tokens beyond the guard", 2, 0, true, 80, 0, 0, 1e-5},
    {"keys of the tape beyond the guard", 3, 4, true, 0, 80, 0, 4e-4},  // h̃ of 80, which goes into every sum
    {"queries of a hundred", 2, 0, true, 0, 0, 100, 1e-5},
};

constexpr Count sizes[][3] = {  // B, T, D
    {1, 1, 1}, {1, 1, 7}, {1, 1, 17}, {1, 5, 1}, {1, 5, 7}, {1, 5, 17}, {1, 9, 1}, {1, 9, 7}, {1, 9, 17},
    {3, 1, 1}, {3, 1, 7}, {3, 1, 17}, {3, 5, 1}, {3, 5, 7}, {3, 5, 17}, {3, 9, 1}, {3, 9, 7}, {3, 9, 17},
    {0, 5, 7}, {3, 0, 7},
};

/// Σ of the outputs, each times the gradient by it.
double loss(const Task& task, const InArrays<double>& given) {
    const OutArrays<double> outputs = plain_loop(task.shape, given);
    double sum = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        for (std::size_t j = 0; j < task.by_outputs[i].size(); ++j) sum += task.by_outputs[i][j] * outputs[i][j];
    return sum;
}

struct Worst {
    double output = 0, gradient = 0;
};

void compare_outputs(const Task& task, const OutArrays<float>& found, const Kind& kind, Worst& worst) {
    const OutArrays<double> wanted = plain_loop(task.shape, task.given);
    for (std::size_t i = 0; i < wanted.size(); ++i)
        for (std::size_t j = 0; j < wanted[i].size(); ++j) {
            const double error = std::abs(found[i][j] - wanted[i][j]) / std::max(1., std::abs(wanted[i][j]));
            worst.output = std::max(worst.output, error);
            check(error <= kind.room, "%s: %s[%zu] = %.9g, not %.9g", kind.name, output_names[i], j,
                  double{found[i][j]}, wanted[i][j]);
        }
}

/// Along a direction of ones and minus ones in one array: gradient · direction is what the loss gains.
void compare_gradient(const Task& task, std::size_t array, const std::vector<float>& found, const Kind& kind,
                      Random& random, Worst& worst) {
    constexpr double step = 1e-6;
    InArrays<double> ahead = task.given, behind = task.given;
    double along = 0, size = 1;
    for (std::size_t j = 0; j < found.size(); ++j) {
        const double direction = random.coin() ? 1 : -1;
        ahead[array][j] += step * direction;
        behind[array][j] -= step * direction;
        along += direction * found[j];
        size += std::abs(found[j]);
    }
    const double wanted = (loss(task, ahead) - loss(task, behind)) / (2 * step);
    const double error = std::abs(along - wanted) / size;
    worst.gradient = std::max(worst.gradient, error);
    check(error <= kind.room, "%s: the gradient by %s is %.9g along a direction, not %.9g", kind.name,
          input_names[array], along, wanted);
}

template <std::size_t count>
void check_same(const std::array<std::vector<float>, count>& one, const std::array<std::vector<float>, count>& other,
                const char* const* names, const char* what) {
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < one[i].size(); ++j)
            check(one[i][j] == other[i][j], "%s[%zu] is %.9g, and %s %.9g", names[i], j, double{one[i][j]}, what,
                  double{other[i][j]});
}

void run(const KernelCall& call) {
    check(call.forward() == READHEAD_DONE && call.backward() == READHEAD_DONE, "the call is not done");
}

/// With packed weights, and nothing kept, the answer is the same.
void test_inference(const Task& task, const CallMemory& learning) {
    CallMemory memory(task);
    KernelCall call(memory);
    std::vector<float> packed(many(readhead_lstmn_packed_size(&call.sizes)));
    readhead_lstmn_pack(&call.sizes, &call.weights, packed.data());
    if (!call.fused) call.packed = packed.data();
    call.kept = nullptr;
    check(call.forward() == READHEAD_DONE, "the call for inference is not done");
    check_same(learning.outputs, memory.outputs, output_names, "for inference");
}

/// Three threads give what one gives, to the bit; and the second of two calls what the first gave.
void test_task(const Task& task, const Kind& kind, Random& random, Worst& worst) {
    Task threaded = task;
    threaded.shape.sizes.threads = 3;
    CallMemory first(task), split(threaded), second(task);
    for (CallMemory* memory : {&first, &split, &second}) run(KernelCall(*memory));
    compare_outputs(task, second.outputs, kind, worst);
    for (std::size_t i = 0; i < second.gradients.size(); ++i)
        if (!second.gradients[i].empty()) compare_gradient(task, i, second.gradients[i], kind, random, worst);
    for (const CallMemory* other : {&first, &split}) {
        const char* what = other == &first ? "in the call before" : "on three threads";
        check_same(second.outputs, other->outputs, output_names, what);
        check_same(second.gradients, other->gradients, input_names, what);
    }
    test_inference(task, second);
}

}  // namespace

void test_against_plain_loop(bool fused) {
    Random random;
    for (const Kind& kind : kinds) {
        Worst worst;
        std::size_t without = 0;
        for (const auto& [texts, tokens, dim] : sizes) {
            const Task task = random_task(fused, kind, texts, tokens, dim, without++ % 8, random);
            test_task(task, kind, random, worst);
        }
        std::printf("%s: error of outputs %.2g, of gradients %.2g\n", kind.name, worst.output, worst.gradient);
    }
}
