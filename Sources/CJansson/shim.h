#pragma once
#include <jansson.h>

// A function and an enum of one name in C; Swift sees the enum alone.
static inline int wake_json_error_code(const json_error_t *error) {
  return (int)json_error_code(error);
}
