// Whether this process is a service: stopped and started again by a machine, so that being stopped is
// nobody's decision about a session.
#pragma once

namespace emend {

// Once, before the first session. From then on a fired stop token leaves a session interrupted, to be
// resumed, unless a person asked for its end. In any other process the token is the person.
void become_service_process();
[[nodiscard]] bool is_service_process();

} // namespace emend
