#include <algorithm>

#include "base/strings.hpp"
#include "tui/commands.hpp"
#include "tui/text_cells.hpp"
#include "tui/update.hpp"

namespace emend {

namespace {

constexpr std::size_t kOfEach = 6;

using Rows = std::vector<Finder::Row>;

bool has_words(std::string_view text, const std::vector<std::string>& words) {
  const std::string low = to_lower(text);
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return contains(low, word); });
}

// The issues, and the files they are in.
void find_issues(const Model& model, const std::string& text, const std::vector<std::string>& words,
                 Rows& issues, Rows& files) {
  IssueSearch search;
  search.text = text;
  for (const std::string& code : model.list.codes(search, kOfEach * kOfEach)) {
    const Issue* issue = model.find(code);
    if (issue == nullptr) continue;
    if (issues.size() < kOfEach)
      issues.push_back({"Issue", issue->code + "  " + flat(issue->finding.title), "open " + issue->code});
    const std::string& file = issue->finding.file;
    const bool known =
        std::any_of(files.begin(), files.end(), [&](const auto& row) { return row.text == file; });
    if (!file.empty() && !known && files.size() < kOfEach && has_words(file, words))
      files.push_back({"File", file, "filter file:" + file});
  }
}

void find_sessions(const Model& model, const std::vector<std::string>& words, Rows& found) {
  for (const SessionRow& row : model.sessions) {
    const std::string text =
        (row.branch.empty() ? row.id : row.branch) + "  " + words_of(to_string(row.status));
    if (found.size() < kOfEach && has_words("session " + row.id + " " + text, words))
      found.push_back({"Session", text, "session " + row.id});
  }
}

void find_settings(const Model& model, const std::vector<std::string>& words, Rows& found) {
  for (const std::string& name : completions(model, "set "))
    if (has_words("setting " + name.substr(4), words))
      found.push_back({"Setting", name.substr(4), name + " ", true});
}

// Those that need nothing more are done at once.
void find_commands(const std::vector<std::string>& words, Rows& found) {
  for (const CommandHelp& help : command_help()) {
    const std::string name = help.usage.substr(0, help.usage.find(' '));
    if (has_words(name + " " + help.what, words))
      found.push_back({"Command", ":" + help.usage + "  " + help.what, name + (name == help.usage ? "" : " "),
                       name != help.usage});
  }
}

void look(const Model& model, Finder& finder) {
  const std::string text(trim(finder.line.text));
  std::vector<std::string> words;
  for (std::string& word : split(to_lower(text), ' '))
    if (!word.empty()) words.push_back(std::move(word));
  Rows issues, files, sessions, settings, commands;
  if (!words.empty()) find_issues(model, text, words, issues, files);
  if (!words.empty()) find_sessions(model, words, sessions);
  find_settings(model, words, settings);
  find_commands(words, commands);
  finder.rows.clear();
  finder.chosen = 0;
  for (Rows* rows : {&issues, &sessions, &files, &settings, &commands})
    std::move(rows->begin(), rows->end(), std::back_inserter(finder.rows));
}

void go_to(Turn& turn, const Finder::Row& row) {
  turn.model.overlay = std::monostate{};
  if (!row.asks_more) return run_command(turn, row.command);
  BottomLine bottom;
  bottom.line.set(row.command);
  turn.model.overlay = std::move(bottom);
}

} // namespace

void open_finder(Turn& turn) {
  Finder finder;
  look(turn.model, finder);
  turn.model.overlay = std::move(finder);
}

void press_in_finder(Turn& turn) {
  Finder finder = std::get<Finder>(turn.model.overlay);
  const std::string& key = turn.input.key;
  if (key == "Esc" || key == "Ctrl+C") {
    turn.model.overlay = std::monostate{};
    return;
  }
  if (key == "Enter") {
    if (finder.chosen < finder.rows.size()) go_to(turn, Finder::Row(finder.rows[finder.chosen]));
    return;
  }
  if (key == "Down" && finder.chosen + 1 < finder.rows.size()) ++finder.chosen;
  if (key == "Up" && finder.chosen > 0) --finder.chosen;
  if (key != "Up" && key != "Down") {
    (void)finder.line.take(key);
    if (!turn.input.more) look(turn.model, finder); // what was pasted is looked for once
  }
  turn.model.overlay = std::move(finder);
}

} // namespace emend
