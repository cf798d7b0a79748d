#include "shelf.h"

#include <stdlib.h>
#include <string.h>

struct item *item_new(const char *title, int copies) {
  struct item *item = malloc(sizeof *item);
  if (item == NULL) return NULL;
  item->title = strdup(title);
  item->copies = copies;
  return item;
}

void item_free(struct item *item) {
  free(item);
}
