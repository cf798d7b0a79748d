#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int copy(const char* name) {
  char buffer[16];
  strcpy(buffer, name);
  sprintf(buffer, name);
  return system(buffer);
}
