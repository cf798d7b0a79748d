// One function per input format; reader.cpp chooses. Inside this folder only.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "formats/finding_sink.hpp"
#include "formats/report_text.hpp"

namespace emend {

// Such a report may be too large to be in memory. It is read twice.
[[nodiscard]] Status read_sarif(const ReportText& report, FindingSink& sink);
[[nodiscard]] Status read_rdjson(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_rdjsonl(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_eslint(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_checkstyle(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_gitlab(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_junit(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_gcc(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_shellcheck(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_clang_tidy(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_cppcheck(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_ruff(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_flake8(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_pyflakes(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_biome(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_codespell(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_cargo(std::string_view text, FindingSink& sink);
[[nodiscard]] Status read_text(std::string_view text, FindingSink& sink);

} // namespace emend
