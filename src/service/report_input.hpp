// A report that somebody brings: another tool's in any format that is known, or a list of findings as `emend
// fix --findings` takes it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "formats/reader.hpp"
#include "ports/repository.hpp"

namespace emend {

class ReportInput {
public:
  // from: one of format_names(). ErrorCode::usage when "auto" does not find out, or the name is none.
  [[nodiscard]] static Result<ReportInput> recognise(ReportText& report, const std::string& from,
                                                     const std::string& file_name);
  [[nodiscard]] static std::vector<std::string> format_names(); // "auto" first

  [[nodiscard]] std::string_view format() const { return other_ ? to_string(*other_) : "findings"; }
  // One finding after the other, placed in the files of `commit`; see stream_findings. Returns the notes.
  [[nodiscard]] Result<std::vector<std::string>> read(ReportText& report, const std::string& tool,
                                                      Repository& repository, const std::string& commit,
                                                      const std::function<void(Finding&&)>& take) const;

private:
  explicit ReportInput(std::optional<InputFormat> other) : other_(other) {}
  std::optional<InputFormat> other_; // nullopt = a list of findings
};

} // namespace emend
