"""What bench_compare says about two results."""

import json
import os
import tempfile
import unittest

import bench_compare


def row(figure, size, ratio):
    return {"figure": figure, "size": size, "ratio": ratio, "mb": 10}


class BenchCompare(unittest.TestCase):
    def compared(self, before, after, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("before.json", "after.json")]
            for path, rows in zip(paths, (before, after)):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump({"rows": rows}, file)
            return bench_compare.main([*paths, *arguments])

    def test_another_load_is_no_change_because_floors_are_compared(self):
        self.assertEqual(self.compared([row("plan", 10, 3.0)], [row("plan", 10, 3.1)]), 0)

    def test_what_got_worse_is_an_error_beyond_the_limit_only(self):
        self.assertEqual(self.compared([row("plan", 10, 3.0)], [row("plan", 10, 4.0)]), 1)
        self.assertEqual(self.compared([row("plan", 10, 3.0)], [row("plan", 10, 4.0)], "--limit", "1.5"), 0)

    def test_a_new_size_is_named_and_an_empty_file_is_an_error(self):
        self.assertEqual(self.compared([row("plan", 10, 3.0)], [row("plan", 10, 3.0), row("plan", 20, 9.0)]), 0)
        self.assertEqual(self.compared([row("plan", 10, 3.0)], []), 1)


if __name__ == "__main__":
    unittest.main()
