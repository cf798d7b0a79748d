// A SARIF text taken apart while it is read: what its runs say about themselves is short, their results may
// be gigabytes. So no more of it is in memory than the one, and a piece of the other.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "formats/report_text.hpp"

namespace emend {

// Some results of a run.
struct SarifPiece {
  std::size_t run = 0;      // which of "runs"
  std::uint64_t offset = 0; // where the first byte of `json` would stand in the report
  std::string json;         // a list, with room for the parser at its end; may be changed
};

// What is left of the text: the same document, all of whose lists of results are empty.
struct SarifRest {
  std::string json;                                          // with room for the parser at its end
  std::vector<std::pair<std::size_t, std::uint64_t>> pieces; // from where on it is from where in the report

  // The place in the report of a byte of `json`.
  [[nodiscard]] std::uint64_t offset_of(std::size_t at) const;
};

// `take`, which may be empty, is called for all results in order; a row is never cut. The first that is not
// well formed, and the first error of `take`, ends it: ErrorCode::usage that says where.
[[nodiscard]] Result<SarifRest> take_sarif_apart(const ReportText& report,
                                                 const std::function<Status(SarifPiece&)>& take);

// "not a SARIF report: ... near byte N (line M)". member: where in the document; may be empty.
[[nodiscard]] Status broken_sarif(const ReportText& report, simdjson::error_code error, std::uint64_t offset,
                                  std::string_view member = {});

// Programs written for Node emit halves of surrogate pairs; the parser would refuse the whole text for one of
// them.
void repair_surrogates(std::string& json);

} // namespace emend
