"""Small functions over whole numbers with a bug in them: what is right, what is wrong, and inputs that show the difference.

A body is a list of (condition, value); the first condition that holds gives the value, None always holds. Conditions and values are
written as in C; DIV(a, b) is the quotient of whole numbers."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Problem:
    names: tuple      # of the function: one is drawn
    params: tuple
    ranges: tuple     # (least, most) of each parameter
    right: tuple
    wrong: tuple
    says: str         # what a reviewer writes; NAME is the function's name


def clamp(r):
    less = r.randint(1, 4)
    return Problem(("clamp", "limit", "bound", "keep_within"), ("value", "low", "high"), ((-40, 160), (0, 20), (30, 90)),
                   (("value < low", "low"), ("value > high", "high"), (None, "value")),
                   (("value < low", "low"), ("value > high", f"high - {less}"), (None, "value")),
                   f"NAME() gives {less} less than the upper bound when the value is above it.")


def span(r):
    return Problem(("span", "days_between", "count_pages", "seats"), ("first", "last"), ((0, 60), (0, 90)),
                   (("last < first", "0"), (None, "last - first + 1")), (("last < first", "0"), (None, "last - first")),
                   "NAME() leaves out the last one: both ends belong to it.")


def distance(r):
    return Problem(("distance", "gap", "delta", "difference"), ("one", "other"), ((-50, 50), (-50, 50)),
                   (("one > other", "one - other"), (None, "other - one")), ((None, "one - other"),),
                   "NAME() is negative when the second one is larger; a distance never is.")


def fare(r):
    child, senior = r.randint(5, 14), r.randint(60, 70)
    low, middle, full = r.randint(1, 9), r.randint(10, 19), r.randint(20, 40)
    return Problem(("fare", "ticket_price", "fee_for", "entry"), ("age",), ((0, 99),),
                   ((f"age < {child}", str(low)), (f"age >= {senior}", str(middle)), (None, str(full))),
                   ((f"age < {child}", str(low)), (None, str(full))),
                   f"NAME() asks the full price of people of {senior} and more; they pay {middle}.")


def leap(r):
    return Problem(("leap", "is_leap", "leap_year", "has_extra_day"), ("year",), ((1, 60),),
                   (("year % 20 == 0", "1"), ("year % 10 == 0", "0"), ("year % 2 == 0", "1"), (None, "0")),
                   (("year % 10 == 0", "0"), ("year % 2 == 0", "1"), (None, "0")),
                   "NAME() says 0 for every year that divides by 10; those that divide by 20 are 1.")


def capped(r):
    most = r.randint(30, 70)
    return Problem(("total", "add_capped", "fill", "join_amounts"), ("one", "other"), ((0, 60), (0, 60)),
                   ((f"one + other > {most}", str(most)), (None, "one + other")), ((None, "one + other"),),
                   f"NAME() may not give more than {most}.")


def largest(r):
    return Problem(("largest", "top_of", "best", "maximum"), ("a", "b", "c"), ((0, 90), (0, 90), (0, 90)),
                   (("a >= b && a >= c", "a"), ("b >= c", "b"), (None, "c")),
                   (("a >= b && a >= c", "a"), ("b >= c", "a"), (None, "c")),
                   "NAME() gives the first one when the second is the largest.")


def packs(r):
    size = r.randint(3, 9)
    return Problem(("packs", "boxes", "round_up", "full_rows"), ("amount",), ((0, 200),),
                   ((None, f"DIV(amount + {size - 1}, {size})"),), ((None, f"DIV(amount, {size})"),),
                   f"NAME() forgets the last, partly filled one of {size}.")


def discount(r):
    least, percent = r.randint(50, 120), r.choice((10, 20, 25, 30))
    return Problem(("discount", "to_pay", "net", "final_price"), ("sum",), ((0, 400),),
                   ((f"sum >= {least}", f"sum - DIV(sum * {percent}, 100)"), (None, "sum")),
                   ((f"sum >= {least}", f"sum + DIV(sum * {percent}, 100)"), (None, "sum")),
                   f"NAME() adds the {percent} % instead of taking them off from {least} on.")


PROBLEMS = (clamp, span, distance, fare, leap, capped, largest, packs, discount)


def value(body, params, args):
    """What a body gives, computed here."""
    known = dict(zip(params, args), DIV=lambda a, b: a // b)
    for condition, result in body:
        if condition is None or eval(condition.replace("&&", " and ").replace("||", " or "), {}, known):
            return int(eval(result, {}, known))
    raise ValueError("a body without an end")


def inputs(r, problem, count, differ, other_than=()):
    """Distinct inputs on which right and wrong differ, or agree."""
    found = []
    for _ in range(20000):
        args = tuple(r.randint(low, high) for low, high in problem.ranges)
        differs = value(problem.right, problem.params, args) != value(problem.wrong, problem.params, args)
        if differs == differ and args not in found and args not in other_than:
            found.append(args)
        if len(found) == count:
            break
    return found
