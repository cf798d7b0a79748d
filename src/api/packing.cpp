#include "api/packing.hpp"

#include <brotli/encode.h>
#include <zlib.h>

#include <cstdlib>

#include "base/late_library.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

LateLibrary brotli_library("libbrotlienc.so.1", "libbrotli1");
const LateFunction<decltype(&::BrotliEncoderCompress)> brotli_compress{brotli_library,
                                                                       "BrotliEncoderCompress"};

// Named, and not with a weight of nothing.
bool takes(const HttpRequest& request, std::string_view coding) {
  for (const std::string& part : split(request.header("accept-encoding").value_or(""), ',')) {
    const std::string named = to_lower(trim(part));
    const std::size_t end = named.find(';');
    if (trim(std::string_view(named).substr(0, end)) != coding) continue;
    const std::size_t weight = named.find("q=", end == std::string::npos ? named.size() : end);
    return weight == std::string::npos || std::strtod(named.c_str() + weight + 2, nullptr) > 0;
  }
  return false;
}

std::string gzipped(const std::string& body) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16, kMemory = 8;
  if (::deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  std::string out(::deflateBound(&stream, static_cast<uLong>(body.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool done = ::deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(done ? stream.total_out : 0);
  ::deflateEnd(&stream);
  return out;
}

// The level costs about what gzip's quickest does and packs JSON a third smaller. Without room in `out` it
// fails, and such a body is not worth it.
std::string brotlied(const std::string& body) {
  constexpr int kLevel = 4, kWindow = 20;
  static const bool loaded = brotli_library.load().has_value();
  if (!loaded) return {};
  std::string out(body.size(), '\0');
  std::size_t size = out.size();
  const bool done = brotli_compress(kLevel, kWindow, BROTLI_MODE_TEXT, body.size(),
                                    reinterpret_cast<const std::uint8_t*>(body.data()), &size,
                                    reinterpret_cast<std::uint8_t*>(out.data())) == BROTLI_TRUE;
  out.resize(done ? size : 0);
  return out;
}

} // namespace

std::string_view name_of(Coding coding) {
  switch (coding) {
    case Coding::gzip: return "gzip";
    case Coding::brotli: return "br";
    case Coding::plain: break;
  }
  return "identity";
}

Coding coding_for(const HttpRequest& request) {
  if (takes(request, "br")) return Coding::brotli;
  return takes(request, "gzip") ? Coding::gzip : Coding::plain;
}

std::string packed_for(const HttpRequest& request, const std::string& body, Coding& used) {
  used = coding_for(request);
  std::string packed = used == Coding::brotli ? brotlied(body) : std::string();
  if (packed.empty() && takes(request, "gzip")) {
    used = Coding::gzip;
    packed = gzipped(body);
  }
  return packed.size() < body.size() ? packed : std::string();
}

} // namespace emend
