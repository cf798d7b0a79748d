// Which files are worth an analyzer's time: not what others wrote (vendored), not what programs wrote
// (generated), not binaries.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/analyzers/foreign_code.hpp"
#include "adapters/analyzers/source_tree.hpp"

namespace emend {

struct FileChoice {
  std::vector<std::string> kept;
  std::map<std::string, int> left_out; // reason -> how many
  std::vector<std::string> unreadable; // these must not be taken for clean
};

// Empty = keep; else "vendored", "build output", "minified", "unusual name".
[[nodiscard]] std::string_view reason_by_name(std::string_view file);
// Empty = keep; else "binary", "generated", "minified": by the file's first few thousand bytes.
[[nodiscard]] std::string_view reason_by_content(std::string_view file, const std::string& path);

[[nodiscard]] FileChoice choose_files(const std::vector<std::string>& files, const SourceTree& tree,
                                      ForeignCode& foreign, std::uint64_t max_bytes);
// "3 files left out: 2 generated, 1 binary"; empty when none were.
[[nodiscard]] std::string left_out_text(const FileChoice& choice);

// The file's first bytes, at most `count`; empty when it cannot be read.
[[nodiscard]] std::string head_of_file(const std::string& path, std::size_t count);

[[nodiscard]] std::string_view file_name(std::string_view path);
// Lower case, without the dot: "cpp". Empty for "Makefile" and ".bashrc".
[[nodiscard]] std::string extension(std::string_view path);
[[nodiscard]] bool has_extension(std::string_view path, std::initializer_list<std::string_view> extensions);
[[nodiscard]] bool has_extension(std::string_view path, const std::vector<std::string>& extensions);
// Whether one of the path's directories has one of these names.
[[nodiscard]] bool in_directory(std::string_view path, std::initializer_list<std::string_view> names);
// Tests, examples, benchmarks, documentation: no user of the product runs it.
[[nodiscard]] bool is_sample(std::string_view path);
// Text for people: changing it changes no program.
[[nodiscard]] bool is_prose(std::string_view path);

} // namespace emend
