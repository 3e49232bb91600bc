"""operations.py REPORT: groups the lines SHARE%|OBJECT|FUNCTION of a perf report into operations, largest first."""
import collections
import re
import sys

# the first pattern that fits decides; matched against "OBJECT FUNCTION"
OPERATIONS = [
    ("waiting and the kernel's scheduler",
     r"finish_task_switch|schedul|futex|libgomp|gomp_|irqentry|raw_spin|cond_wait|try_to_wake"),
    ("page faults and memory of the kernel",
     r"page_fault|folio|mmap|munmap|zap_|\[kernel.*(page|mm_|_mm|vma|pte|memcg|rmqueue|lru)"),
    ("the kernel, all else", r"^\[kernel|^\[k\]|^\[vdso"),
    ("products: oneDNN", r"^\[JIT\]|^//anon|^\[anon|perf-\d+\.map|dnnl|libdnnl|jit_|ideep"),
    ("products: MKL", r"mkl_|libmkl|sgemm|cblas|gemm_batch"),
    ("attention: fused", r"flash_attention|_scaled_dot|cpu_flash|heed.*(Attention|Attend)"),
    ("attention: additive scores", r"heed.*Additive"),
    ("rounding to bfloat16", r"heed.*Rounding"),
    ("output layer's loss", r"LossKernel|heed.*[lL]oss|cross_entropy|nll_loss|log_softmax|logsumexp"),
    ("dropout", r"DropoutKernel|heed.*[dD]ropout|bernoulli|philox|fused_dropout|native_dropout"),
    ("normalization", r"LayerNorm|layer_norm|RowwiseMoments|heed.*Norm(?!al)|rms_norm"),
    ("softmax", r"softmax|Sleef_\w*exp"),
    ("recurrent cells", r"heed.*([cC]ell|[lL]stm|[gG]ru|Recurrent)|_thnn|sigmoid_kernel|tanh_kernel"),
    ("optimizer and gradient's norm", r"adam|Adam|sgd_fused|heed.*([cC]lip|[oO]ptimizer)|norm_kernel|NormTwo|NormOps"),
    ("embeddings and gathering", r"embedding|index_select|index_add|index_put|gather|scatter|index_kernel"),
    ("conversion and copies of tensors",
     r"copy_kernel|copy_impl|memcpy|memmove|cat_serial|cat_contig|transpose|permute|convert|cast|float_copy"),
    ("masks", r"masked_fill|where_kernel|bitwise_|logical_|compare_|eq_kernel|ne_kernel"),
    ("filling with constants", r"fill_kernel|memset|zero_"),
    ("additions and products by element", r"add_kernel|mul_kernel|sub_kernel|div_|add_clamp|binary_kernel|addcmul"),
    ("activation functions", r"threshold|clamp|relu|gelu|silu|tanh|sigmoid|exp_kernel|maximum|max_kernel"),
    ("sums", r"sum|reduce|mean_kernel|cascade"),
    ("allocation", r"malloc|free|mm_account|operator new|operator delete|posix_memalign|Allocator|mi_"),
    ("heed's own code, all else", r"heed"),
    ("autograd's and dispatcher's bookkeeping",
     r"autograd|Engine::|c10::|at::|torch::|std::|libtorch|libc10|libc\.so|ld-linux"),
]
SHOWN = 15


def operation_of(name):
    return next((operation for operation, pattern in OPERATIONS if re.search(pattern, name)), "all else")


def grouped(lines):
    shares, largest = collections.Counter(), {}
    for line in lines:
        found = re.match(r"\s*([\d.]+)%\s*\|([^|]*)\|\[.\] (.*?)(\s{2,}|$)", line)  # perf may pad, and append columns
        if not found:
            continue
        share, name = float(found[1]), f"{found[2].strip()} {found[3]}"
        operation = operation_of(name)
        shares[operation] += share
        if share > largest.get(operation, (0, ""))[0]:
            largest[operation] = (share, name)
    return shares, largest


def shortened(name):
    """Without the templates that a kernel's name stands in."""
    place, _, function = name.partition(" ")
    if name.startswith("[JIT]"):
        return "generated code"
    kernel = re.search(r"\w*[kK]ernel\w*|\w+_lastdim\w*", function)
    plain = re.split(r"[<(|]", function.replace("(anonymous namespace)::", ""))[0]
    return f"{place} {kernel[0] if kernel else plain}"


def main():
    with open(sys.argv[1], encoding="utf-8") as report:
        shares, largest = grouped(report)
    print("| operation | share of the samples | its largest function |\n|---|---|---|")
    for operation, share in shares.most_common(SHOWN):
        function_share, name = largest[operation]
        print(f"| {operation} | {share:.1f}% | `{shortened(name)}` {function_share:.1f}% |")
    rest = sum(share for _, share in shares.most_common()[SHOWN:])
    print(f"| the other {max(0, len(shares) - SHOWN)} | {rest:.1f}% | |")


if __name__ == "__main__":
    main()
