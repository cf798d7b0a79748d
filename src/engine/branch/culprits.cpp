#include "engine/branch/culprits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"

namespace emend {

namespace {

struct Part {
  Group members;
  std::size_t whole; // the group it was cut from, by its number
};

std::size_t rounded_up(std::size_t total, std::size_t parts) { return (total + parts - 1) / parts; }

std::size_t members_in(const std::vector<Group>& groups) {
  return std::accumulate(groups.begin(), groups.end(), std::size_t{0},
                         [](std::size_t sum, const Group& group) { return sum + group.size(); });
}

// The size at which about half of the parts pass, if bad ones are as frequent as in the last round: each run
// tells most then.
std::size_t telling_size(std::size_t tried, std::size_t failed, std::size_t members) {
  const double share = std::min(static_cast<double>(failed) / static_cast<double>(tried),
                                1 - 0.5 / static_cast<double>(tried));
  const double size = static_cast<double>(members) / static_cast<double>(tried);
  const double bad = 1 - std::pow(1 - share, 1 / size);
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::log(2.0) / bad));
}

// Parts of `size` at most, and at least two of each group.
std::vector<Part> cut(const std::vector<Group>& groups, std::size_t size) {
  std::vector<Part> parts;
  for (std::size_t whole = 0; whole < groups.size(); ++whole) {
    const Group& group = groups[whole];
    const std::size_t step = std::clamp<std::size_t>(size, 1, rounded_up(group.size(), 2));
    for (std::size_t at = 0; at < group.size(); at += step) {
      const auto first = group.begin() + static_cast<std::ptrdiff_t>(at);
      const auto last = group.begin() + static_cast<std::ptrdiff_t>(std::min(at + step, group.size()));
      parts.push_back({Group(first, last), whole});
    }
  }
  return parts;
}

std::vector<Part> suspects_first(const Group& all, const Group& suspects) {
  std::vector<Part> parts;
  for (const std::size_t suspect : suspects) parts.push_back({{suspect}, 0});
  Group others;
  std::set_difference(all.begin(), all.end(), suspects.begin(), suspects.end(), std::back_inserter(others));
  parts.push_back({std::move(others), 0});
  return parts;
}

// A whole that failed and whose parts all passed.
void note_together(const std::vector<Group>& wholes, const std::vector<Part>& parts,
                   const std::vector<GroupEnd>& ends, Culprits& found) {
  std::vector<bool> explained(wholes.size());
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (ends[i] == GroupEnd::failed) explained[parts[i].whole] = true;
  for (std::size_t whole = 0; whole < wholes.size() && found.together.empty(); ++whole) {
    if (explained[whole]) continue;
    found.together = wholes[whole];
    const auto first =
        std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.whole == whole; });
    found.passing = first->members.front() == wholes[whole].front() ? first->members.size() : 0;
  }
}

Result<std::vector<GroupEnd>> run_all(const std::vector<Part>& parts, std::size_t slots,
                                      const GroupCheck& check) {
  std::vector<Result<GroupEnd>> runs(parts.size(), GroupEnd::passed);
  parallel_for(parts.size(), slots, [&](std::size_t i) { runs[i] = check(parts[i].members); });
  std::vector<GroupEnd> ends;
  for (Result<GroupEnd>& run : runs) {
    TRY_ASSIGN(const GroupEnd end, std::move(run));
    ends.push_back(end);
  }
  return ends;
}

} // namespace

Result<Culprits> find_culprits(std::size_t count, const Group& suspects, std::size_t slots,
                               const GroupCheck& check) {
  Culprits found;
  Group all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (count < 2) {
    found.alone = std::move(all);
    return found;
  }
  slots = std::max<std::size_t>(1, slots);
  const bool few =
      !suspects.empty() && suspects.size() < count && suspects.size() <= std::max<std::size_t>(slots, 4);
  std::vector<Group> wholes = {all};
  std::vector<Part> parts = few ? suspects_first(all, suspects) : cut(wholes, rounded_up(count, slots));
  while (!parts.empty()) {
    TRY_ASSIGN(const std::vector<GroupEnd> ends, run_all(parts, slots, check));
    found.stopped = std::find(ends.begin(), ends.end(), GroupEnd::stopped) != ends.end();
    if (found.stopped) return found;
    note_together(wholes, parts, ends, found);
    std::vector<Group> failed;
    std::size_t red = 0, members = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      members += parts[i].members.size();
      if (ends[i] == GroupEnd::passed) continue;
      ++red;
      if (parts[i].members.size() == 1)
        found.alone.push_back(parts[i].members.front());
      else
        failed.push_back(parts[i].members);
    }
    if (failed.empty()) break;
    const std::size_t size =
        std::min(telling_size(parts.size(), red, members), rounded_up(members_in(failed), slots));
    wholes = std::move(failed);
    parts = cut(wholes, size);
  }
  std::sort(found.alone.begin(), found.alone.end());
  return found;
}

} // namespace emend
