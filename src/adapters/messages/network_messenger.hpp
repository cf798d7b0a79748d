// Messages by HTTP and SMTP.
#pragma once

#include <memory>

#include "ports/messenger.hpp"

namespace emend {

// Connects to nobody yet. ca_file: certificates to trust instead of the system's; empty = the system's.
[[nodiscard]] std::unique_ptr<Messenger> open_messenger(const MailServer& server, const std::string& ca_file);

} // namespace emend
