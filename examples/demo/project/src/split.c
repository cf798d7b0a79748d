#include "shelf.h"

size_t split_fields(char *line, char separator, char **fields, size_t max) {
  size_t count = 0;
  fields[count++] = line;
  for (char *at = line; *at != '\0'; at++) {
    if (*at != separator) continue;
    *at = '\0';
    if (count <= max) fields[count++] = at + 1;
  }
  return count;
}
