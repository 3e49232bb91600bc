// heed-torch: the commands that need tensors.
#include <cstdio>

#include <ATen/ops/zeros.h>

int main() { return at::zeros({1}).numel() == 1 ? 0 : 1; }
