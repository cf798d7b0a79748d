// The streams of the three coding CLIs: what they print when they start, speak and end.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace emend::fake_agent {

// Bytes to stdout, whole, whatever they are. False when nobody listens any more.
bool put(const std::string& bytes);
bool put_event(const nlohmann::json& event);

class Stream {
public:
  Stream(std::string dialect, std::string conversation, std::string model)
      : dialect_(std::move(dialect)), conversation_(std::move(conversation)), model_(std::move(model)) {}

  void model(std::string name) { model_ = std::move(name); }
  void begin() const;
  void say(const std::string& text) const;   // one message of the agent
  void end(const std::string& answer) const; // the final event of a run that went well

private:
  [[nodiscard]] bool claude() const { return dialect_ != "gemini" && dialect_ != "codex"; }

  std::string dialect_, conversation_, model_;
};

} // namespace emend::fake_agent
