#include "lsp/document.hpp"

#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "lsp/actions.hpp"
#include "lsp/diagnostics.hpp"

namespace emend::lsp {
namespace {

Issue issue_at(int line, const std::string& code = "BE-001") {
  Issue issue;
  issue.code = code;
  issue.finding.file = "a.py";
  issue.finding.line = line;
  issue.finding.title = "a title";
  issue.finding.severity = Severity::high;
  return issue;
}

Document document_with(const std::string& text, const std::vector<Issue>& issues) {
  Document document;
  document.uri = "file:///r/a.py";
  document.file = "a.py";
  document.text = Text(text);
  for (const Issue& issue : issues) {
    const Range range = range_of(issue.finding, document.text, Encoding::utf16);
    document.shown.push_back({issue, range, std::string(document.text.line(range.start.line))});
  }
  return document;
}

void type(Document& document, Position at, const std::string& text, Position end = {-1, -1}) {
  change_text(document, {Range{at, end.line < 0 ? at : end}, text}, Encoding::utf16);
}

TEST(Document, IssuesMoveWithTheirLines) {
  Document document = document_with("one\ntwo\nthree\n", {issue_at(3)});
  type(document, {0, 0}, "a\nb\n");
  EXPECT_EQ(document.shown[0].range.start.line, 4);
  type(document, {0, 0}, "", {2, 0});
  EXPECT_EQ(document.shown[0].range.start.line, 2);
  type(document, {2, 0}, "\n"); // a new line before it, typed at its start
  EXPECT_EQ(document.shown[0].range.start.line, 3);
  EXPECT_FALSE(document.shown[0].hidden);
}

TEST(Document, AnIssueIsHiddenWhileItsLineReadsOtherwise) {
  Document document = document_with("one\ntwo\n", {issue_at(2)});
  const auto before = document.state;
  type(document, {0, 3}, "!");
  EXPECT_EQ(document.state, before); // nothing to show anew
  type(document, {1, 3}, "x");
  EXPECT_TRUE(document.shown[0].hidden);
  EXPECT_NE(document.state, before);
  type(document, {1, 3}, "", {1, 4});
  EXPECT_FALSE(document.shown[0].hidden);
  type(document, {0, 0}, "", {2, 0}); // both lines are gone
  EXPECT_TRUE(document.shown[0].hidden);
}

TEST(Document, RangesAreInTheEditorsUnits) {
  Issue issue = issue_at(1);
  issue.finding.column = 6; // bytes: after a letter of two bytes
  issue.finding.column_end = 8;
  const Text text("  \xC3\xA4 xy z\n");
  EXPECT_EQ(range_of(issue.finding, text, Encoding::utf16), (Range{{0, 4}, {0, 6}}));
  EXPECT_EQ(range_of(issue.finding, text, Encoding::utf8), (Range{{0, 5}, {0, 7}}));
  issue.finding.column = issue.finding.column_end = 0;
  EXPECT_EQ(range_of(issue.finding, text, Encoding::utf16), (Range{{0, 2}, {0, 8}}));
  issue.finding.line = 99; // past the end: the last line
  EXPECT_EQ(range_of(issue.finding, text, Encoding::utf16).start.line, 1);
}

TEST(Diagnostics, SayWhatTheIssueIs) {
  Issue issue = issue_at(1);
  issue.finding.rule = "unused-import";
  issue.status = IssueStatus::resolved;
  const Json json = diagnostic(issue, {}, "http://127.0.0.1:1/issues/BE-001");
  EXPECT_EQ(json["severity"], 1);
  EXPECT_EQ(json["code"], "BE-001");
  EXPECT_EQ(json["source"], "emend");
  EXPECT_EQ(json["message"], "a title (a fix is ready to apply) [unused-import]");
  EXPECT_EQ(json["tags"], Json::array({1}));
  EXPECT_EQ(json["codeDescription"]["href"], "http://127.0.0.1:1/issues/BE-001");
}

TEST(Diagnostics, HoverShowsAReviewersTextAsTextOnly) {
  Issue issue = issue_at(1);
  issue.finding.description = "[click](http://evil.example) \x1b[31mred";
  issue.evidence = "proven";
  const std::string text = hover_text(issue);
  EXPECT_NE(text.find("    [click](http://evil.example) red"), std::string::npos) << text;
  EXPECT_NE(text.find("Evidence of its fix: proven"), std::string::npos);
}

std::vector<std::string> titles(const Json& actions) {
  std::vector<std::string> found;
  for (const Json& action : actions) found.push_back(action["title"]);
  return found;
}

Issue with_fixit(Issue issue, const std::string& text, std::size_t offset, bool safe) {
  issue.finding.agent = "ruff";
  issue.finding.fixit = FixIt{"", safe, {{"a.py", offset, 3, "ONE"}}, {{"a.py", sha256_hex(text)}}};
  return issue;
}

TEST(Actions, ASafeFixItIsPreferredAndOnlyForTheBytesItWasMadeFor) {
  const std::string text = "one two\none\n";
  Document document = document_with(
      text, {with_fixit(issue_at(1), text, 0, true), with_fixit(issue_at(2, "BE-002"), text, 8, false)});
  const Range all{{0, 0}, {2, 0}};
  const Json actions = code_actions(document, all, {}, {});
  EXPECT_EQ(actions[0]["title"], "emend: apply the fix of ruff");
  EXPECT_EQ(actions[0]["isPreferred"], true);
  EXPECT_EQ(actions[0]["edit"]["changes"]["file:///r/a.py"][0]["newText"], "ONE");
  const Json every = code_actions(document, all, {"source.fixAll"}, {});
  ASSERT_EQ(every.size(), 1U);
  EXPECT_EQ(every[0]["edit"]["changes"]["file:///r/a.py"].size(), 1U); // the unsafe one is left out
  type(document, {1, 3}, " # changed");
  for (const std::string& title : titles(code_actions(document, all, {}, {})))
    EXPECT_EQ(title.find("fix of ruff"), std::string::npos) << title;
}

TEST(Actions, FollowTheStateOfTheIssueAndTheSettings) {
  Issue issue = issue_at(1);
  Document document = document_with("one\n", {issue});
  EditorAbilities editor;
  EXPECT_EQ(titles(code_actions(document, {}, {"quickfix"}, editor)),
            (std::vector<std::string>{"emend: fix BE-001 with an agent", "emend: explain BE-001",
                                      "emend: ignore BE-001..."}));
  editor.may_ignore = false;
  document.shown[0].issue.status = IssueStatus::resolved;
  EXPECT_EQ(titles(code_actions(document, {}, {"quickfix"}, editor)),
            (std::vector<std::string>{"emend: apply the fix of BE-001", "emend: explain BE-001"}));
  EXPECT_TRUE(code_actions(document, {}, {"refactor"}, editor).empty());
}

TEST(Actions, AFixIsAnEditOnlyWhereEveryFileIsAsItFoundIt) {
  Patch patch;
  patch.changes = {{"a.py", kModeFile, kModeFile, "1", "2", "a\nb\n", "a\nB\n"},
                   {"new.py", 0, kModeFile, "", "3", "", "n\n"}};
  EditorAbilities editor;
  editor.document_changes = editor.makes_files = true;
  std::string now = "a\nb\n";
  const auto read = [&](const std::string& path) -> std::optional<OpenText> {
    if (path != "/r/a.py") return std::nullopt;
    return OpenText{now, 7};
  };
  const auto edit = workspace_edit(patch, "/r", read, editor);
  ASSERT_TRUE(edit) << edit.error().message;
  const Json& changes = (*edit)["documentChanges"];
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes[0]["textDocument"]["version"], 7);
  EXPECT_EQ(changes[0]["edits"][0]["newText"], "B\n");
  EXPECT_EQ(changes[1]["kind"], "create");
  EXPECT_EQ(changes[2]["edits"][0]["newText"], "n\n");
  now = "a\nb2\n";
  EXPECT_FALSE(workspace_edit(patch, "/r", read, editor));
  now = "a\nb\n";
  editor.makes_files = false;
  EXPECT_FALSE(workspace_edit(patch, "/r", read, editor));
}

} // namespace
} // namespace emend::lsp
