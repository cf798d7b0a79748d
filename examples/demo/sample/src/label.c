/* The text on the display of a gauge. */
#include <stdio.h>
#include <string.h>

int label(char* out, const char* gauge, int minute) {
  char name[16];
  strcpy(name, gauge);
  return sprintf(out, "%s %02d:%02d", name, minute / 60, minute % 60);
}
