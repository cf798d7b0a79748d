"""What Gitea's description of its API says, read from the types that gitea-js generates of it: which requests there are, what their queries and bodies may have, and what
their answers hold."""

import re


class Described:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.types = dict(re.findall(r"^interface (\w+) \{\n(.*?)^\}", text, re.M | re.S))
        self.calls = []
        for method, place, signature in re.findall(r"@request (\w+):(\S+).*?\*/\s*\w+: (\(.*?\) => Promise<[^\n]*);", text, re.S):
            self.calls.append((method, place, re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(place))), signature))

    def members(self, name):
        """Member -> (its type, whether it must be there); None = nothing is known of that type."""
        if name not in self.types:
            return None
        plain = re.sub(r"/\*.*?\*/", "", self.types[name], flags=re.S)
        return {member: (kind, not optional) for member, optional, kind in re.findall(r"^\s*(\w+)(\??): ([^;]+);", plain, re.M)}

    def find(self, method, path):
        """The described request with the most literal path that matches."""
        found = [call for call in self.calls if call[0] == method and call[2].fullmatch(path)]
        return max(found, key=lambda call: len(re.sub(r"\{\w+\}", "", call[1])), default=None)

    def problems(self, method, path, query, body, status, answer):
        call = self.find(method, path)
        if call is None:
            return [f"{method} {path} is not described"]
        signature, what = call[3], f"{method} {call[1]}"
        arguments, answered = signature.rsplit("=> Promise<", 1)
        asked = re.search(r"query\?: \{(.*?)\n\s*\}, params", arguments, re.S)
        known = set(re.findall(r"^\s*(\w+)\??:", asked.group(1), re.M)) if asked else set()
        problems = [f"{what}: the query {name} is not described" for name in query if name not in known]
        sent = re.search(r"(?:body|content): (\w+)", arguments)
        if body is not None:
            problems += [f"{what}: {problem}" for problem in self.wrong(sent.group(1), body)] if sent else [f"{what}: no body is described"]
        kind = re.search(r"HttpResponse<(\w+)(\[\])?", answered)
        if status < 300 and kind and kind.group(1) in self.types:
            for row in answer if kind.group(2) else [answer]:
                problems += [f"answer of {what}: {problem}" for problem in self.wrong(kind.group(1), row)]
        return problems

    def wrong(self, name, value):
        members = self.members(name)
        if members is None:
            return []
        if not isinstance(value, dict):
            return [f"{name} is {type(value).__name__}"]
        problems = [f"{name} has no {key}" for key in value if key not in members]
        problems += [f"{name} wants {key}" for key, (_, must) in members.items() if must and key not in value]
        for key, member in value.items():
            kind = members.get(key, ("any", False))[0]
            if member is not None:
                problems += self.wrong_kind(f"{name}.{key}", kind, member)
        return problems

    def wrong_kind(self, what, kind, value):
        if kind.endswith("[]"):
            if not isinstance(value, list):
                return [f"{what} is no list"]
            return [problem for one in value for problem in self.wrong_kind(what, kind[:-2], one)]
        plain = {"string": str, "number": int, "boolean": bool}.get(kind)
        if plain:
            return [] if type(value) is plain else [f"{what} is {value!r}"]
        return self.wrong(kind, value) if kind in self.types else []
