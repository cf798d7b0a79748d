#include "model/actor.hpp"

#include "base/strings.hpp"
#include "model/enum_names.hpp"

namespace emend {

namespace {

constexpr EnumName<ActorKind> kKinds[] = {{ActorKind::emend, "emend"},
                                          {ActorKind::owner, "owner"},
                                          {ActorKind::person, "person"},
                                          {ActorKind::service, "service"}};
constexpr std::size_t kLongestName = 100;

} // namespace

std::string_view to_string(ActorKind kind) { return name_of(kKinds, kind); }
std::optional<ActorKind> parse_actor_kind(std::string_view text) { return value_of(kKinds, text); }

Actor Actor::through(std::string what) const {
  Actor other = *this;
  other.via = std::move(what);
  return other;
}

std::string Actor::shown() const { return via.empty() ? name : name + " through " + via; }

Json to_json(const Actor& actor) {
  return {{"kind", to_string(actor.kind)}, {"id", actor.id}, {"name", actor.name}, {"via", actor.via}};
}

Actor actor_from_json(const Json& json) {
  Actor actor;
  actor.kind = parse_actor_kind(string_or(json, "kind")).value_or(ActorKind::emend);
  actor.id = string_or(json, "id");
  actor.name = string_or(json, "name", actor.name);
  actor.via = string_or(json, "via");
  return actor;
}

std::string clean_name(std::string_view name) {
  return std::string(trim(first_line(clean_text(trim(name)), kLongestName)));
}

} // namespace emend
