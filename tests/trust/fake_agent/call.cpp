#include "tests/trust/fake_agent/call.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/trust/fake_agent/script.hpp"

namespace emend::fake_agent {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// By the answer that is asked for last: whatever a finding quotes comes before that.
std::string role_of(const std::string& prompt) {
  if (prompt.find("did not hold the JSON object") != std::string::npos && prompt.size() < 1000)
    return "nudge";
  const auto fixer = prompt.rfind("\"outcomes\""), challenger = prompt.rfind("\"score\"");
  const auto after = [](std::size_t at, std::size_t other) {
    return at != std::string::npos && (other == std::string::npos || at > other);
  };
  if (const auto check = prompt.rfind("{\"reproducer\""); after(check, fixer) && after(check, challenger))
    return "reproducer";
  if (fixer == std::string::npos && challenger == std::string::npos) return "other";
  if (fixer == std::string::npos) return "fix_challenger";
  return challenger == std::string::npos || fixer > challenger ? "fixer" : "fix_challenger";
}

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) lines.insert(line);
  return lines;
}

bool is_canary(const std::string& prompt, const std::string& added_file) {
  const auto hunk = prompt.find("\n@@ ");
  if (hunk == std::string::npos)
    return prompt.find("\nBinary file") == std::string::npos &&
           prompt.find("\nold mode") == std::string::npos;
  const std::set<std::string> added = lines_of(read_text(added_file));
  bool takes_away = false;
  for (const std::string& line : lines_of(prompt.substr(hunk, prompt.find("\n## ", hunk) - hunk))) {
    if (!added.contains(line.substr(1))) continue;
    if (line[0] == '+') return false;
    takes_away = takes_away || line[0] == '-';
  }
  return takes_away;
}

bool upper(char c) { return c >= 'A' && c <= 'Z'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

// BE-001 and the like in the last section, each once.
std::vector<std::string> codes_in(std::string text) {
  if (const auto section = text.rfind("\n## "); section != std::string::npos) text = text.substr(section);
  std::vector<std::string> codes;
  for (std::size_t i = 0; i + 5 < text.size(); ++i) {
    if (!upper(text[i]) || !upper(text[i + 1]) || text[i + 2] != '-' || !digit(text[i + 3])) continue;
    if (i > 0 && (upper(text[i - 1]) || digit(text[i - 1]))) continue;
    std::size_t end = i + 3;
    while (end < text.size() && digit(text[end])) ++end;
    const std::string code = text.substr(i, end - i);
    if (end - i >= 6 && std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(code);
    i = end;
  }
  return codes;
}

std::string token_in(const std::string& text) {
  const std::string words = "The review token is ";
  const auto at = text.rfind(words);
  if (at == std::string::npos) return {};
  const auto begin = at + words.size();
  return text.substr(begin, std::min(text.find_first_not_of("0123456789abcdef", begin), text.size()) - begin);
}

// Where the diff does not fit into the prompt, the rest of it and the token are in a file of the working
// directory.
std::string rest_of_the_diff() {
  for (const auto& entry : fs::directory_iterator(fs::current_path()))
    if (entry.path().filename().string().starts_with("rest-of-the-diff-"))
      return read_text(entry.path().string());
  return {};
}

std::string review_token(const std::string& prompt) {
  const std::string token = token_in(prompt);
  return token.empty() ? token_in(rest_of_the_diff()) : token;
}

std::string resumed_in(const std::vector<std::string>& argv) {
  for (std::size_t i = 0; i + 1 < argv.size(); ++i)
    if (argv[i] == "--resume" || argv[i] == "resume" || argv[i] == "fork") return argv[i + 1];
  return {};
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// Whoever creates the file has that number, also when calls run at the same time.
int next_number(const std::string& state, const std::string& key) {
  for (int number = 1; number < 1000; ++number) {
    const std::string path = state + "/" + key + "." + std::to_string(number);
    const int fd = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (fd >= 0) ::close(fd);
    if (fd >= 0 || errno != EEXIST) return number;
  }
  return 1000;
}

// The most particular script there is.
std::string choose_script(const Call& call) {
  const std::string first = call.codes.empty() ? "none" : call.codes.front();
  const std::string number = "." + std::to_string(call.number);
  for (const std::string& name :
       {call.role + "." + first + number, call.role + "." + first, call.name + "." + call.role + number,
        call.name + "." + call.role, call.role + number, call.role, std::string("default")})
    if (fs::exists(call.directory + "/scripts/" + name)) return name;
  return {};
}

void append_line(const Call& call, const json& line) {
  const int fd = ::open((call.directory + "/state/calls.jsonl").c_str(),
                        O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0644);
  if (fd < 0) return;
  const std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  [[maybe_unused]] const ssize_t written = ::write(fd, text.data(), text.size());
  ::close(fd);
}

} // namespace

Call read_call(int argc, char** argv) {
  Call call;
  call.argv.assign(argv, argv + argc);
  call.name = fs::path(call.argv.at(0)).filename();
  call.directory = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  call.prompt.assign(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  call.role = role_of(call.prompt);
  if (call.role == "fix_challenger" &&
      is_canary(call.prompt + rest_of_the_diff(), call.directory + "/state/added"))
    call.role = "canary";
  call.codes = codes_in(call.prompt);
  if (call.role == "fix_challenger" || call.role == "canary") call.review_token = review_token(call.prompt);
  call.resumed = resumed_in(call.argv);
  call.number = next_number(call.directory + "/state", call.role + "." + joined(call.codes, "+"));
  call.script = choose_script(call);
  return call;
}

void record(const Call& call) {
  const std::string prompt =
      call.role + "." + joined(call.codes, "+") + "." + std::to_string(call.number) + ".prompt";
  const int fd =
      ::open((call.directory + "/state/" + prompt).c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
  if (fd >= 0) {
    [[maybe_unused]] const ssize_t written = ::write(fd, call.prompt.data(), call.prompt.size());
    ::close(fd);
  }
  append_line(call, {{"agent", call.name},
                     {"role", call.role},
                     {"codes", call.codes},
                     {"number", call.number},
                     {"script", call.script},
                     {"resumed", call.resumed},
                     {"argv", call.argv},
                     {"cwd", fs::current_path()},
                     {"pid", ::getpid()}});
}

void record_added(const Call& call, const std::string& before, const std::string& after) {
  const std::set<std::string> old = lines_of(before);
  std::string text;
  for (const std::string& line : lines_of(after))
    if (!old.contains(line)) text += line + "\n";
  const int fd =
      ::open((call.directory + "/state/added").c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0644);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(fd, text.data(), text.size());
  ::close(fd);
}

void record_problem(const Call& call, const std::string& step, const std::string& problem) {
  append_line(call, {{"agent", call.name},
                     {"role", call.role},
                     {"codes", call.codes},
                     {"number", call.number},
                     {"step", step},
                     {"problem", problem}});
}

} // namespace emend::fake_agent
