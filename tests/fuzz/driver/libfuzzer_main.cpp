// The entry for libFuzzer: emend_fuzz --target=NAME [libFuzzer's options] CORPUS...
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/fuzz.hpp"

namespace {

emend::fuzz::Target chosen = nullptr;

} // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view flag = "--target=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view word = (*argv)[i];
    const auto& all = emend::fuzz::targets();
    if (!word.starts_with(flag)) continue;
    if (const auto found = all.find(std::string(word.substr(flag.size()))); found != all.end())
      chosen = found->second;
  }
  if (chosen != nullptr) return 0;
  std::fprintf(stderr, "say which target with --target=NAME:\n");
  for (const auto& [name, target] : emend::fuzz::targets()) std::fprintf(stderr, "  %s\n", name.c_str());
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
