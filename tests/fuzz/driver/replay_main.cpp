// fuzz_replay CORPUS [ROUNDS [SEED]]: every file of tests/fuzz/corpus once through every target, then ROUNDS
// damaged copies of each through its own. fuzz_replay TARGET FILE...: only these, to look at a crash. An
// ordinary build without a fuzzing engine suffices.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace emend;

constexpr const char* kCrashFile = "fuzz-crash";
std::string running_input; // what the target is reading; kept when it crashes

void keep_input(int signal) {
  const int file = ::open(kCrashFile, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  [[maybe_unused]] ssize_t written = ::write(file, running_input.data(), running_input.size());
  constexpr char words[] = "the input is in fuzz-crash\n";
  written = ::write(STDERR_FILENO, words, sizeof words - 1);
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

bool feed(const std::string& name, fuzz::Target target, std::string input, const std::string& origin) {
  running_input = std::move(input);
  const auto start = std::chrono::steady_clock::now();
  target(running_input);
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
  if (took.count() > 20'000)
    std::fprintf(stderr, "%s took %lld ms for %s\n", name.c_str(), static_cast<long long>(took.count()),
                 origin.c_str());
  return took.count() <= 20'000;
}

// The ways a text gets damaged: bits, bytes, cuts, repetitions, and what readers trip over.
std::string damaged(std::string text, std::mt19937_64& random) {
  static const std::vector<std::string> tokens = {std::string(1, '\0'),
                                                  "\"",
                                                  "{",
                                                  "}",
                                                  "[",
                                                  "]",
                                                  "\\",
                                                  "\n",
                                                  "\r\n",
                                                  "\xff",
                                                  "\xe2\x80\xae",
                                                  "-1",
                                                  "99999999999999999999",
                                                  "1e999",
                                                  "null",
                                                  "\\ud800",
                                                  "<![CDATA[",
                                                  "]]>",
                                                  "&#x110000;",
                                                  "%s",
                                                  "'''",
                                                  "---\n",
                                                  ":",
                                                  "\t"};
  const auto below = [&](std::size_t bound) {
    return bound == 0 ? 0 : static_cast<std::size_t>(random() % bound);
  };
  for (std::size_t n = 1 + below(4); n > 0; --n) {
    const std::size_t at = below(text.size() + 1),
                      length = below(std::min<std::size_t>(text.size() - at, 40) + 1);
    switch (below(6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(random());
        break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, tokens[below(tokens.size())]); break;
      case 3: text.insert(below(text.size() + 1), text.substr(at, length)); break;
      case 4: text.resize(at); break;
      default:
        for (std::size_t i = at; i < at + length; ++i)
          text[i] = static_cast<char>(text[i] ^ (1U << below(8)));
        break;
    }
  }
  return text;
}

std::vector<fs::path> files_below(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

int replay_all(const fs::path& corpus, std::uint64_t rounds, std::uint64_t seed) {
  const std::vector<fs::path> files = files_below(corpus);
  std::size_t runs = 0;
  for (const auto& [name, target] : fuzz::targets()) {
    if (!fs::is_directory(corpus / name))
      return std::fprintf(stderr, "the target %s has no corpus\n", name.c_str()), 2;
    for (const fs::path& file : files) {
      const auto bytes = read_file(file);
      if (!bytes || !feed(name, target, *bytes, file)) return 1;
      ++runs;
    }
    std::mt19937_64 random(seed);
    for (const fs::path& file : files_below(corpus / name)) {
      const auto bytes = read_file(file);
      for (std::uint64_t i = 0; bytes && i < rounds; ++i, ++runs)
        if (!feed(name, target, damaged(*bytes, random), file)) return 1;
    }
  }
  std::printf("%zu targets, %zu files, %zu runs\n", fuzz::targets().size(), files.size(), runs);
  return files.empty() ? 2 : 0;
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) std::signal(signal, keep_input);
  const auto found = words.empty() ? fuzz::targets().end() : fuzz::targets().find(words[0]);
  if (found == fuzz::targets().end() && !words.empty() && words.size() <= 3 && fs::is_directory(words[0]))
    return replay_all(words[0], words.size() > 1 ? parse_unsigned(words[1]).value_or(0) : 0,
                      words.size() > 2 ? parse_unsigned(words[2]).value_or(0) : 1);
  if (found == fuzz::targets().end())
    return std::fprintf(stderr, "usage: fuzz_replay CORPUS [ROUNDS [SEED]] | fuzz_replay TARGET FILE...\n"),
           2;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto bytes = read_file(words[i]);
    if (!bytes) return std::fprintf(stderr, "%s\n", bytes.error().message.c_str()), 2;
    if (!feed(found->first, found->second, *bytes, words[i])) return 1;
  }
  return 0;
}
