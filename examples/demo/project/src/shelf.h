/* shelf: the lending desk of a small library. */
#ifndef SHELF_H
#define SHELF_H

#include <stddef.h>

enum { TITLE_SIZE = 32, SHELF_SIZE = 16 };

/* date.c */
int is_leap_year(int year);
int days_in_month(int year, int month);

/* fine.c: what a late borrower owes, in cents */
long fine_cents(int days_late, int cents_per_day);

/* isbn.c: does the ten-digit book number check out? */
int isbn_valid(const char *isbn);

/* split.c: cuts line at each separator, in place; returns how many fields it stored (at most max) */
size_t split_fields(char *line, char separator, char **fields, size_t max);

/* title.c: a title that fits on a label of TITLE_SIZE bytes */
void label_title(char label[TITLE_SIZE], const char *title);

/* item.c: one book; owns its title */
struct item {
  char *title;
  int copies;
};
struct item *item_new(const char *title, int copies);
void item_free(struct item *item);

/* rack.c: books in the order they arrived */
struct rack {
  struct item *items[SHELF_SIZE];
  size_t count;
};
int rack_add(struct rack *rack, struct item *item);
int rack_remove(struct rack *rack, const char *title);

#endif
