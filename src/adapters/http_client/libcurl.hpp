// The functions of libcurl, which is loaded when the first request is made.
#pragma once

#include <curl/curl.h>

#include "base/late_library.hpp"

namespace emend {

inline LateLibrary libcurl("libcurl.so.4", "libcurl4");

inline const LateFunction<decltype(&::curl_easy_cleanup)> curl_easy_cleanup{libcurl, "curl_easy_cleanup"};
inline const LateFunction<decltype(&::curl_easy_getinfo)> curl_easy_getinfo{libcurl, "curl_easy_getinfo"};
inline const LateFunction<decltype(&::curl_easy_init)> curl_easy_init{libcurl, "curl_easy_init"};
inline const LateFunction<decltype(&::curl_easy_perform)> curl_easy_perform{libcurl, "curl_easy_perform"};
inline const LateFunction<decltype(&::curl_easy_reset)> curl_easy_reset{libcurl, "curl_easy_reset"};
inline const LateFunction<decltype(&::curl_easy_setopt)> curl_easy_setopt{libcurl, "curl_easy_setopt"};
inline const LateFunction<decltype(&::curl_easy_strerror)> curl_easy_strerror{libcurl, "curl_easy_strerror"};
inline const LateFunction<decltype(&::curl_global_init)> curl_global_init{libcurl, "curl_global_init"};
inline const LateFunction<decltype(&::curl_slist_append)> curl_slist_append{libcurl, "curl_slist_append"};
inline const LateFunction<decltype(&::curl_slist_free_all)> curl_slist_free_all{libcurl,
                                                                                "curl_slist_free_all"};

} // namespace emend
