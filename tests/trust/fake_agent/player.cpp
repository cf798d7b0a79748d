#include "tests/trust/fake_agent/player.hpp"

#include <unistd.h>

#include <map>
#include <stdexcept>

namespace emend::fake_agent {

Player::Handler Player::handler(const std::string& word) {
  static const std::map<std::string, Handler> handlers = {
      {"write", &Player::write},       {"bytes", &Player::bytes},       {"append", &Player::append},
      {"replace", &Player::replace},   {"delete", &Player::remove},     {"symlink", &Player::symlink},
      {"hardlink", &Player::hardlink}, {"chmod", &Player::chmod},       {"mkdir", &Player::mkdir},
      {"touch", &Player::touch},       {"fifo", &Player::fifo},         {"fill", &Player::fill},
      {"emit", &Player::emit},         {"raw", &Player::raw},           {"rawhex", &Player::rawhex},
      {"dribble", &Player::dribble},   {"flood", &Player::flood},       {"stderr", &Player::complain},
      {"say", &Player::say},           {"model", &Player::model},       {"result", &Player::result},
      {"fence", &Player::fence},       {"claim", &Player::claim},       {"verdict", &Player::verdict},
      {"canary", &Player::canary},     {"git", &Player::run_git},       {"sh", &Player::run_shell},
      {"sleep", &Player::sleep},       {"ignore", &Player::ignore},     {"daemon", &Player::daemon},
      {"forkbomb", &Player::forkbomb}, {"alloc", &Player::alloc},       {"readstdin", &Player::readstdin},
      {"tty?", &Player::tty},          {"http", &Player::http},         {"exit", &Player::exit},
      {"crash", &Player::crash},       {"when", &Player::when},         {"unless", &Player::unless},
      {"repeat", &Player::repeat},     {"onresume", &Player::onresume}, {"last", &Player::last},
  };
  const auto found = handlers.find(word);
  if (found == handlers.end()) throw std::runtime_error("no such step");
  return found->second;
}

int Player::play(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    if (done_) break;
    perform(step);
  }
  return status_;
}

void Player::perform(const Step& step) {
  try {
    (this->*handler(step.word))(step);
  } catch (const std::exception& problem) {
    record_problem(call_, step.word + " " + step.rest.substr(0, 300), problem.what());
  }
}

void Player::exit(const Step& step) {
  done_ = true;
  status_ = step.args.empty() ? 0 : std::stoi(step.args[0]);
}

// "attempt N STEP", "prompt TEXT STEP", "tree PATH TEXT STEP": what is left after the condition is the step.
bool Player::holds(std::string_view& condition) const {
  const auto take = [&condition] {
    const Step rest = parse_step(std::string("x ") + std::string(condition));
    const std::string word = rest.args.at(0);
    const bool quoted = condition.starts_with('"');
    std::size_t end = quoted ? 1 : std::min(condition.find(' '), condition.size());
    while (quoted && condition.at(end) != '"') end += condition[end] == '\\' ? 2 : 1;
    condition.remove_prefix(std::min(condition.size(), end + (quoted ? 1 : 0)));
    condition.remove_prefix(std::min(condition.size(), condition.find_first_not_of(' ')));
    return word;
  };
  const std::string kind = take();
  if (kind == "attempt") return std::stoi(take()) == call_.number;
  if (kind == "prompt") return call_.prompt.find(take()) != std::string::npos;
  if (kind != "tree") throw std::runtime_error("no such condition: " + kind);
  const std::string path = take();
  return read_text(path).find(take()) != std::string::npos;
}

void Player::when(const Step& step) {
  std::string_view rest = step.rest;
  if (holds(rest)) perform(parse_step(rest));
}

void Player::unless(const Step& step) {
  std::string_view rest = step.rest;
  if (!holds(rest)) perform(parse_step(rest));
}

void Player::repeat(const Step& step) {
  const auto space = step.rest.find(' ');
  const Step inner = parse_step(std::string_view(step.rest).substr(space));
  for (int i = std::stoi(step.rest.substr(0, space)); i > 0 && !done_; --i) perform(inner);
}

void Player::onresume(const Step& step) {
  if (!call_.resumed.empty()) perform(parse_step(step.rest));
}

void Player::last(const Step& step) {
  perform(parse_step(step.rest));
  done_ = true;
}

std::string Player::filled(std::string text) const {
  const std::string code = call_.codes.empty() ? "" : call_.codes.front();
  for (auto at = text.find("{issue}"); at != std::string::npos; at = text.find("{issue}"))
    text.replace(at, 7, code);
  for (auto at = text.find("{token}"); at != std::string::npos; at = text.find("{token}"))
    text.replace(at, 7, call_.review_token);
  return text;
}

} // namespace emend::fake_agent
