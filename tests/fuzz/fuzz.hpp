// Fuzz targets: each reads any bytes and must neither crash, hang nor break a promise of the code it calls.
// See docs/fuzzing.md.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace emend::fuzz {

using Target = void (*)(std::string_view input);

// All that are linked in, by name; tests/fuzz/corpus/<name>/ holds where fuzzing starts from.
[[nodiscard]] std::map<std::string, Target>& targets();

struct Registration {
  Registration(const char* name, Target target) { targets()[name] = target; }
};

// Ends the process as a crash would, with the sentence, when the promise does not hold.
void promise(bool holds, const char* sentence);

} // namespace emend::fuzz

#define FUZZ_TARGET(name)                                                    \
  static void name(std::string_view input);                                  \
  static const ::emend::fuzz::Registration registration_##name(#name, name); \
  static void name(std::string_view input)
