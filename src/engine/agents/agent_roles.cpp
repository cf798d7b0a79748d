#include "engine/agents/agent_roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kReviewer = "reviewer_";

const AgentRole& fixing() {
  static const AgentRole role{{"findings",
                               "codes",
                               "files",
                               "conventions",
                               "guidelines",
                               "review_report",
                               "commands",
                               "plan",
                               "steps",
                               "previous_diff",
                               "previous_round",
                               "previous_said",
                               "set_aside_diff",
                               "set_aside_round",
                               "may_contest",
                               "closed",
                               "red_before",
                               "failure",
                               "feedback",
                               "cycle",
                               "cut"},
                              {"findings", "codes"}};
  return role;
}

const AgentRole& reviewing() {
  static const AgentRole role{
      {"scope", "files", "conventions", "guidelines", "diff", "rest", "token", "problem"},
      {"diff", "rest", "token"}};
  return role;
}

const std::map<std::string, AgentRole, std::less<>>& roles() {
  static const std::map<std::string, AgentRole, std::less<>> all = {
      {"fixer", fixing()},
      {"re_fixer", fixing()},
      {"fix_challenger",
       {{"issue", "code", "excerpt", "diff", "rest", "token", "problem", "verification", "notes", "left_out",
         "threshold", "cut"},
        {"issue", "code", "diff"}}},
      {"fix_clarifier", {{"findings", "codes", "max_questions", "cut"}, {"findings", "codes"}}},
      {"fix_planner", {{"findings", "codes", "plan", "cut"}, {"findings", "codes", "plan"}}},
      {"git-branch-creator", {{"findings", "session", "cut"}, {"findings"}}},
      {"git-committer", {{"issue", "diff", "style", "cut"}, {"issue", "diff"}}},
      {"pr_reviewer",
       {{"range", "dismissed", "files", "conventions", "diff", "rest", "token", "problem"},
        {"diff", "rest", "token"}}},
      {"reproducer", {{"findings", "codes", "commands", "marker", "problem", "cut"}, {"findings", "marker"}}},
      {"unified_reviewer",
       {{"scope", "files", "conventions", "guidelines", "experts", "diff", "rest", "token", "problem"},
        {"experts", "diff", "rest", "token"}}},
  };
  return all;
}

std::string same_name(std::string_view name) { return replace_all(std::string(name), "-", "_"); }

std::string_view stem_of(std::string_view path) {
  if (const auto slash = path.rfind('/'); slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return path.ends_with(".md") ? path.substr(0, path.size() - 3) : path;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Walks over {{...}} of a text and says the first thing that would go wrong when it is filled in, with its
// line.
class PlaceholderCheck {
public:
  PlaceholderCheck(std::string_view path, std::string_view text, const AgentRole& role)
      : path_(path), text_(text), role_(role) {}

  Status run() {
    for (std::size_t open = text_.find("{{"); open != std::string_view::npos; open = text_.find("{{", at_)) {
      line_ += std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                          text_.begin() + static_cast<std::ptrdiff_t>(open), '\n');
      at_ = open;
      TRY(tag());
    }
    if (!open_.empty()) return wrong(open_.back().second, "{{#" + open_.back().first + "}} is not closed");
    for (const std::string& name : role_.needed)
      if (!has(seen_, name))
        return wrong(1, "{{" + name + "}} is missing: without it the agent does not see its task");
    return {};
  }

private:
  [[nodiscard]] tl::unexpected<Error> wrong(std::ptrdiff_t line, const std::string& why) const {
    return fail(ErrorCode::config, fmt::format("{}:{}: {}", path_, line, why));
  }

  Status tag() {
    const auto close = text_.find("}}", at_);
    if (close == std::string_view::npos) return wrong(line_, "{{ without }}");
    std::string_view inside = trim(text_.substr(at_ + 2, close - at_ - 2));
    const char kind = inside.empty() ? '\0' : inside.front();
    if (kind == '#' || kind == '/') inside = trim(inside.substr(1));
    const std::string name(inside);
    if (!has(role_.filled_in, name)) {
      const auto near = did_you_mean(name, role_.filled_in);
      return wrong(line_, "unknown placeholder {{" + first_line(name, 60) + "}}" +
                              (near ? "; did you mean {{" + *near + "}}?" : ""));
    }
    if (kind == '/' && (open_.empty() || open_.back().first != name))
      return wrong(line_, "{{/" + name + "}} closes nothing");
    if (kind == '#')
      open_.emplace_back(name, line_);
    else if (kind == '/')
      open_.pop_back();
    else
      seen_.push_back(name);
    at_ = close + 2;
    return {};
  }

  std::string_view path_, text_;
  const AgentRole& role_;
  std::size_t at_ = 0;
  std::ptrdiff_t line_ = 1;
  std::vector<std::pair<std::string, std::ptrdiff_t>> open_;
  std::vector<std::string> seen_;
};

} // namespace

Result<AgentRole> agent_role(std::string_view name) {
  if (const auto known = roles().find(name); known != roles().end()) return known->second;
  if (name.starts_with(kReviewer) && name.size() > kReviewer.size()) return reviewing();
  const auto names = built_in_agent_files();
  if (has(names, name)) return AgentRole{}; // a text that is handed on as it is
  const auto near = did_you_mean(name, names);
  return fail(ErrorCode::config,
              "there is no agent \"" + first_line(clean_text(name), 80) + "\"" +
                  (near ? "; did you mean " + *near + "?" : ""),
              "`emend agents files` lists what can be replaced; name your own reviewer reviewer_NAME");
}

Status check_agent_file(std::string_view path, std::string_view text) {
  const std::string_view stem = stem_of(path);
  auto role = agent_role(stem);
  if (!role) return fail(std::move(role).error().with_context(std::string(path)));
  TRY_ASSIGN(const AgentFile file, parse_agent_file(path, text));
  if (same_name(file.name) != same_name(stem))
    return fail(ErrorCode::config, fmt::format("{}:1: the name \"{}\" does not match the file name", path,
                                               first_line(file.name, 80)));
  return PlaceholderCheck(path, text, *role).run();
}

} // namespace emend
