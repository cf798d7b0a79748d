"use strict";

// Exchanges the one-time code of a launch link for the login cookie, then shows that the server can be reached. The code is taken out of
// the address at once: it must not stay in the history.
(() => {
  const say = (text) => { document.getElementById("state").textContent = text; };
  const put = (id, text) => { document.getElementById(id).textContent = String(text); };

  async function logIn(code) {
    const answer = await fetch("/api/auth/session", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code }),
    });
    if (!answer.ok) throw new Error("This link was used already or is too old. A new one: emend open");
  }

  async function showStatus() {
    const answer = await fetch("/api/status");
    if (!answer.ok) return;
    const status = await answer.json();
    put("version", status.version);
    put("repositories", status.repositories);
    put("depth", status.queue.depth);
    document.getElementById("facts").hidden = false;
    const logout = document.getElementById("logout");
    logout.hidden = false;
    logout.addEventListener("click", logOut);
    say("You are logged in.");
  }

  async function logOut() {
    await fetch("/api/auth/session", { method: "DELETE", headers: { "X-Emend-CSRF": "1" } });
    location.reload();
  }

  async function start() {
    const code = new URLSearchParams(location.hash.slice(1)).get("launch");
    history.replaceState(null, "", location.pathname);
    if (code) await logIn(code);
    await showStatus();
  }

  start().catch((problem) => say(problem.message));
})();
