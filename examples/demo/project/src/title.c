#include "shelf.h"

#include <string.h>

void label_title(char label[TITLE_SIZE], const char *title) {
  strcpy(label, title);
}
