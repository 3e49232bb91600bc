// heed: the program users type.
#include <cstdio>
#include <string_view>

int main(int count, char** arguments) {
  if (count == 2 && std::string_view(arguments[1]) == "--version") {
    std::puts("heed " HEED_VERSION);
    return 0;
  }
  std::fputs("heed: the commands are on their way; heed --version works\n", stderr);
  return 2;
}
