#include "model/line_diff.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <unordered_map>

namespace emend {

namespace {

std::vector<std::string_view> lines_with_ends(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::size_t length = newline == std::string_view::npos ? text.size() : newline + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

// A stretch of both sides: old [a, b), new [c, d).
struct Box {
  int a, b, c, d;
  [[nodiscard]] int height() const { return b - a; }
  [[nodiscard]] int width() const { return d - c; }
};

struct Point {
  int x, y;
};
struct Snake {
  Point from, to; // a run of equal lines (may be empty) in the middle of a shortest script
};

// Myers' linear-space algorithm: search from both ends until the paths meet, then solve both halves.
class Differ {
public:
  Differ(LineDiff& diff, int max_edits) : diff_(diff), half_limit_(max_edits / 2 + 1) {
    std::unordered_map<std::string_view, int> ids;
    const auto number = [&ids](std::string_view line) {
      return ids.try_emplace(line, static_cast<int>(ids.size())).first->second;
    };
    std::transform(diff.old_lines.begin(), diff.old_lines.end(), std::back_inserter(old_), number);
    std::transform(diff.new_lines.begin(), diff.new_lines.end(), std::back_inserter(new_), number);
  }

  void run() {
    pending_.push_back({0, static_cast<int>(old_.size()), 0, static_cast<int>(new_.size())});
    while (!pending_.empty()) {
      Box box = pending_.back();
      pending_.pop_back();
      trim_equal_ends(box);
      if (box.height() == 0 || box.width() == 0) {
        mark(box);
        continue;
      }
      const std::optional<Snake> snake = middle(box);
      if (!snake) {
        mark(box);
        continue;
      }
      pending_.push_back({box.a, snake->from.x, box.c, snake->from.y});
      pending_.push_back({snake->to.x, box.b, snake->to.y, box.d});
    }
  }

private:
  void trim_equal_ends(Box& box) const {
    while (box.a < box.b && box.c < box.d && old_[index(box.a)] == new_[index(box.c)]) ++box.a, ++box.c;
    while (box.a < box.b && box.c < box.d && old_[index(box.b - 1)] == new_[index(box.d - 1)])
      --box.b, --box.d;
  }

  void mark(const Box& box) {
    for (int x = box.a; x < box.b; ++x) diff_.removed[index(x)] = true;
    for (int y = box.c; y < box.d; ++y) diff_.added[index(y)] = true;
  }

  static constexpr int kUnreachable = -(1 << 30);

  static std::size_t index(int at) { return static_cast<std::size_t>(at); }

  bool equal(const Box& box, int x, int y) const { return old_[index(box.a + x)] == new_[index(box.c + y)]; }

  // Furthest x per diagonal, from the front and from the back; diagonals are offset so that they index a
  // vector.
  struct Frontier {
    std::vector<int> x;
    int offset;
    int& operator[](int diagonal) { return x[index(diagonal + offset)]; }
  };

  std::optional<Snake> middle(const Box& box) {
    const int rounds = std::min((box.height() + box.width() + 1) / 2, half_limit_);
    for (Frontier* frontier : {&forward_, &backward_}) {
      frontier->offset = rounds + 1;
      frontier->x.assign(index(2 * rounds + 3), kUnreachable);
    }
    for (int d = 0; d <= rounds; ++d) {
      if (const auto snake = extend_forward(box, d)) return snake;
      if (const auto snake = extend_backward(box, d)) return snake;
    }
    return std::nullopt;
  }

  // The furthest point on diagonal k after one more edit, before equal lines are followed; unreachable when
  // it leaves the box.
  static int after_edit(const Box& box, Frontier& frontier, int d, int k) {
    if (d == 0) return 0;
    const int down = frontier[k + 1], right = frontier[k - 1] + 1;
    const bool down_fits = down >= 0 && down - k <= box.width();
    const bool right_fits = right > 0 && right <= box.height();
    return std::max(down_fits ? down : kUnreachable, right_fits ? right : kUnreachable);
  }

  std::optional<Snake> extend_forward(const Box& box, int d) {
    const int n = box.height(), m = box.width(), delta = n - m;
    for (int k = -d; k <= d; k += 2) {
      int x = after_edit(box, forward_, d, k);
      forward_[k] = x;
      if (x < 0) continue;
      const Point from{x, x - k};
      while (x < n && x - k < m && equal(box, x, x - k)) ++x;
      forward_[k] = x;
      const int mirrored = delta - k;
      const bool may_meet = delta % 2 != 0 && std::abs(mirrored) <= d - 1;
      if (may_meet && x + backward_[mirrored] >= n) return at(box, from, {x, x - k});
    }
    return std::nullopt;
  }

  std::optional<Snake> extend_backward(const Box& box, int d) {
    const int n = box.height(), m = box.width(), delta = n - m;
    for (int k = -d; k <= d; k += 2) {
      int x = after_edit(box, backward_, d, k);
      backward_[k] = x;
      if (x < 0) continue;
      const Point from{x, x - k};
      while (x < n && x - k < m && equal(box, n - x - 1, m - (x - k) - 1)) ++x;
      backward_[k] = x;
      const int mirrored = delta - k;
      const bool may_meet = delta % 2 == 0 && std::abs(mirrored) <= d;
      if (may_meet && x + forward_[mirrored] >= n)
        return at(box, {n - x, m - (x - k)}, {n - from.x, m - from.y});
    }
    return std::nullopt;
  }

  static Snake at(const Box& box, Point from, Point to) {
    return {{box.a + from.x, box.c + from.y}, {box.a + to.x, box.c + to.y}};
  }

  LineDiff& diff_;
  int half_limit_;
  std::vector<int> old_, new_;
  std::vector<Box> pending_;
  Frontier forward_{{}, 0}, backward_{{}, 0};
};

} // namespace

LineDiff diff_lines(std::string_view old_text, std::string_view new_text, int max_edits) {
  LineDiff diff{lines_with_ends(old_text), lines_with_ends(new_text), {}, {}};
  diff.removed.assign(diff.old_lines.size(), false);
  diff.added.assign(diff.new_lines.size(), false);
  Differ(diff, max_edits).run();
  return diff;
}

} // namespace emend
