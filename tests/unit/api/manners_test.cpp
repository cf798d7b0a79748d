#include "api/manners.hpp"

#include <brotli/decode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "api/guard.hpp"
#include "base/late_library.hpp"

namespace emend {
namespace {

HttpRequest asking(std::vector<HttpHeader> headers, std::string method = "GET") {
  HttpRequest request;
  request.method = std::move(method);
  request.headers = std::move(headers);
  return request;
}

HttpResponse answer(std::size_t size) {
  return {200, {{"Content-Type", "application/json"}}, "\"" + std::string(size, 'x') + "\""};
}

std::string header(const HttpResponse& response, const std::string& name) {
  for (const HttpHeader& header : response.headers)
    if (header.name == name) return header.value;
  return "";
}

std::string unpacked(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string out(1'000'000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

TEST(Manners, ALongAnswerIsPackedForWhoUnpacksIt) {
  HttpResponse response = answer(5'000);
  polish(asking({{"accept-encoding", "br;q=0, gzip;q=0.8"}}), response);
  EXPECT_EQ(header(response, "Content-Encoding"), "gzip");
  EXPECT_EQ(header(response, "Vary"), "Accept-Encoding");
  EXPECT_LT(response.body.size(), 500U);
  EXPECT_EQ(unpacked(response.body), answer(5'000).body);
  for (const char* accepted : {"", "identity", "gzip;q=0", "gzip; q=0.00, br;q=0.0", "xgzip, brotli"}) {
    HttpResponse plain = answer(5'000);
    polish(asking({{"accept-encoding", accepted}}), plain);
    EXPECT_EQ(header(plain, "Content-Encoding"), "") << accepted;
    EXPECT_EQ(plain.body, answer(5'000).body);
  }
}

TEST(Manners, BrotliGoesBeforeGzip) {
  LateLibrary library("libbrotlidec.so.1", "libbrotli1");
  const LateFunction<decltype(&::BrotliDecoderDecompress)> unpack{library, "BrotliDecoderDecompress"};
  for (const char* accepted : {"br, gzip;q=0.8", "gzip, deflate, BR;q=0.1", "gzip;q=1.0, br ; q=0.001"}) {
    HttpResponse response = answer(5'000);
    polish(asking({{"accept-encoding", accepted}}), response);
    EXPECT_EQ(header(response, "Content-Encoding"), "br") << accepted;
    std::string out(1'000'000, '\0');
    std::size_t size = out.size();
    ASSERT_EQ(unpack(response.body.size(), reinterpret_cast<const std::uint8_t*>(response.body.data()), &size,
                     reinterpret_cast<std::uint8_t*>(out.data())),
              BROTLI_DECODER_RESULT_SUCCESS);
    out.resize(size);
    EXPECT_EQ(out, answer(5'000).body);
  }
}

TEST(Manners, AShortAnswerAndAPictureAreNot) {
  HttpResponse small = answer(100), picture = answer(5'000);
  picture.headers = {{"Content-Type", "image/png"}};
  for (HttpResponse* response : {&small, &picture}) {
    polish(asking({{"accept-encoding", "gzip"}}), *response);
    EXPECT_EQ(header(*response, "Content-Encoding"), "");
  }
}

TEST(Manners, WhoHasTheBytesIsNotSentThemAgain) {
  HttpResponse first = answer(5'000);
  polish(asking({{"accept-encoding", "gzip"}}), first);
  const std::string tag = header(first, "ETag");
  ASSERT_TRUE(tag.starts_with("W/\"")) << tag;
  for (const std::string& known : {tag, tag.substr(2), "\"other\", " + tag, std::string("*")}) {
    HttpResponse again = answer(5'000);
    polish(asking({{"if-none-match", known}}), again);
    EXPECT_EQ(again.status, 304) << known;
    EXPECT_EQ(again.body, "");
    EXPECT_EQ(header(again, "ETag"), tag);
  }
  HttpResponse changed = answer(5'001);
  polish(asking({{"if-none-match", tag}}), changed);
  EXPECT_EQ(changed.status, 200);
}

TEST(Manners, AChangeAndATagOfTheRouteAreLeftAlone) {
  HttpResponse made = answer(5'000), guarded = answer(5'000);
  polish(asking({{"accept-encoding", "gzip"}}, "POST"), made);
  EXPECT_EQ(made.body, answer(5'000).body);
  guarded.headers.push_back({"ETag", "\"version-7\""});
  polish(asking({{"accept-encoding", "gzip"}, {"if-none-match", "*"}}), guarded);
  EXPECT_EQ(guarded.status, 200);
  EXPECT_EQ(guarded.body, answer(5'000).body);
}

TEST(Guard, SchemeAndHostHaveNoCase) {
  EXPECT_EQ(bearer_token(asking({{"authorization", "bearer abc"}})), "abc");
  EXPECT_EQ(bearer_token(asking({{"authorization", "BEARER  abc"}})), "abc");
  EXPECT_FALSE(bearer_token(asking({{"authorization", "Basic abc"}})));
  const OwnNames names = own_names(80, {"Emend.Example"}, true);
  EXPECT_FALSE(check_host(asking({{"host", "LocalHost:80"}}), names));
  EXPECT_FALSE(check_host(asking({{"host", "emend.EXAMPLE"}}), names));
  EXPECT_TRUE(check_host(asking({{"host", "other.example"}}), names));
}

} // namespace
} // namespace emend
