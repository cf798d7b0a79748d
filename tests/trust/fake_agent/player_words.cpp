// The steps that print: events, answers, verdicts, noise.
#include <dirent.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "tests/trust/fake_agent/player.hpp"

namespace emend::fake_agent {

using nlohmann::json;

void Player::emit(const Step& step) { put(filled(step.rest) + "\n"); }
void Player::raw(const Step& step) { put(filled(step.args.at(0))); }

void Player::rawhex(const Step& step) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < step.args.at(0).size(); i += 2)
    bytes += static_cast<char>(std::stoi(step.args[0].substr(i, 2), nullptr, 16));
  put(bytes);
}

// One byte after the other, as from a dying connection.
void Player::dribble(const Step& step) {
  for (int i = 0; i < std::stoi(step.args.at(0)); ++i) {
    put(" ");
    std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(step.args.at(1))));
  }
  put("\n");
}

void Player::flood(const Step& step) {
  const bool endless = step.args.at(0) == "inf";
  const std::string block = step.args.size() > 1
                                ? std::string(65536, 'y')
                                : std::string(65535, 'y') + "\n"; // any second word: one line
  for (long left = endless ? 1 : std::stol(step.args[0]); left > 0;
       left -= endless ? 0 : static_cast<long>(block.size()))
    if (!put(block)) break;
}

void Player::complain(const Step& step) { std::fprintf(stderr, "%s\n", step.args.at(0).c_str()); }
void Player::say(const Step& step) { stream_.say(filled(step.args.at(0))); }
void Player::model(const Step& step) { stream_.model(step.args.at(0)); }

// The final event with these words as the answer: a JSON string is taken as what it means, anything else as
// it is written.
void Player::result(const Step& step) {
  const std::string text = filled(step.rest);
  stream_.end(text.starts_with('"') ? json::parse(text).get<std::string>() : text);
}

void Player::fence(const Step& step) {
  stream_.end("Here is what you asked for:\n```json\n" + filled(step.rest) + "\n```\n");
}

void Player::claim(const Step& step) {
  json outcomes = json::array();
  for (const std::string& code : call_.codes)
    outcomes.push_back({{"id", code},
                        {"outcome", step.args.at(0)},
                        {"explanation", step.args.size() > 1 ? step.args[1] : "done"}});
  stream_.end(json{{"outcomes", outcomes}}.dump());
}

void Player::verdict(const Step& step) {
  const int score = std::stoi(step.args.at(0));
  const std::string status = step.args.size() > 1 ? step.args[1] : score >= 95 ? "SOLVED" : "IN_PROGRESS";
  json issues = json::object();
  for (const std::string& code : call_.codes)
    issues[code] = {{"score", score},
                    {"status", status},
                    {"feedback", step.args.size() > 2 ? step.args[2] : "looked at the change"},
                    {"quality_scores", {{"correctness", score}}},
                    {"improvements_needed", json::array()}};
  stream_.end(json{{"review_token", call_.review_token}, {"issues", issues}}.dump());
}

// Everything a thief would look at: its own environment, that of others, and the files it is told of. It says
// what it found.
void Player::canary(const Step& step) {
  std::string found;
  for (char** variable = environ; *variable != nullptr; ++variable) found += std::string(*variable) + "\n";
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string environment = read_text(entry.path().string() + "/environ");
    for (const char c : environment) found += c == '\0' ? '\n' : c;
  }
  for (const std::string& path : step.args) found += path + ": " + read_text(path) + "\n";
  stream_.say(found);
}

} // namespace emend::fake_agent
