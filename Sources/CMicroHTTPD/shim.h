#pragma once
// The system's headers belong to Glibc, whichever module is loaded first: sockets look the same in every build.
#pragma clang module import SwiftGlibc
#include <microhttpd.h>
#include <sys/socket.h>

// Macros with casts, which Swift does not see.

static const uint64_t wake_mhd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t wake_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t wake_mhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

// MHD_start_daemon, MHD_get_connection_info, MHD_set_connection_option and MHD_set_response_options are variadic, which Swift cannot call.

static inline struct MHD_Daemon *wake_mhd_start(
    unsigned int flags, MHD_AccessHandlerCallback request, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connection,
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection),
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text), void *context,
    const struct MHD_OptionItem *options) {
  return MHD_start_daemon(flags, 0, NULL, NULL, request, context, MHD_OPTION_NOTIFY_COMPLETED, completed,
                          context, MHD_OPTION_NOTIFY_CONNECTION, connection, context,
                          MHD_OPTION_URI_LOG_CALLBACK, target, context, MHD_OPTION_UNESCAPE_CALLBACK,
                          unescape, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// Octets from the first of the method to the last of the empty line that ends the head; 0 where unknown.
static inline size_t wake_mhd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}

static inline const struct sockaddr *wake_mhd_client_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info == NULL ? NULL : info->client_addr;
}

static inline void *wake_mhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

static inline int wake_mhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

static inline void wake_mhd_set_timeout(struct MHD_Connection *connection, unsigned int seconds) {
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

static inline void wake_mhd_close_after(struct MHD_Response *response) {
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}
