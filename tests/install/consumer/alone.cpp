// A program outside heed's tree that links heed::heed only: it translates a line, and loads no LibTorch.
#include <heed/heed.h>

#include <cstdio>

int main(int, char** arguments) {
  const heed::Translator translator = heed::Translator::open(arguments[1], {.device = "cpu"});
  std::printf("%s\n", translator.translate({arguments[2]})[0].text.c_str());
}
