import { render } from "preact";
import { App } from "./app/app";
import { enter } from "./app/login";

// First of all: the code of a launch link must not stay in the address or the history.
void enter();
render(<App />, document.getElementById("app")!);
