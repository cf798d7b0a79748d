#include "engine/forge/pr_command.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/forge/forge_text.hpp"

namespace emend {

namespace {

constexpr std::string_view kName = "/emend";
constexpr std::size_t kLongestLine = 400, kMostCodes = 20;

struct VerbRow {
  PrVerb verb;
  std::string_view word;
  Right right;
  bool about_head, runs_code;
  std::string_view usage, help;
};

constexpr VerbRow kVerbs[] = {
    {PrVerb::review, "review", Right::write, true, false, "/emend review [@COMMIT]",
     "review this pull request again"},
    {PrVerb::check, "check", Right::write, true, true, "/emend check [CODE] [@COMMIT]",
     "run the project's checks on it: is it a fix, and does it break anything?"},
    {PrVerb::fix, "fix", Right::write, true, true, "/emend fix [CODE...] [--stacked] [@COMMIT]",
     "fix these findings and propose the fix; without a code those of emend's open threads"},
    {PrVerb::explain, "explain", Right::read, false, false, "/emend explain [CODE]",
     "say what is known about a finding"},
    {PrVerb::dismiss, "dismiss", Right::write, false, false, "/emend dismiss [CODE] because REASON",
     "this finding is not to be fixed"},
    {PrVerb::stop, "stop", Right::write, false, false, "/emend stop",
     "do nothing here until somebody asks again"},
    {PrVerb::help, "help", Right::read, false, false, "/emend help", "show this"},
};

const VerbRow& row_of(PrVerb verb) {
  return *std::find_if(std::begin(kVerbs), std::end(kVerbs),
                       [verb](const VerbRow& row) { return row.verb == verb; });
}

ReadComment refused(std::string why) { return {std::nullopt, std::move(why)}; }

bool is_code(std::string_view word) {
  return word.size() >= 6 && word.size() <= 12 && word[2] == '-' &&
         std::all_of(word.begin(), word.begin() + 2, [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         std::all_of(word.begin() + 3, word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "@" and the whole name of a commit: two commits that share the beginning of their names are soon made.
bool is_commit(std::string_view word) {
  return (word.size() == 41 || word.size() == 65) && word[0] == '@' &&
         std::all_of(word.begin() + 1, word.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// Letters, digits and signs that everybody sees, with single blanks between them.
bool is_plain(std::string_view line) {
  return std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; }) &&
         !contains(line, "  ");
}

std::string_view first_line_of(std::string_view body) {
  std::string_view line = body.substr(0, body.find('\n'));
  while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
  return line;
}

// Begins like a command, so that whoever wrote it wants an answer.
bool is_for_us(std::string_view line) {
  if (!line.starts_with(kName)) return false;
  const std::string_view rest = line.substr(kName.size());
  return rest.empty() || !((rest[0] >= 'a' && rest[0] <= 'z') || (rest[0] >= 'A' && rest[0] <= 'Z') ||
                           (rest[0] >= '0' && rest[0] <= '9') || rest[0] == '-' || rest[0] == '_' ||
                           rest[0] == '/' || rest[0] == '.');
}

const VerbRow* verb_of(std::string_view word) {
  for (const VerbRow& row : kVerbs)
    if (row.word == word) return &row;
  return nullptr;
}

ReadComment read_dismissal(const std::vector<std::string>& words, std::string_view usage) {
  PrCommand command;
  command.verb = PrVerb::dismiss;
  std::size_t next = 2;
  if (words.size() > next && is_code(words[next])) command.codes = {words[next++]};
  if (words.size() < next + 2 || words[next] != "because") return refused("usage: " + std::string(usage));
  command.because = join({words.begin() + static_cast<std::ptrdiff_t>(next) + 1, words.end()}, " ");
  return {command, ""};
}

// What the words of a verb may be beyond codes.
bool takes_codes(PrVerb verb) {
  return verb == PrVerb::fix || verb == PrVerb::check || verb == PrVerb::explain;
}

ReadComment read_words(const VerbRow& row, const std::vector<std::string>& words) {
  PrCommand command;
  command.verb = row.verb;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (takes_codes(row.verb) && is_code(word) && command.codes.size() < kMostCodes)
      command.codes.push_back(word);
    else if (row.about_head && is_commit(word) && i + 1 == words.size())
      command.commit = word.substr(1);
    else if (row.verb == PrVerb::fix && word == "--stacked" && !command.stacked)
      command.stacked = true;
    else
      return refused(fmt::format("\"{}\" is not understood; usage: {}", first_line(word, 40), row.usage));
  }
  const std::size_t most = row.verb == PrVerb::fix ? kMostCodes : 1;
  if (command.codes.size() > most) return refused("usage: " + std::string(row.usage));
  return {command, ""};
}

std::string not_the_head(const PrCommand& command, const PullRequest& pull) {
  return fmt::format("{} is not the newest commit of this pull request, which is {}",
                     command.commit.substr(0, 12), pull.head_sha.substr(0, 12));
}

} // namespace

std::string_view to_string(PrVerb verb) { return row_of(verb).word; }

std::string to_string(const PrCommand& command) {
  std::string text(to_string(command.verb));
  for (const std::string& code : command.codes) text += " " + code;
  if (command.stacked) text += " --stacked";
  if (!command.commit.empty()) text += " @" + command.commit.substr(0, 12);
  return text;
}

ReadComment read_comment(std::string_view body) {
  const std::string_view line = first_line_of(body);
  if (!is_for_us(line)) return {};
  if (line.size() > kLongestLine)
    return refused(fmt::format("a command has at most {} characters", kLongestLine));
  if (!is_plain(line))
    return refused("a command is written in plain letters (ASCII) with single blanks between its words");
  if (mark_in(body)) return refused("the comment carries a mark of emend, so it is not read as a command");
  const std::vector<std::string> words = split(line, ' ');
  if (words[0] != kName || words.size() < 2) return refused("no command is named; `/emend help` lists them");
  const VerbRow* row = verb_of(words[1]);
  if (row == nullptr)
    return refused(
        fmt::format("\"{}\" is not a command; `/emend help` lists them", first_line(words[1], 40)));
  if (row->verb == PrVerb::dismiss) return read_dismissal(words, row->usage);
  return read_words(*row, words);
}

Right right_for(PrVerb verb) { return row_of(verb).right; }
bool is_about_head(PrVerb verb) { return row_of(verb).about_head; }
bool runs_code(PrVerb verb) { return row_of(verb).runs_code; }
bool is_about_findings(PrVerb verb) { return takes_codes(verb) || verb == PrVerb::dismiss; }

std::string reason_to_ignore(const Remark& remark, const CommandSettings& settings) {
  if (remark.own) return "it is emend's own";
  if (mark_in(remark.body)) return "it carries a mark of emend";
  const bool named = std::find(settings.allow_bots.begin(), settings.allow_bots.end(), remark.author) !=
                     settings.allow_bots.end();
  if (remark.bot && !named) return "a bot wrote it (forge.allow_bots)";
  if (remark.edited) return "it was edited; write a new comment";
  if (remark.author.empty()) return "its author is unknown";
  return {};
}

std::string reason_to_refuse(const PrCommand& command, const Remark& remark, const PullRequest& pull,
                             bool fork, Right right, std::optional<std::int64_t> head_since) {
  const std::string verb(to_string(command.verb));
  if (right < right_for(command.verb))
    return fmt::format("`{}` needs the right to {} here, and {} may {}", verb,
                       right_for(command.verb) == Right::write ? "write" : "read",
                       harmless_line(remark.author, 60),
                       right == Right::none ? "neither read nor write" : "only read");
  if (pull.state != PullState::open) return "this pull request is not open";
  const bool wants_one = command.verb == PrVerb::explain || command.verb == PrVerb::dismiss;
  if (wants_one && command.codes.empty())
    return fmt::format("only in a thread that emend began the code can be left out; usage: {}",
                       replace_all(std::string(row_of(command.verb).usage), "[CODE]", "CODE"));
  if (!is_about_head(command.verb)) return {};
  if (fork && command.verb == PrVerb::fix)
    return "it comes from a fork: emend reviews such pull requests, and does not fix them";
  if (!command.commit.empty()) return pull.head_sha == command.commit ? "" : not_the_head(command, pull);
  const std::string repeat =
      fmt::format("look at it, then write: /emend {} @{}", to_string(command), pull.head_sha);
  if (fork && runs_code(command.verb))
    return "it comes from a fork, so code is run only for a commit that you name; " + repeat;
  if (!head_since) return "the forge does not say when the newest commit came; " + repeat;
  if (remark.created_ms <= *head_since) return "the branch changed after your command; " + repeat;
  return {};
}

std::string help_text() {
  std::string text = "| command | what it does |\n|---|---|\n";
  for (const VerbRow& row : kVerbs) text += fmt::format("| `{}` | {} |\n", row.usage, row.help);
  return text +
         "\nA command is the first line of a comment. Nothing else of the comment is read. "
         "In a thread that emend began, its finding is meant where no code is named.";
}

} // namespace emend
