// Triage: findings become issues, checked against the tree they speak of. Nothing is dropped; what is odd is
// annotated.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/redact.hpp"
#include "base/result.hpp"
#include "model/finding.hpp"
#include "model/issue.hpp"
#include "ports/repository.hpp"

namespace emend {

// Annotations triage may add.
inline constexpr std::string_view kFileMissing = "file_missing";   // not in the base
inline constexpr std::string_view kOutside = "outside_repository"; // the path leaves the repository
inline constexpr std::string_view kLinePastEnd = "line_past_end";
inline constexpr std::string_view kNoFile = "no_file";

// A file of the tree the findings speak of; ErrorCode::not_found when it has none of that name.
using TreeReader = std::function<Result<std::string>(const std::string& path)>;

// One look at a tree, finding by finding. Files are kept for the findings that follow, as long as they are
// not too many.
class Triage {
public:
  // Secrets in a finding's words are taken out before anything is made of them or cut, so nothing that is
  // kept or compared ever holds one, or half of one. Readers of reports leave long words whole for that.
  Triage(const RepositoryPlace& repository, TreeReader read, Redactor redactor = {});
  Triage(Triage&&) noexcept;
  ~Triage();
  [[nodiscard]] Result<Issue> issue_of(Finding finding); // without id and code: the store gives those

private:
  struct State;
  std::unique_ptr<State> state_;
};

// Issues without id and code (the store gives those), in the order of the findings.
[[nodiscard]] Result<std::vector<Issue>> triage(const std::vector<Finding>& findings,
                                                const RepositoryPlace& repository, TreeReader read,
                                                const Redactor& redactor = {});
[[nodiscard]] Result<std::vector<Issue>> triage(const std::vector<Finding>& findings, Repository& repository,
                                                const std::string& base, const Redactor& redactor = {});

// Of a finding alone in its file; see engine/fingerprint.hpp. triage() tells equal ones in one file apart by
// their order.
[[nodiscard]] std::string fingerprint(const Finding& finding, std::string_view file_content);

} // namespace emend
