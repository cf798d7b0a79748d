#include "model/issue_state.hpp"

#include <algorithm>

#include "model/enum_names.hpp"

namespace emend {

namespace {

constexpr EnumName<Actor> kActors[] = {
    {Actor::engine, "engine"}, {Actor::gate, "gate"}, {Actor::person, "person"}, {Actor::sync, "sync"}};

} // namespace

std::string_view to_string(Actor actor) { return name_of(kActors, actor); }

const std::vector<Transition>& issue_transitions() {
  using enum IssueStatus;
  static const std::vector<Transition> table = {
      {open, in_progress, Actor::engine, "a session took it"},
      {open, failed, Actor::engine, "its file is gone"},
      {open, ignored, Actor::person, "not worth fixing"},
      {open, duplicate, Actor::person, "the same as another issue"},
      {open, duplicate, Actor::engine, "triage saw that it is the same as another issue"},
      {in_progress, open, Actor::engine, "interrupted, cancelled or deferred"},
      {in_progress, failed, Actor::engine, "no attempt passed"},
      {in_progress, resolved, Actor::gate, "every clause passed and the proof is stored"},
      {resolved, merged, Actor::sync, "its commit is in the target branch"},
      {resolved, open, Actor::engine, "it came back"},
      {resolved, open, Actor::person, "reopened, rejected or discarded"},
      {failed, open, Actor::engine, "a later session takes it again"},
      {failed, open, Actor::person, "reopened"},
      {failed, ignored, Actor::person, "not worth fixing"},
      {failed, duplicate, Actor::person, "the same as another issue"},
      {merged, open, Actor::engine, "it came back"},
      {merged, open, Actor::person, "reopened"},
      {ignored, open, Actor::person, "reopened"},
      {duplicate, open, Actor::person, "reopened"},
  };
  return table;
}

bool may_move(IssueStatus from, IssueStatus to, Actor actor) {
  const auto& table = issue_transitions();
  return std::any_of(table.begin(), table.end(), [&](const Transition& row) {
    return row.from == from && row.to == to && row.actor == actor;
  });
}

} // namespace emend
