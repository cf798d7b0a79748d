/* The unit tests: one "ok" or "not ok" line each, as TAP. */
#include "shelf.h"

#include <stdio.h>
#include <string.h>

static int run, failed;

static void check(int good, const char *what) {
  run++;
  if (!good) failed++;
  printf("%s %d - %s\n", good ? "ok" : "not ok", run, what);
}

static void test_dates(void) {
  check(is_leap_year(2024), "2024 is a leap year");
  check(!is_leap_year(2023), "2023 is not a leap year");
  check(is_leap_year(2000), "2000 is a leap year");
  check(days_in_month(2024, 2) == 29, "February 2024 has 29 days");
  check(days_in_month(2023, 12) == 31, "December has 31 days");
}

static void test_fines(void) {
  check(fine_cents(3, 25) == 75, "three days late");
  check(fine_cents(0, 25) == 0, "in time is free");
  check(fine_cents(-2, 25) == 0, "early is free");
}

static void test_isbn(void) {
  check(isbn_valid("0306406152"), "a good number");
  check(isbn_valid("097522980X"), "X as the last digit");
  check(!isbn_valid("0306406153"), "a wrong last digit");
}

static void test_split(void) {
  char line[] = "Emma;Austen;1815";
  char *fields[8];
  check(split_fields(line, ';', fields, 8) == 3, "three fields");
  check(strcmp(fields[0], "Emma") == 0 && strcmp(fields[2], "1815") == 0, "the fields are the words");
}

static void test_titles(void) {
  char label[TITLE_SIZE];
  label_title(label, "Emma");
  check(strcmp(label, "Emma") == 0, "a short title stays as it is");
}

static void test_rack(void) {
  struct rack rack = {.count = 0};
  check(rack_add(&rack, item_new("Emma", 2)), "a book goes on the rack");
  check(rack_add(&rack, item_new("Persuasion", 1)), "and another");
  check(rack_remove(&rack, "Emma"), "a book is taken off");
  check(!rack_remove(&rack, "Emma"), "only once");
  check(rack.count == 1 && strcmp(rack.items[0]->title, "Persuasion") == 0, "the other one is still there");
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0); /* a crash must not swallow the lines before it */
  test_dates();
  test_fines();
  test_isbn();
  test_split();
  test_titles();
  test_rack();
  printf("1..%d\n", run);
  return failed != 0;
}
