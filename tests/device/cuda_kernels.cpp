// Which operators have no kernel for CUDA: cuda_kernels FILE, with a name such as "aten::add.Tensor" a line. Built
// against a LibTorch with CUDA by check_cuda_kernels.sh; it needs no GPU.
#include <ATen/core/dispatch/Dispatcher.h>

#include <fstream>
#include <iostream>
#include <string>

int main(int count, char** arguments) {
  std::ifstream file(count == 2 ? arguments[1] : "");
  int operators = 0, missing = 0;
  for (std::string name; std::getline(file, name); ++operators) {
    const size_t dot = name.find('.');
    const std::string overload = dot == std::string::npos ? "" : name.substr(dot + 1);
    const auto found = c10::Dispatcher::singleton().findSchema({name.substr(0, dot), overload});
    if (found && found->hasComputedKernelForDispatchKey(c10::DispatchKey::CUDA)) continue;
    std::cout << "no CUDA kernel: " << name << '\n';
    ++missing;
  }
  std::cout << operators << " operators, " << missing << " without a CUDA kernel\n";
  return operators > 0 && missing == 0 ? 0 : 1;
}
