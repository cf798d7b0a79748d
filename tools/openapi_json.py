#!/usr/bin/env python3
"""openapi_json.py [--check] [ROOT]: writes api/openapi.json from api/openapi.yaml, which is edited by hand. --check: fails if they differ."""

import json
import os
import sys

import yaml


class UniqueKeys(yaml.SafeLoader):
    """A key that is given twice is a mistake, not the second one."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = {key for key in keys if keys.count(key) > 1}
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"given twice: {sorted(twice)}", node.start_mark)
        return super().construct_mapping(node, deep)


def main(arguments):
    check = "--check" in arguments
    rest = [argument for argument in arguments if argument != "--check"]
    root = rest[0] if rest else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    source, target = os.path.join(root, "api", "openapi.yaml"), os.path.join(root, "api", "openapi.json")
    with open(source, encoding="utf-8") as file:
        text = json.dumps(yaml.load(file, UniqueKeys), indent=1, ensure_ascii=False) + "\n"
    if not check:
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    with open(target, encoding="utf-8") as file:
        if file.read() == text:
            return 0
    print("api/openapi.json is not what api/openapi.yaml says; run tools/openapi_json.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
