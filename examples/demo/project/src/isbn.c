#include "shelf.h"

int isbn_valid(const char *isbn) {
  int sum = 0;
  for (int i = 0; i < 10; i++) {
    int digit = isbn[i] == 'X' ? 10 : isbn[i] - '0';
    sum += (10 - i) * digit;
  }
  return sum % 11 == 0;
}
