import { render } from "preact";
import { App } from "./app/app";
import { enter } from "./app/login";
import { guardText } from "./text/guard";

// First of all: the code of a launch link must not stay in the address or the history.
void enter();
guardText();
render(<App />, document.getElementById("app")!);
