/* Reproducer of a borrower's report: lent on 28 February 2100, the receipt said "due 29 February". That day will never come. */
#include "shelf.h"

#include <stdio.h>

int main(void) {
  static const int common[] = {1900, 2100, 2200, 2300};
  for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
    if (days_in_month(common[i], 2) != 28) {
      printf("not ok 1 - February %d has 28 days\n1..1\n", common[i]);
      return 1;
    }
  }
  printf("ok 1 - February has 28 days in 1900, 2100, 2200, 2300\n1..1\n");
  return 0;
}
