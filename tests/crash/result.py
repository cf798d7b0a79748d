"""What one play came to."""

import dataclasses


@dataclasses.dataclass
class Result:
    section: str
    what: str
    problems: list = dataclasses.field(default_factory=list)
    kills: int = 0
    recovering: int = 0  # of the kills: while it recovered from another
    again: int = 0       # a fault cost an attempt: the next `fix` did the work
    refused: int = 0     # the program said that it cannot go on
    stderr: str = ""
    seconds: float = 0
    skipped: str = ""
