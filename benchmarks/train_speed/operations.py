"""operations.py REPORT: groups the lines SHARE%|SAMPLES|OBJECT|FUNCTION of a perf report into operations, largest first.
operations.py NAME=REPORT NAME=REPORT...: the shares of several reports, in percent, side by side.

It counts samples: generated code has thousands of functions without a name, whose shares perf rounds up.
"""
import collections
import re
import sys

# the first pattern that fits decides; matched against "OBJECT FUNCTION"
OPERATIONS = [
    ("waiting and scheduling in the kernel",
     r"finish_task_switch|schedul|futex|libgomp|gomp_|irqentry|raw_spin|cond_wait|try_to_wake"),
    ("page faults and memory management of the kernel",
     r"page_fault|folio|mmap|munmap|zap_|\[kernel.*(page|mm_|_mm|vma|pte|memcg|rmqueue|lru)"),
    ("other kernel code", r"^\[kernel|^\[k\]|^\[vdso"),
    ("matrix multiplications: oneDNN", r"^\[JIT\]|^//anon|^\[anon|perf-\d+\.map|dnnl|libdnnl|jit_|ideep"),
    ("matrix multiplications: MKL", r"mkl_|libmkl|sgemm|cblas|gemm_batch"),
    ("attention: fused", r"flash_attention|_scaled_dot|cpu_flash|heed.*(Attention|Attend)"),
    ("attention: additive scores", r"heed.*Additive"),
    ("rounding to bfloat16", r"heed.*Rounding"),
    ("loss of the output layer", r"LossKernel|heed.*[lL]oss|cross_entropy|nll_loss|log_softmax|logsumexp"),
    ("dropout", r"DropoutKernel|heed.*[dD]ropout|bernoulli|philox|fused_dropout|native_dropout"),
    ("normalization", r"LayerNorm|layer_norm|RowwiseMoments|heed.*Norm(?!al)|rms_norm"),
    ("softmax", r"softmax|Sleef_\w*exp"),
    ("recurrent cells", r"heed.*([cC]ell|[lL]stm|[gG]ru|Recurrent)|_thnn|sigmoid_kernel|tanh_kernel"),
    ("optimizer and gradient norm", r"adam|Adam|sgd_fused|heed.*([cC]lip|[oO]ptimizer)|norm_kernel|NormTwo|NormOps"),
    ("embeddings and gathering", r"embedding|index_select|index_add|index_put|gather|scatter|index_kernel"),
    ("conversions and copies of tensors",
     r"copy_kernel|copy_impl|memcpy|memmove|cat_serial|cat_contig|transpose|permute|convert|cast|float_copy"),
    ("masks", r"masked_fill|where_kernel|bitwise_|logical_|compare_|eq_kernel|ne_kernel"),
    ("filling with constants", r"fill_kernel|memset|zero_"),
    ("element-wise additions and multiplications",
     r"add_kernel|mul_kernel|sub_kernel|div_|add_clamp|binary_kernel|addcmul"),
    ("activation functions", r"threshold|clamp|relu|gelu|silu|tanh|sigmoid|exp_kernel|maximum|max_kernel"),
    ("sums", r"sum|reduce|mean_kernel|cascade"),
    ("allocation", r"malloc|free|mm_account|operator new|operator delete|posix_memalign|Allocator|mi_"),
    ("other code of heed", r"heed"),
    ("overhead of autograd and dispatcher",
     r"autograd|Engine::|c10::|at::|torch::|std::|libtorch|libc10|libc\.so|ld-linux"),
]
SHOWN = 15


def operation_of(name):
    return next((operation for operation, pattern in OPERATIONS if re.search(pattern, name)), "other")


def grouped(lines):
    samples, largest = collections.Counter(), {}
    for line in lines:
        found = re.match(r"[^|]*\|\s*(\d+)\s*\|([^|]*)\|\[.\] (.*?)(\s{2,}|$)", line)  # perf may pad, and append columns
        if not found:
            continue
        count, name = int(found[1]), f"{found[2].strip()} {found[3]}"
        operation = operation_of(name)
        samples[operation] += count
        if count > largest.get(operation, (0, ""))[0]:
            largest[operation] = (count, name)
    return samples, largest


def shortened(name):
    """Without the templates that a kernel's name stands in."""
    place, _, function = name.partition(" ")
    if name.startswith("[JIT]"):
        return "generated code"
    kernel = re.search(r"\w*[kK]ernel\w*|\w+_lastdim\w*", function)
    plain = re.split(r"[<(|]", function.replace("(anonymous namespace)::", ""))[0]
    return f"{place} {kernel[0] if kernel else plain}"


def read(path):
    with open(path, encoding="utf-8") as report:
        samples, largest = grouped(report)
    if not samples:
        sys.exit(f"{path}: no line SHARE%|SAMPLES|OBJECT|FUNCTION")
    return samples, largest


def print_one(path):
    """The operations with the largest shares, and of each the largest function."""
    samples, largest = read(path)
    total = samples.total()
    print("| operation | share of the samples | its largest function |\n|---|---|---|")
    for operation, count in samples.most_common(SHOWN):
        function_count, name = largest[operation]
        print(f"| {operation} | {count / total:.1%} | `{shortened(name)}` {function_count / total:.1%} |")
    rest = sum(count for _, count in samples.most_common()[SHOWN:])
    print(f"| the other {max(0, len(samples) - SHOWN)} | {rest / total:.1%} | |")


def print_side_by_side(named):
    """A column of percentages a report, a line for every operation that is among the largest of any."""
    counts = {name: read(path)[0] for name, path in named}
    shares = {name: {operation: count / found.total() for operation, count in found.items()}
              for name, found in counts.items()}
    shown = {operation for found in counts.values() for operation, _ in found.most_common(SHOWN)}
    print("| operation |", " | ".join(shares), "|\n|---|" + "---|" * len(shares))
    for operation in sorted(shown, key=lambda each: -max(found.get(each, 0) for found in shares.values())):
        cells = (f"{100 * found[operation]:.1f}" if operation in found else "-" for found in shares.values())
        print(f"| {operation} |", " | ".join(cells), "|")


def main():
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit(__doc__.strip())
    if len(arguments) == 1:
        print_one(arguments[0])
    else:
        print_side_by_side([each.split("=", 1) if "=" in each else (each, each) for each in arguments])


if __name__ == "__main__":
    main()
