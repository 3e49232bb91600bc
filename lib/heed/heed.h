// What a program needs to translate with a model that is trained: heed::Translator opens it, translates, scores and
// aligns; wrong input throws heed::Error. The program links heed::heed, or heed::heed_torch for models and functions
// that need LibTorch.
//
//   #include <heed/heed.h>
//
//   const heed::Translator translator = heed::Translator::open("models/en-de");
//   for (const heed::Translation& translation : translator.translate({"The cat sleeps.", "A second line."})) {
//     std::puts(translation.text.c_str());
//   }
//
// docs/guide/library.md has more, and describes the modules below.
#pragma once

#include "heed/api/translator.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
