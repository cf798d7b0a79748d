#include "lsp/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>

namespace emend::lsp {
namespace {

// Two files with issues, and how often each was looked at.
class CountingRoot final : public Root {
public:
  CountingRoot() : versions_{{"a.py", 1}, {"b.py", 2}} {}

  const std::string& path() const override { return path_; }
  std::vector<Issue> issues(const std::string& file) override {
    ++read[file];
    std::vector<Issue> made(file == "a.py" ? many : 1);
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i].code = "BE-" + std::to_string(i + 1);
      made[i].finding.file = file;
      made[i].finding.line = static_cast<int>(i) + 1;
      made[i].finding.title = "wrong";
    }
    return made;
  }
  std::vector<FileState> files() override { return versions_; }
  std::string link(const std::string&) override { return ""; }
  bool reload() override { return std::exchange(stale, false); }
  std::vector<Issue> place(std::vector<Issue> issues, const std::string&) override {
    ++placed;
    return issues;
  }
  Result<Scan> analyze(const std::string&, std::stop_token) override { return Scan{}; }
  Result<Patch> fix_of(const std::string&) override { return Patch{}; }
  Result<std::string> explain(const std::string&) override { return std::string(); }
  Status ignore(const std::string&, const std::string&) override { return {}; }
  Result<std::string> check(std::stop_token, const Tell&) override { return std::string(); }
  Result<FixEnd> fix(const std::string&, std::stop_token, const Tell&) override { return FixEnd{}; }

  std::size_t many = 20; // issues of a.py
  std::map<std::string, int> read;
  int placed = 0;
  bool stale = false;
  std::vector<FileState> versions_;

private:
  std::string path_ = "/r";
};

// An editor: requests in, what the server said out.
class Editor {
public:
  explicit Editor(bool pulls)
      : server_({"1", [this](const std::string&) { return root; }, "/nonexistent"},
                [this](const std::string& message) { hear(message); }) {
    Json can = Json::object();
    if (pulls) can["textDocument"]["diagnostic"] = Json::object();
    (void)ask("initialize", {{"capabilities", can}, {"rootUri", "file:///r"}});
  }
  void tell(const std::string& method, Json params) {
    server_.take({dump_json({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}})});
  }
  Json ask(const std::string& method, Json params) {
    const int id = ++last_id_;
    server_.take(
        {dump_json({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}})});
    std::unique_lock lock(mutex_);
    heard_.wait(lock, [&] { return answers_.contains(id); });
    return answers_.at(id);
  }
  void open(const std::string& uri, int lines) {
    std::string text;
    for (int i = 0; i < lines; ++i) text += "line " + std::to_string(i) + "\n";
    tell("textDocument/didOpen", {{"textDocument", {{"uri", uri}, {"version", 1}, {"text", text}}}});
  }
  void type_at_top(const std::string& uri, int version) {
    const Json top = {{"line", 0}, {"character", 0}};
    tell("textDocument/didChange",
         {{"textDocument", {{"uri", uri}, {"version", version}}},
          {"contentChanges", Json::array({{{"range", {{"start", top}, {"end", top}}}, {"text", "\n"}}})}});
  }
  // The reports of the whole workspace, by uri.
  std::map<std::string, Json> everything() {
    Json told = Json::array();
    for (const auto& [uri, result] : results_) told.push_back({{"uri", uri}, {"value", result}});
    std::map<std::string, Json> reports;
    const Json answer = ask("workspace/diagnostic", {{"previousResultIds", std::move(told)}});
    for (const Json& report : answer.at("items")) {
      const std::string uri = report.at("uri").get<std::string>();
      if (report.contains("resultId"))
        results_[uri] = report.at("resultId").get<std::string>();
      else
        results_.erase(uri);
      reports[uri] = report;
    }
    return reports;
  }
  void tick(std::int64_t now_ms) { server_.tick(now_ms); }

  std::shared_ptr<CountingRoot> root = std::make_shared<CountingRoot>();
  std::vector<Json> published;
  std::size_t bytes = 0; // of all that was published

private:
  void hear(const std::string& message) {
    const Json json = *parse_json(message.substr(message.find("\r\n\r\n") + 4));
    const std::lock_guard lock(mutex_);
    if (json.contains("id") && json.contains("result"))
      answers_[json.at("id").get<int>()] = json.at("result");
    if (string_or(json, "method") == "textDocument/publishDiagnostics") {
      published.push_back(json.at("params"));
      bytes += message.size();
    }
    heard_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable heard_;
  std::map<int, Json> answers_;
  std::map<std::string, std::string> results_;
  int last_id_ = 0;
  Server server_; // last: its threads end first
};

std::string kind_of(const Json& report) { return string_or(report, "kind"); }

TEST(LspServer, AskedForEverythingAgainItSendsOnlyWhatChanged) {
  Editor editor(true);
  auto first = editor.everything();
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first["file:///r/a.py"]["items"].size(), 20U);
  const auto read = editor.root->read;
  for (int i = 0; i < 3; ++i)
    for (const auto& [uri, report] : editor.everything()) {
      EXPECT_EQ(kind_of(report), "unchanged") << uri;
      EXPECT_FALSE(report.contains("items"));
    }
  EXPECT_EQ(editor.root->read, read) << "what is unchanged is not put together again";
  editor.root->versions_ = {{"a.py", 1}, {"b.py", 3}};
  auto then = editor.everything();
  EXPECT_EQ(kind_of(then["file:///r/a.py"]), "unchanged");
  EXPECT_EQ(then["file:///r/b.py"]["items"].size(), 1U);
  EXPECT_EQ(editor.root->read["a.py"], read.at("a.py"));
}

TEST(LspServer, AFileWhoseLastIssueWentIsReportedEmptyOnce) {
  Editor editor(true);
  (void)editor.everything();
  editor.root->versions_ = {{"a.py", 1}};
  auto then = editor.everything();
  ASSERT_TRUE(then.contains("file:///r/b.py"));
  EXPECT_EQ(kind_of(then["file:///r/b.py"]), "full");
  EXPECT_EQ(then["file:///r/b.py"]["items"], Json::array());
  EXPECT_FALSE(editor.everything().contains("file:///r/b.py"));
}

TEST(LspServer, ADocumentThatIsOpenedAgainIsNotTakenForWhatItWas) {
  Editor editor(true);
  const Json document = {{"textDocument", {{"uri", "file:///r/a.py"}}}};
  editor.open("file:///r/a.py", 20);
  const Json before = editor.ask("textDocument/diagnostic", document);
  editor.tell("textDocument/didClose", document);
  editor.open("file:///r/a.py", 21);
  Json again = document;
  again["previousResultId"] = before.at("resultId");
  EXPECT_EQ(kind_of(editor.ask("textDocument/diagnostic", again)), "full");
}

TEST(LspServer, ANewLineAtTheTopOfTenThousandIssuesTouchesThatDocumentAlone) {
  constexpr int kMany = 10'000;
  Editor editor(true);
  editor.root->many = kMany;
  editor.open("file:///r/a.py", kMany);
  editor.open("file:///r/b.py", 3);
  (void)editor.everything();
  const int placed = editor.root->placed;
  const auto read = editor.root->read;
  for (int i = 0; i < 100; ++i) editor.type_at_top("file:///r/a.py", i + 2);
  auto then = editor.everything();
  EXPECT_EQ(editor.root->placed, placed) << "lines are moved, not looked for again";
  EXPECT_EQ(editor.root->read, read);
  EXPECT_EQ(kind_of(then["file:///r/b.py"]), "unchanged");
  const Json& items = then["file:///r/a.py"]["items"];
  ASSERT_EQ(items.size(), static_cast<std::size_t>(kMany));
  EXPECT_EQ(items.front()["range"]["start"]["line"], 100);
  EXPECT_EQ(items.back()["range"]["start"]["line"], kMany + 99);
}

TEST(LspServer, AnEditorThatIsPushedToHearsOfTypingOnceItPauses) {
  Editor editor(false);
  editor.root->many = 10'000;
  editor.open("file:///r/a.py", 10'000);
  editor.open("file:///r/b.py", 3);
  ASSERT_EQ(editor.published.size(), 2U);
  const std::size_t bytes = editor.bytes;
  const int placed = editor.root->placed;
  std::int64_t now = 1'000;
  for (int i = 0; i < 100; ++i) {
    editor.type_at_top("file:///r/a.py", i + 2);
    editor.tick(now += 100);
  }
  EXPECT_EQ(editor.published.size(), 2U) << "a person who types is not done yet";
  editor.tick(now += 300);
  editor.tick(now += 300);
  ASSERT_EQ(editor.published.size(), 3U);
  EXPECT_LE(editor.bytes - bytes, bytes + bytes / 10) << "the one document, once; its numbers are longer";
  EXPECT_EQ(editor.root->placed, placed);
  EXPECT_EQ(editor.published.back()["version"], 101);
  EXPECT_EQ(editor.published.back()["diagnostics"].front()["range"]["start"]["line"], 100);
}

} // namespace
} // namespace emend::lsp
