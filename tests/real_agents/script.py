"""What the scripted model answers: an ordered list of rules in a JSON file.

    {"rules": [{"name": "fix", "if": {"asks": "Fix", "results": 0}, "times": 1, "do": {"text": "done"}}, ...]}

The first rule whose conditions all hold answers. Conditions look at the request alone, so resumed conversations, sub-agents and parallel
calls need no bookkeeping; only "times" (answers this many requests, then is passed over) remembers anything.

Conditions ("if"); texts are regular expressions, found anywhere, and their named groups become variables:
  api                     "anthropic", "gemini", "responses" or "chat"
  model, system           the model's name; the system prompt
  asks, latest, says      what the user said before the model's first turn; the last message of anybody; any message
  unsaid                  no message has this
  offers, withholds       a tool of this exact name is offered; is not offered
  results, turns          tool results, answers of the model in the conversation so far: a number, or [from, to]

Answers ("do"); in every string ${name} is filled in from named groups, --set NAME=VALUE, and cwd, the agent's working directory:
  text, json, thinking    what the model says; json is sent as text
  calls                   [{"tool": NAME, "arguments": {...}}]; a free-form tool has "input": TEXT; "namespace" where the API has one
  usage, stop             {"input", "output", "cached", "reasoning"} tokens; another reason for stopping
  wait_ms, pause_ms, gap_ms   before the answer; after its first event; after each event
  chunk                   characters of text per event
  status, message, type, headers, details   an HTTP error instead of an answer
  cut                     true: the connection is dropped before a byte; N: after N events
  hang                    true: nothing is ever answered; N: silence after N events. Ends when the client goes away
  stream_error            an error event of this type ends the stream
  raw                     these bytes are the whole body
"""

import itertools
import json
import re
import threading

CONDITIONS = {"api", "model", "system", "asks", "latest", "says", "unsaid", "offers", "withholds", "results", "turns"}
ACTIONS = {"text", "json", "thinking", "calls", "usage", "stop", "wait_ms", "pause_ms", "gap_ms", "chunk", "status", "message", "type",
           "headers", "details", "cut", "hang", "stream_error", "raw"}
RULE_KEYS = {"name", "if", "times", "do"}

# Every CLI tells the model where it works, each in its own words.
WORKING_DIRECTORY = (r"[Ww]orking directory: *(/[^\s<]+)", r"<cwd>(/[^<]+)</cwd>", r"Workspace Director(?:y|ies):[^/]*(/[^\s<]+)",
                     r"in the (?:following )?director(?:y|ies):\s*(?:- )?(/[^\s<]+)")


class ScriptError(Exception):
    pass


class View:
    """A request in the words of the conditions, whatever API it came by."""

    def __init__(self, api, model="", system="", messages=(), tools=(), turns=0, results=0, stream=False):
        self.api, self.model, self.system, self.stream = api, model or "", system, stream
        self.messages = list(messages)  # (role, text)
        self.tools, self.turns, self.results = list(tools), turns, results

    @property
    def asks(self):
        return "\n".join(text for _, text in itertools.takewhile(lambda message: message[0] != "assistant", self.messages))

    @property
    def latest(self):
        return self.messages[-1][1] if self.messages else ""

    @property
    def says(self):
        return "\n".join(text for _, text in self.messages)

    def working_directory(self):
        for pattern in WORKING_DIRECTORY:
            found = re.search(pattern, self.system + "\n" + self.says)
            if found:
                return found.group(1).rstrip(".,`*")
        return "."


def holds_number(wanted, actual):
    return wanted[0] <= actual <= wanted[1] if isinstance(wanted, list) else wanted == actual


def match(conditions, view):
    """The variables of the named groups when every condition holds, else None."""
    variables = {}
    for name, wanted in conditions.items():
        if name == "api":
            held = view.api == wanted
        elif name in ("results", "turns"):
            held = holds_number(wanted, getattr(view, name))
        elif name == "offers":
            held = wanted in view.tools
        elif name == "withholds":
            held = wanted not in view.tools
        elif name == "unsaid":
            held = re.search(wanted, view.says, re.S) is None
        else:
            found = re.search(wanted, getattr(view, name), re.S)
            held = found is not None
            variables.update(found.groupdict() if found else {})
        if not held:
            return None
    return variables


def fill_in(value, variables):
    if isinstance(value, str):
        return re.sub(r"\$\{(\w+)\}", lambda m: str(variables.get(m.group(1), m.group(0))), value)
    if isinstance(value, list):
        return [fill_in(item, variables) for item in value]
    if isinstance(value, dict):
        return {fill_in(key, variables): fill_in(item, variables) for key, item in value.items()}
    return value


def check_rule(rule, number):
    for found, known, where in ((rule, RULE_KEYS, "rule"), (rule.get("if", {}), CONDITIONS, "condition"), (rule.get("do", {}), ACTIONS, "action")):
        for key in found:
            if key not in known:
                raise ScriptError(f"rule {number} ({rule.get('name', 'unnamed')}): unknown {where} '{key}'; known: {', '.join(sorted(known))}")
    if "do" not in rule:
        raise ScriptError(f"rule {number} ({rule.get('name', 'unnamed')}) does nothing: give it a 'do'")


class Script:
    NO_RULE = {"status": 400, "message": "the script has no rule for this request"}

    def __init__(self, rules, variables=None):
        self.variables = dict(variables or {})
        self.rules = []
        self.lock = threading.Lock()
        for number, rule in enumerate(rules, 1):
            check_rule(rule, number)
            self.rules.append({"if": {}, "left": rule.get("times"), **rule, "name": rule.get("name", f"rule-{number}")})

    @classmethod
    def load(cls, path, variables=None):
        try:
            with open(path, encoding="utf-8") as file:
                return cls(json.load(file)["rules"], variables)
        except (OSError, ValueError, KeyError) as problem:
            raise ScriptError(f"{path}: {problem!r}") from problem

    def answer(self, view):
        """(name of the rule, what it does)."""
        with self.lock:
            for rule in self.rules:
                if rule["left"] == 0:
                    continue
                variables = match(rule["if"], view)
                if variables is None:
                    continue
                if rule["left"]:
                    rule["left"] -= 1
                known = {"cwd": view.working_directory(), **self.variables, **variables}
                return rule["name"], fill_in(rule["do"], known)
        return "no-rule", self.NO_RULE
