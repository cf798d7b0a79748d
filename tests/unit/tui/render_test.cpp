// Screens as they are meant to look: compared with files beside this one. EMEND_WRITE_SCREENS=1 writes them
// anew; look at what it wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "tests/support/paths.hpp"
#include "tests/unit/tui/sample.hpp"
#include "tui/render.hpp"
#include "tui/text_cells.hpp"
#include "tui/update.hpp"

namespace emend {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing_support::sample_issue;
using testing_support::sample_issues;
using testing_support::sample_model;
using testing_support::take_issues;

std::string screen(const Model& model, Size size, bool ascii = false) {
  return render(model, size, glyphs_for(ascii)).grid.text();
}

void expect_screen(const std::string& name, const std::string& text) {
  const std::string path = EMEND_SOURCE_DIR + "/tests/unit/tui/screens/" + name + ".txt";
  if (std::getenv("EMEND_WRITE_SCREENS") != nullptr) {
    ASSERT_TRUE(write_file(path, text, 0644));
    return;
  }
  const auto kept = read_file(path, 1'000'000);
  ASSERT_TRUE(kept) << path;
  EXPECT_EQ(*kept, text) << name;
}

// The rules every screen keeps, whatever is in it.
void expect_sound(const Model& model, Size size, bool ascii = false) {
  const Grid grid = render(model, size, glyphs_for(ascii)).grid;
  ASSERT_EQ(grid.size().columns, size.columns);
  ASSERT_EQ(grid.size().rows, size.rows);
  for (int y = 0; y < size.rows; ++y) {
    int width = 0;
    for (int x = 0; x < size.columns; ++x) {
      const std::string& text = grid.at(x, y).text;
      ASSERT_TRUE(is_valid_utf8(text));
      for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        ASSERT_TRUE(byte >= 0x20 && byte != 0x7F) << "control byte at " << x << "," << y;
        ASSERT_TRUE(!ascii || byte < 0x80) << "not ASCII at " << x << "," << y;
      }
      ASSERT_FALSE(text.size() == 2 && static_cast<unsigned char>(text[0]) == 0xC2 &&
                   static_cast<unsigned char>(text[1]) < 0xA0)
          << "C1 control";
      width += text.empty() ? 0 : text_width(text);
    }
    ASSERT_EQ(width, size.columns) << "row " << y;
  }
}

constexpr Size kSizes[] = {{80, 24},  {120, 40}, {200, 60}, {60, 15}, {140, 36},
                           {139, 35}, {40, 10},  {20, 5},   {10, 2},  {1, 1}};

TEST(Render, TheSmallestFullScreen) { expect_screen("80x24", screen(sample_model(), {80, 24})); }
TEST(Render, ListsAboveTheIssue) { expect_screen("120x40", screen(sample_model(), {120, 40})); }
TEST(Render, ListsBesideTheIssue) { expect_screen("200x60", screen(sample_model(), {200, 60})); }
TEST(Render, OnePanelAtATime) { expect_screen("60x15", screen(sample_model(), {60, 15})); }
TEST(Render, PlainAscii) { expect_screen("ascii", screen(sample_model(), {120, 40}, true)); }

TEST(Render, NothingYet) {
  Model model;
  model.project = "new";
  expect_screen("empty", screen(model, {80, 24}));
}

TEST(Render, AFailedSession) {
  Model model = sample_model();
  model.session.status = SessionStatus::failed;
  model.session.duration_ms = 61'000;
  model.trouble = "the database is locked";
  (void)choose_issue(model, "FE-001");
  Detail detail;
  detail.code = "FE-001";
  detail.tries = {{1, "claude", "verification_failed", "lint: failed"}};
  detail.checks = {{"lint", "failed", 1, 300, false}};
  take_detail(model, detail);
  expect_screen("failed", screen(model, {120, 40}));
}

TEST(Render, SplitChange) {
  Model model = sample_model();
  model.diff.split = true;
  model.zoomed = true;
  model.focus = Panel::detail;
  expect_screen("split", screen(model, {120, 24}));
}

TEST(Render, HelpListsTheKeys) {
  Model model = sample_model();
  (void)update(model, {"?"}, {120, 60});
  const std::string text = screen(model, {120, 70});
  for (const KeyHelp& help : key_help()) EXPECT_THAT(text, HasSubstr(help.keys));
}

TEST(Render, EveryPanelTabAndOverlayIsSound) {
  for (const Size size : kSizes)
    for (const Panel panel : {Panel::inbox, Panel::issues, Panel::detail, Panel::steps})
      for (const Tab tab : kTabs) {
        Model model = sample_model();
        model.focus = panel;
        model.tab = tab;
        expect_sound(model, size);
        for (const char* key : {"?", "f", "i", "c", "a", ":", "/", "X", "u", "w", "+"}) {
          Model open = model;
          (void)update(open, {key}, size);
          expect_sound(open, size, true);
        }
      }
}

TEST(Render, TenThousandIssues) {
  Model model = sample_model();
  std::vector<Issue> issues;
  for (int i = 0; i < 10'000; ++i)
    issues.push_back(sample_issue("BE-" + std::to_string(10'000 + i), Severity::medium, IssueStatus::open,
                                  "src/f" + std::to_string(i) + ".c", i + 1, "title"));
  take_issues(model, issues);
  (void)update(model, {"G"}, {80, 24});
  EXPECT_THAT(screen(model, {80, 24}), HasSubstr("BE-19999"));
  EXPECT_THAT(screen(model, {80, 24}), HasSubstr("10000 of 10000"));
  (void)update(model, {"g"}, {80, 24});
  EXPECT_THAT(screen(model, {80, 24}), HasSubstr("BE-10000"));
  for (const Size size : kSizes) expect_sound(model, size);
}

TEST(Render, LongAndWideNamesStayInTheirPlace) {
  Model model;
  model.project = std::string(300, 'p');
  const std::string wide =
      "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字";
  take_issues(model, {sample_issue("BE-001", Severity::high, IssueStatus::open,
                                   wide + "/" + std::string(200, 'd') + ".c", 7, wide),
                      sample_issue("BE-002", Severity::high, IssueStatus::open, "é́́́́́́́́.c", 7, "e\u0301\u0302")});
  Detail detail;
  detail.code = "BE-001";
  detail.source_from = 1;
  detail.source = {wide, "\tone tab\tand another"};
  take_detail(model, detail);
  for (const Size size : kSizes)
    for (const bool ascii : {false, true}) expect_sound(model, size, ascii);
  EXPECT_THAT(screen(model, {80, 24}), HasSubstr("…"));
  EXPECT_THAT(screen(model, {80, 24}), HasSubstr("dd.c:7")) << "the end of a path says most";
}

std::string random_bytes(std::mt19937& random, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random() & 0xFF);
  return bytes;
}

TEST(Render, NoControlByteEverReachesACell) {
  std::mt19937 random(20'260'101);
  for (int round = 0; round < 60; ++round) {
    Model model = sample_model();
    const auto noise = [&] {
      return random_bytes(random, random() % 200) +
             "\033[31m\033]52;c;eA==\a\x9b"
             "2J\xe2\x80\xae\r\b\t";
    };
    std::vector<Issue> issues = sample_issues();
    for (Issue& issue : issues) {
      issue.finding.title = noise();
      issue.finding.file = noise();
      issue.finding.description = noise();
      issue.detail = noise();
      issue.clarifications.push_back({issue.id, noise(), 1, noise(), noise(), {noise()}});
    }
    model.project = noise();
    model.session.branch = noise();
    model.session.steps[0].reason = noise();
    take_issues(model, issues);
    Detail detail = model.detail;
    detail.patch.changes[0].new_content = noise();
    detail.log = detail.prompt = noise();
    detail.timeline = {{0, noise()}};
    detail.comments.push_back({});
    detail.comments[0].text = noise();
    detail.checks = {{noise(), noise(), 0, 0, false}};
    take_detail(model, detail);
    model.tab = kTabs[random() % std::size(kTabs)];
    say(model, noise(), true);
    if (round % 3 == 0) (void)update(model, {round % 2 == 0 ? "c" : "f"}, {80, 24});
    for (const Size size : {Size{80, 24}, Size{200, 60}}) expect_sound(model, size, round % 2 == 0);
  }
}

TEST(TextCells, CutsByColumns) {
  EXPECT_EQ(cut_end("abcdef", 4, "…"), "abc…");
  EXPECT_EQ(cut_end("abcd", 4, "…"), "abcd");
  EXPECT_EQ(cut_begin("abcdef", 4, "…"), "…def");
  EXPECT_EQ(cut_end("漢字漢字", 5, "…"), "漢字…");
  EXPECT_EQ(text_width("漢e\u0301"), 3);
  EXPECT_EQ(text_width("\t|"), 5);
  EXPECT_EQ(clusters_of("漢", true)[0].text, "?");
}

TEST(TextCells, WrapsAtSpacesAndNeverForEver) {
  EXPECT_THAT(wrapped("one two three", 7), ::testing::ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("abcdefgh", 3), ::testing::ElementsAre("abc", "def", "gh"));
  EXPECT_THAT(wrapped("漢", 1), ::testing::SizeIs(1));
  EXPECT_THAT(wrapped("a\n\nb", 10), ::testing::ElementsAre("a", "", "b"));
}

TEST(DiffView, WhiteSpaceAndContext) {
  Patch patch;
  FileChange change;
  change.path = "a.c";
  change.old_mode = change.new_mode = kModeFile;
  change.old_content = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  change.new_content = "1\n2\n3\n4\n  5\n6\n7\n8\nnine\n";
  patch.changes = {change};
  const auto text = [&](DiffStyle style) {
    std::string all;
    for (const Line& line : diff_lines_of(patch, style, 60, glyphs_for(true)))
      for (const Span& span : line) all += span.text + "\n";
    return all;
  };
  EXPECT_THAT(text({}), HasSubstr("+   5"));
  EXPECT_THAT(text({false, true, 0}), Not(HasSubstr("- 5")));
  EXPECT_THAT(text({false, true, 0}), HasSubstr("+ nine"));
  EXPECT_THAT(text({false, false, 0}), Not(HasSubstr("   7")));
  EXPECT_THAT(text({true, false, 0}), HasSubstr("nine"));
}

TEST(ProofTab, ShowsTheRulesOfTheGate) {
  Model model = sample_model();
  model.tab = Tab::proof;
  model.focus = Panel::detail;
  model.zoomed = true;
  GateDecision gate;
  gate.clauses = {{"P1", "real_change", ClauseState::passed, "one file changed"},
                  {"P4", "verified", ClauseState::failed, "test_limit failed and passed on the base"},
                  {"P6", "rescanned", ClauseState::not_required, ""}};
  model.detail.gate = gate;
  const std::string text = screen(model, {100, 40});
  EXPECT_THAT(text, HasSubstr("The gate refused it"));
  EXPECT_THAT(text, HasSubstr("real change   passed       one file changed"));
  EXPECT_THAT(text, HasSubstr("verified      failed       test_limit failed and passed on the base"));
  EXPECT_THAT(text, HasSubstr("rescanned     not required"));
  model.detail.gate->resolved = true;
  EXPECT_THAT(screen(model, {100, 40}), HasSubstr("Every rule of the gate passed"));
}

TEST(Finder, IsAWindowWithWhatWasFound) {
  Model model = sample_model();
  (void)update(model, {"Ctrl+K"}, {100, 30});
  for (const char letter : std::string("crash")) (void)update(model, {std::string(1, letter)}, {100, 30});
  const std::string text = screen(model, {100, 30});
  EXPECT_THAT(text, HasSubstr("> crash"));
  EXPECT_THAT(text, HasSubstr("> Issue    BE-001  Missing null check causes crash"));
  expect_sound(model, {40, 12}, true);
}

} // namespace
} // namespace emend
