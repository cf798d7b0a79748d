#include "base/json_scan.hpp"

#include <vector>

namespace emend {

namespace {

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

class Scanner {
public:
  Scanner(std::string_view text, std::size_t start) : text_(text), at_(start) {}

  ObjectScan run() {
    const Step step = value();
    if (step == Step::ok && object_done()) return {ObjectScan::End::complete, at_};
    return finish(step == Step::ok ? loop() : step);
  }

private:
  enum class Step { ok, bad, cut };
  enum class Want { value, value_or_close, key, key_or_close, colon, comma_or_close };

  ObjectScan finish(Step step) const {
    if (step == Step::ok) return {ObjectScan::End::complete, at_};
    if (step == Step::cut) return {opened_string_ ? ObjectScan::End::cut : ObjectScan::End::no_object, at_};
    return {saw_colon_ ? ObjectScan::End::broken : ObjectScan::End::no_object, at_};
  }

  bool object_done() const { return open_.empty(); }

  Step loop() {
    while (!object_done()) {
      skip_blank();
      if (at_ >= text_.size()) return Step::cut;
      const Step step = token();
      if (step != Step::ok) return step;
    }
    return Step::ok;
  }

  void skip_blank() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }

  Step token() {
    const char c = text_[at_];
    if ((c == '}' || c == ']') &&
        (want_ == Want::comma_or_close || want_ == Want::key_or_close || want_ == Want::value_or_close)) {
      return close(c);
    }
    switch (want_) {
      case Want::key:
      case Want::key_or_close: return key();
      case Want::colon: return punctuation(':', Want::value);
      case Want::comma_or_close: return punctuation(',', open_.back() == '{' ? Want::key : Want::value);
      case Want::value:
      case Want::value_or_close: return value();
    }
    return Step::bad;
  }

  Step punctuation(char expected, Want next) {
    if (text_[at_] != expected) return Step::bad;
    saw_colon_ = saw_colon_ || expected == ':';
    ++at_;
    want_ = next;
    return Step::ok;
  }

  Step close(char c) {
    if ((c == '}') != (open_.back() == '{')) return Step::bad;
    open_.pop_back();
    ++at_;
    want_ = Want::comma_or_close;
    return Step::ok;
  }

  Step key() {
    if (text_[at_] != '"') return Step::bad;
    const Step step = string();
    want_ = Want::colon;
    return step;
  }

  Step value() {
    const char c = text_[at_];
    if (c == '{' || c == '[') {
      open_.push_back(c);
      ++at_;
      want_ = c == '{' ? Want::key_or_close : Want::value_or_close;
      return Step::ok;
    }
    want_ = Want::comma_or_close;
    if (c == '"') return string();
    if (c == 't') return word("true");
    if (c == 'f') return word("false");
    if (c == 'n') return word("null");
    return number();
  }

  Step word(std::string_view expected) {
    for (const char c : expected) {
      if (at_ >= text_.size()) return Step::cut;
      if (text_[at_] != c) return Step::bad;
      ++at_;
    }
    return Step::ok;
  }

  Step number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view("+-.0123456789eE").find(text_[at_]) != std::string_view::npos)
      ++at_;
    return at_ == begin ? Step::bad : Step::ok;
  }

  Step string() {
    opened_string_ = true;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return Step::ok;
      }
      if (static_cast<unsigned char>(c) < 0x20) return Step::bad;
      if (c != '\\') continue;
      const Step step = escape();
      if (step != Step::ok) return step;
    }
    return Step::cut;
  }

  Step escape() {
    if (++at_ >= text_.size()) return Step::cut;
    if (text_[at_] != 'u')
      return std::string_view("\"\\/bfnrt").find(text_[at_]) == std::string_view::npos ? Step::bad : Step::ok;
    for (int i = 0; i < 4; ++i) {
      if (++at_ >= text_.size()) return Step::cut;
      if (!is_hex(text_[at_])) return Step::bad;
    }
    return Step::ok;
  }

  std::string_view text_;
  std::size_t at_;
  std::vector<char> open_;
  Want want_ = Want::value;
  bool saw_colon_ = false;
  bool opened_string_ = false;
};

} // namespace

ObjectScan scan_object(std::string_view text, std::size_t start) { return Scanner(text, start).run(); }

std::size_t after_balanced_brace(std::string_view text, std::size_t start) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = start; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"' || c == '\n')
        in_string = false; // JSON strings end with their line: a stray quote costs one line, not the rest
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

} // namespace emend
