// Who does something: a person, a service account, or emend itself; and through what.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace emend {

enum class ActorKind {
  emend,   // the engine: nobody asked for it
  owner,   // the person whose machine or server this is
  person,  // with an account on the server
  service, // an account of a program; a forge's webhook
};
[[nodiscard]] std::string_view to_string(ActorKind kind);
[[nodiscard]] std::optional<ActorKind> parse_actor_kind(std::string_view text);

struct Actor {
  ActorKind kind = ActorKind::emend;
  std::string id = {};        // of the account; empty = there is none
  std::string name = "emend"; // for people
  std::string via = {};       // "dashboard", "command line", "Claude Code"; empty = nothing in between

  [[nodiscard]] Actor through(std::string what) const;
  [[nodiscard]] std::string shown() const; // "Ann Lee", "Ann Lee through Claude Code"
};

[[nodiscard]] Json to_json(const Actor& actor);
[[nodiscard]] Actor actor_from_json(const Json& json);

// A name as somebody else gave it, fit for one line: no control characters, 1 to 100 bytes; empty = nothing
// is left of it.
[[nodiscard]] std::string clean_name(std::string_view name);

} // namespace emend
