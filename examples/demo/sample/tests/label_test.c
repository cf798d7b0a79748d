#include <stdio.h>
#include <string.h>

int label(char* out, const char* gauge, int minute);

int main(void) {
  char text[64];
  label(text, "mill", 125);
  const int fine = strcmp(text, "mill 02:05") == 0;
  printf("%s - the label of a gauge\n", fine ? "ok" : "not ok");
  return fine ? 0 : 1;
}
