#pragma once
// The system's headers belong to Glibc, whichever module is loaded first: sockets look the same in every build.
#pragma clang module import SwiftGlibc
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Swift calls no variadic function: one shim for each kind of argument that an option or an answer takes.

static inline CURLcode wake_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode wake_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

// Strings, lists and the pointers that callbacks are given. NULL is the option's "not set".
static inline CURLcode wake_easy_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

// CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode wake_easy_set_sink(CURL *easy, CURLoption option, curl_write_callback function) {
  return curl_easy_setopt(easy, option, function);
}

static inline CURLcode wake_easy_set_open_socket(CURL *easy, curl_opensocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode wake_easy_set_before_request(CURL *easy, curl_prereq_callback function) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode wake_easy_set_tls_set_up(CURL *easy, curl_ssl_ctx_callback function) {
  return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, function);
}

static inline CURLcode wake_easy_set_progress(CURL *easy, curl_xferinfo_callback function) {
  return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
}

static inline CURLcode wake_easy_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode wake_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// Macros that Swift does not import.
static inline CURLcode wake_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

static inline curl_version_info_data *wake_version_info(void) { return curl_version_info(CURLVERSION_NOW); }

// CURLINFO_PRIVATE and other answers that are pointers.
static inline CURLcode wake_easy_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

// The address that a socket is about to connect to; it is longer than its declared type for IPv6.
static inline const struct sockaddr *wake_socket_address(const struct curl_sockaddr *address) {
  return &address->addr;
}
