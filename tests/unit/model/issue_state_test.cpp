#include "model/issue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "tests/support/paths.hpp"

namespace emend {
namespace {

constexpr IssueStatus kStatuses[] = {IssueStatus::open,     IssueStatus::in_progress, IssueStatus::resolved,
                                     IssueStatus::failed,   IssueStatus::merged,      IssueStatus::ignored,
                                     IssueStatus::duplicate};
constexpr Mover kActors[] = {Mover::engine, Mover::gate, Mover::person, Mover::sync};

using Row = std::tuple<IssueStatus, IssueStatus, Mover>;

// Written out a second time on purpose: a change of the table must be meant.
std::set<Row> allowed_moves() {
  using enum IssueStatus;
  return {{open, in_progress, Mover::engine},   {open, failed, Mover::engine},
          {open, ignored, Mover::person},       {open, duplicate, Mover::person},
          {open, duplicate, Mover::engine},     {in_progress, open, Mover::engine},
          {in_progress, failed, Mover::engine}, {in_progress, resolved, Mover::gate},
          {resolved, merged, Mover::sync},      {resolved, open, Mover::engine},
          {resolved, open, Mover::person},      {failed, open, Mover::engine},
          {failed, open, Mover::person},        {failed, ignored, Mover::person},
          {failed, duplicate, Mover::person},   {merged, open, Mover::engine},
          {merged, open, Mover::person},        {ignored, open, Mover::person},
          {duplicate, open, Mover::person}};
}

TEST(IssueStates, EveryCombinationIsAsDecided) {
  const std::set<Row> allowed = allowed_moves();
  int combinations = 0;
  for (const IssueStatus from : kStatuses) {
    for (const IssueStatus to : kStatuses) {
      for (const Mover actor : kActors) {
        ++combinations;
        EXPECT_EQ(may_move(from, to, actor), allowed.contains({from, to, actor}))
            << to_string(from) << " -> " << to_string(to) << " by " << to_string(actor);
      }
    }
  }
  EXPECT_EQ(combinations, 7 * 7 * 4);
}

TEST(IssueStates, OnlyTheGateResolvesAndItDoesNothingElse) {
  for (const Transition& row : issue_transitions())
    EXPECT_EQ(row.to == IssueStatus::resolved, row.mover == Mover::gate);
}

TEST(IssueStates, NoRowTwiceAndEveryRowSaysWhy) {
  std::set<Row> seen;
  for (const Transition& row : issue_transitions()) {
    EXPECT_TRUE(seen.insert({row.from, row.to, row.mover}).second);
    EXPECT_FALSE(row.why.empty());
  }
}

TEST(IssueStates, EveryStateIsReachedAndHasAWayBackToOpen) {
  for (const IssueStatus status : kStatuses) {
    const auto& table = issue_transitions();
    EXPECT_TRUE(std::any_of(table.begin(), table.end(), [&](const Transition& row) {
      return row.to == status;
    })) << to_string(status);
    if (status == IssueStatus::open) continue;
    EXPECT_TRUE(std::any_of(kActors, kActors + 4,
                            [&](Mover actor) { return may_move(status, IssueStatus::open, actor); }));
  }
}

std::string documentation() { return read_file(fs::path(EMEND_SOURCE_DIR) / "docs/issue-states.md").value(); }

// The rows of the documentation's first table as "FROM|TO|actor|why".
std::vector<std::string> documented_rows(const std::string& text) {
  std::vector<std::string> rows;
  bool inside = false;
  for (const std::string_view line : lines_of(text)) {
    if (line == "| from | to | who | why |") {
      inside = true;
    } else if (inside && !line.starts_with('|')) {
      break;
    } else if (inside && !line.starts_with("|---")) {
      std::vector<std::string> cells;
      for (const std::string& cell : split(line.substr(1, line.size() - 2), '|'))
        cells.emplace_back(trim(cell));
      rows.push_back(join(cells, "|"));
    }
  }
  return rows;
}

TEST(IssueStates, TheDocumentedTableIsTheTable) {
  std::vector<std::string> rows;
  for (const Transition& row : issue_transitions()) {
    rows.push_back(join({std::string(to_string(row.from)), std::string(to_string(row.to)),
                         std::string(to_string(row.mover)), std::string(row.why)},
                        "|"));
  }
  EXPECT_EQ(documented_rows(documentation()), rows);
}

TEST(IssueStates, TheDiagramShowsTheSameMoves) {
  std::set<Row> drawn;
  const std::string text = documentation();
  for (const std::string_view line : lines_of(text)) {
    const std::size_t arrow = line.find("-->"), colon = line.find(':');
    if (arrow == std::string_view::npos || colon == std::string_view::npos) continue;
    const auto from = parse_issue_status(line.substr(0, arrow)),
               to = parse_issue_status(line.substr(arrow + 3, colon - arrow - 3));
    ASSERT_TRUE(from && to) << line;
    for (const std::string& name : split(line.substr(colon + 1), ',')) {
      const auto actor =
          std::find_if(kActors, kActors + 4, [&](Mover one) { return to_string(one) == trim(name); });
      ASSERT_NE(actor, kActors + 4) << line;
      drawn.insert({*from, *to, *actor});
    }
  }
  EXPECT_EQ(drawn, allowed_moves());
}

} // namespace
} // namespace emend
