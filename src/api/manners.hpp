// What every answer owes its reader, whichever route made it: a tag, so that nobody is sent what he has, and
// a packed body for whoever unpacks it.
#pragma once

#include "http/message.hpp"

namespace emend {

// Answers that were read, not made: JSON gets a tag of its bytes unless its route has given one, and becomes
// 304 when the caller has those bytes. Long texts are packed. An answer with a tag of its route, which guards
// a change, is left alone.
void polish(const HttpRequest& request, HttpResponse& response);

} // namespace emend
