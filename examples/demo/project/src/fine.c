#include "shelf.h"

long fine_cents(int days_late, int cents_per_day) {
  if (days_late <= 0) return 0;
  return days_late * cents_per_day;
}
