#include "shelf.h"

#include <string.h>

int rack_add(struct rack *rack, struct item *item) {
  if (rack->count == SHELF_SIZE) return 0;
  rack->items[rack->count++] = item;
  return 1;
}

int rack_remove(struct rack *rack, const char *title) {
  for (size_t i = 0; i < rack->count; i++) {
    struct item *item = rack->items[i];
    if (strcmp(item->title, title) != 0) continue;
    memmove(&rack->items[i], &rack->items[i + 1], (rack->count - i - 1) * sizeof rack->items[0]);
    rack->count--;
    item_free(item);
    return 1;
  }
  return 0;
}
