#include "adapters/agents/scripted_player.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::int64_t longest_sleep_ms = 86'400'000;

struct Call {
  std::string role;
  std::vector<std::string> issues;
  int cycle;
  const std::string& prompt;
};

// --- checking
// ---------------------------------------------------------------------------------------------------------------

tl::unexpected<Error> bad(const std::string& where, const std::string& what) {
  return fail(ErrorCode::config, where + ": " + what, "see docs/scripted-agent.md for the format");
}

bool is_inside_path(const std::string& text) {
  const fs::path path(text);
  return !text.empty() && path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end();
}

Status check_file_step(const std::string& where, const Json& step, const std::vector<std::string>& members) {
  if (!step.is_object()) return bad(where, "must be an object");
  for (const std::string& name : members) {
    const Json* member = find_member(step, name);
    if (member == nullptr || !member->is_string()) return bad(where, "needs the text \"" + name + "\"");
  }
  for (const auto& item : step.items()) {
    if (std::find(members.begin(), members.end(), item.key()) == members.end())
      return bad(where, "does not know \"" + item.key() + "\"");
  }
  if (!is_inside_path(string_or(step, "path"))) return bad(where, "\"path\" must stay inside the workspace");
  return {};
}

Status check_step(const std::string& where, const Json& step) {
  if (!step.is_object() || step.size() != 1) return bad(where, "must be an object with one member");
  const std::string name = step.begin().key();
  const Json& value = step.begin().value();
  const std::string inside = where + "." + name;
  if (name == "write" || name == "append") return check_file_step(inside, value, {"path", "text"});
  if (name == "replace") return check_file_step(inside, value, {"path", "old", "new"});
  if (name == "delete") return check_file_step(inside, value, {"path"});
  if (name == "print" || name == "stderr") return value.is_string() ? Status{} : bad(inside, "must be text");
  if (name == "sleep_ms")
    return exact_int(value, 0, longest_sleep_ms) ? Status{} : bad(inside, "must be a number of milliseconds");
  return bad(where, "unknown step \"" + name + "\"");
}

Status check_turn_member(const std::string& where, const std::string& name, const Json& value) {
  if (name == "role" || name == "issue" || name == "file")
    return value.is_string() ? Status{} : bad(where + "." + name, "must be text");
  if (name == "cycle")
    return exact_int(value, 1, 1'000'000) ? Status{} : bad(where + ".cycle", "must be a number from 1");
  if (name == "exit")
    return exact_int(value, 0, 255) ? Status{} : bad(where + ".exit", "must be a number from 0 to 255");
  if (name == "answer") return {};
  if (name != "do") return bad(where, "does not know \"" + name + "\"");
  if (!value.is_array()) return bad(where + ".do", "must be a list");
  for (std::size_t i = 0; i < value.size(); ++i)
    TRY(check_step(where + ".do[" + std::to_string(i) + "]", value[i]));
  return {};
}

Status check_script(const Json& script) {
  const Json* turns = find_member(script, "turns");
  if (turns == nullptr || !turns->is_array()) return bad("script", "needs a list \"turns\"");
  if (const Json* model = find_member(script, "model"); model != nullptr && !model->is_string())
    return bad("model", "must be text");
  for (std::size_t i = 0; i < turns->size(); ++i) {
    const std::string where = "turns[" + std::to_string(i) + "]";
    if (!(*turns)[i].is_object()) return bad(where, "must be an object");
    for (const auto& item : (*turns)[i].items()) TRY(check_turn_member(where, item.key(), item.value()));
  }
  return {};
}

// --- choosing
// ---------------------------------------------------------------------------------------------------------------

bool matches(const Json& turn, const Call& call) {
  const std::string role = string_or(turn, "role", "*"), issue = string_or(turn, "issue", "*");
  if (role != "*" && role != call.role) return false;
  if (issue != "*" && std::find(call.issues.begin(), call.issues.end(), issue) == call.issues.end())
    return false;
  if (const Json* cycle = find_member(turn, "cycle");
      cycle != nullptr && exact_int(*cycle, 1, 1'000'000) != call.cycle)
    return false;
  return contains(call.prompt, string_or(turn, "file"));
}

const Json* choose_turn(const Json& script, const Call& call) {
  const Json& turns = *find_member(script, "turns");
  const auto turn = std::find_if(turns.begin(), turns.end(),
                                 [&](const Json& candidate) { return matches(candidate, call); });
  return turn == turns.end() ? nullptr : &*turn;
}

// --- playing
// ----------------------------------------------------------------------------------------------------------------

void say(std::FILE* stream, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

Status put(const std::string& path, const std::string& text, std::ios::openmode mode) {
  std::error_code problem;
  if (const fs::path parent = fs::path(path).parent_path(); !parent.empty())
    fs::create_directories(parent, problem);
  std::ofstream file(path, std::ios::binary | mode);
  file << text;
  file.close();
  if (!file) return fail(ErrorCode::io, "cannot write " + path);
  return {};
}

Status replace_once(const std::string& path, const std::string& old_text, const std::string& new_text) {
  TRY_ASSIGN(std::string text, read_file(path));
  const auto at = old_text.empty() ? std::string::npos : text.find(old_text);
  if (at == std::string::npos)
    return fail(ErrorCode::not_found, path + " does not contain the text to replace");
  if (text.find(old_text, at + 1) != std::string::npos)
    return fail(ErrorCode::conflict, path + " contains the text to replace more than once");
  return put(path, text.replace(at, old_text.size(), new_text), std::ios::trunc);
}

Status remove_file(const std::string& path) {
  std::error_code problem;
  if (fs::remove(path, problem)) return {};
  return fail(ErrorCode::not_found,
              path + " cannot be deleted: " + (problem ? problem.message() : "it does not exist"));
}

Status play_step(const Json& step) {
  const std::string name = step.begin().key();
  const Json& value = step.begin().value();
  const std::string path = string_or(value, "path");
  if (name == "write") return put(path, string_or(value, "text"), std::ios::trunc);
  if (name == "append") return put(path, string_or(value, "text"), std::ios::app);
  if (name == "replace") return replace_once(path, string_or(value, "old"), string_or(value, "new"));
  if (name == "delete") return remove_file(path);
  if (name == "print") say(stdout, value.get<std::string>() + "\n");
  if (name == "stderr") say(stderr, value.get<std::string>() + "\n");
  if (name == "sleep_ms")
    std::this_thread::sleep_for(std::chrono::milliseconds(exact_int(value, 0, longest_sleep_ms).value_or(0)));
  return {};
}

// What only the call knows: "{issue}" is the code the turn is about, "{review_token}" the word that stands
// behind a change to be reviewed.
struct Unknowns {
  std::string issue, review_token;

  [[nodiscard]] std::string in(const std::string& text) const {
    return replace_all(replace_all(text, "{issue}", issue), "{review_token}", review_token);
  }
};

Json filled_in(const Json& value, const Unknowns& unknowns) {
  if (value.is_string()) return unknowns.in(value.get<std::string>());
  Json result = value;
  if (value.is_array()) {
    for (Json& item : result) item = filled_in(item, unknowns);
  } else if (value.is_object()) {
    result = Json::object();
    for (const auto& item : value.items())
      result[unknowns.in(item.key())] = filled_in(item.value(), unknowns);
  }
  return result;
}

std::string review_token_in(std::string_view prompt) {
  constexpr std::string_view kWords = "The review token is ";
  const auto at = prompt.rfind(kWords);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = prompt.substr(at + kWords.size());
  return std::string(rest.substr(0, rest.find_first_not_of("0123456789abcdef")));
}

int play_turn(const Json& turn, const Call& call) {
  if (const Json* steps = find_member(turn, "do")) {
    for (const Json& step : *steps) {
      const Status done = play_step(step);
      if (done) continue;
      say(stderr, "scripted agent: " + done.error().message + "\n");
      return static_cast<int>(PlayerExit::failed_step);
    }
  }
  const std::string named = string_or(turn, "issue", "*");
  const std::string issue = named != "*" ? named : call.issues.empty() ? "" : call.issues.front();
  if (const Json* answer = find_member(turn, "answer"))
    say(stdout, dump_json(filled_in(*answer, {issue, review_token_in(call.prompt)}), 2) + "\n");
  const Json* exit_code = find_member(turn, "exit");
  return exit_code == nullptr ? 0 : static_cast<int>(exact_int(*exit_code, 0, 255).value_or(0));
}

std::string read_stdin() {
  std::string text;
  char buffer[65536];
  while (true) {
    const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

} // namespace

Result<Json> load_script(const std::string& script_file) {
  TRY_ASSIGN(const std::string text, read_file(script_file));
  auto script = parse_json(text);
  if (!script) return fail(std::move(script).error().with_context(script_file));
  if (Status checked = check_script(*script); !checked)
    return fail(std::move(checked).error().with_context(script_file));
  return script;
}

int play_script(const std::string& script_file, const std::string& role, const std::string& issue, int cycle,
                const std::string& prompt) {
  const auto script = load_script(script_file);
  if (!script) {
    say(stderr, "scripted agent: " + script.error().message + "\n");
    return static_cast<int>(PlayerExit::bad_script);
  }
  const Call call{role, split(issue, ','), cycle, prompt};
  if (const Json* turn = choose_turn(*script, call)) return play_turn(*turn, call);
  const std::string asked = "role " + role + ", issue " + issue + ", cycle " + std::to_string(cycle);
  say(stderr, "scripted agent: " + script_file + " has no turn for " + asked + "\n");
  return static_cast<int>(PlayerExit::no_turn);
}

int play_command(const std::vector<std::string>& arguments) {
  const auto cycle = arguments.size() == 4 ? parse_unsigned(arguments[3]) : std::nullopt;
  if (!cycle) {
    say(stderr, "usage: __play SCRIPT ROLE ISSUE CYCLE <PROMPT\n");
    return static_cast<int>(PlayerExit::bad_script);
  }
  return play_script(arguments[0], arguments[1], arguments[2], static_cast<int>(*cycle), read_stdin());
}

} // namespace emend
