// Every task of README.md, done with the mouse alone and with the keyboard alone. Clicks and keys are counted (a typed text is one) and held
// against the table in docs/dashboard-compared.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { api, scene, world } from "./stage.mjs";

const table = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "docs", "dashboard-compared.md"), "utf8");

// A hand that counts what it does.
function handOn(page) {
  const hand = { did: 0 };
  hand.click = (locator) => (++hand.did, locator.click());
  hand.press = (...keys) => keys.reduce((before, key) => before.then(() => (++hand.did, page.keyboard.press(key))), Promise.resolve());
  hand.type = (text) => (++hand.did, page.keyboard.type(text));
  hand.find = async (words) => {
    await hand.press("Control+k");
    await hand.type(words);
    await page.getByRole("dialog").getByRole("option").first().waitFor();
    await hand.press("Enter");
  };
  return hand;
}

export async function readmeTasks(page, repository) {
  const bare = [];
  const link = (name) => page.getByRole("navigation", { name: "Views", exact: true }).getByRole("link", { name: new RegExp(`^${name}`) });
  const button = (name) => page.getByRole("button", { name });
  const reviewed = () => page.locator(".toast", { hasText: /found in \d+ files?/ }).last().waitFor({ timeout: 90_000 });
  const issue = await api("POST", "/api/issues", { repository_id: repository, file: "src/six.sh", title: "a task of the README", line: 1, severity: "critical", category: "bug" });
  const ready = (await api("GET", "/api/needs")).taken.find((branch) => branch.session.repository_id === repository).session;
  const rows = page.locator(".issue-row[id]");
  const mine = rows.filter({ hasText: issue.title });
  const inBare = async (name) => {
    const { path: place } = await world({ do: "bare", name });
    bare.push((await api("POST", "/api/repositories", { path: place })).id);
    await page.goto(`/?repo=${bare.at(-1)}`);
    await page.getByRole("heading", { name: "Which checks must a fix pass?" }).waitFor();
  };
  const bareDone = async () => {
    await reviewed();
    await api("DELETE", `/api/repositories/${bare.at(-1)}`);
    await page.goto("/");
  };
  const healthy = () => page.getByRole("tab", { name: "Health", selected: true }).waitFor().then(() => page.locator(".tab-panel").getByText("verify commands").first().waitFor());
  const fixDialog = page.getByRole("dialog", { name: /^Fix/ });
  const checkForm = page.getByRole("form", { name: "Check a change" });
  const checked = () => checkForm.getByRole("status").getByText(/proven|verified|nothing to check|unprovable/).first().waitFor({ timeout: 60_000 });

  // [command, by mouse, by keys]
  const tasks = [
    ["emend init", async (hand) => {
      await inBare("by-mouse");
      await hand.click(button("Write emend.toml"));
      await hand.click(button("Allow these and review"));
      await bareDone();
    }, async (hand) => {
      await inBare("by-keys");
      await hand.press("Shift+A");
      await button("Allow these and review").waitFor();
      await hand.press("Shift+A");
      await bareDone();
    }],
    ["emend review", async (hand) => {
      await hand.click(link("Issues"));
      await hand.click(button("Review"));
      await reviewed();
    }, async (hand) => {
      await hand.find("review the repository");
      await reviewed();
    }],
    ["emend fix --safe", async (hand) => {
      await hand.click(link("Issues"));
      await hand.click(mine);
      await hand.click(page.locator(".detail").getByRole("button", { name: /^Fix/ }));
      await hand.click(fixDialog.getByLabel(/only safe fix-its/));
      await hand.click(fixDialog.getByRole("button", { name: "Start now" }));
      await page.waitForTimeout(200); // refused where no analyzer offers a fix-it, which the page says
    }, async (hand) => {
      await hand.find(issue.code);
      await page.getByRole("heading", { name: issue.title }).waitFor();
      await hand.press("f");
      await fixDialog.getByRole("button", { name: "Start now" }).waitFor();
      await hand.press("Shift+Tab", "Shift+Tab", "Shift+Tab");
      assert.ok(await fixDialog.getByLabel(/only safe fix-its/).evaluate((box) => box === document.activeElement));
      await hand.press(" ", "Enter");
      await page.waitForTimeout(200);
    }],
    ["emend fix --all-open --max-cost-usd 2", async (hand) => {
      await page.goto(`/issues?repo=${repository}&status=OPEN&tool=person`);
      await hand.click(rows.first().getByRole("checkbox"));
      await hand.click(page.getByRole("button", { name: /^Select all/ }));
      await hand.click(page.getByRole("toolbar").getByRole("button", { name: /^Fix/ }).first());
      await hand.click(fixDialog.getByLabel(/Most it may cost/));
      await hand.type("2");
      await fixDialog.getByRole("button", { name: "Start now" }).waitFor();
    }, async (hand) => {
      await page.goto(`/issues?repo=${repository}&status=OPEN&tool=person`);
      await rows.first().waitFor();
      await hand.press("Shift+F");
      await fixDialog.getByLabel(/Most it may cost/).waitFor();
      await hand.press("Shift+Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab");
      assert.ok(await fixDialog.getByLabel(/Most it may cost/).evaluate((box) => box === document.activeElement), await page.evaluate(() => document.activeElement?.outerHTML));
      await hand.type("2");
    }],
    ["git merge", async (hand) => {
      await page.goto(`/sessions/${ready.id}?repo=${repository}`);
      await hand.click(page.getByRole("button", { name: /^Copy git merge/ }));
      await page.locator(".toast", { hasText: "copied" }).waitFor();
    }, async (hand) => {
      await page.goto(`/sessions/${ready.id}?repo=${repository}`);
      await page.getByRole("button", { name: /^Copy git merge/ }).waitFor();
      await hand.press("m");
      await page.locator(".toast", { hasText: "copied" }).waitFor();
    }],
    ["emend explain BE-001", async (hand) => {
      await hand.click(link("Issues"));
      await hand.click(mine);
      await hand.click(page.locator(".detail").getByRole("link", { name: "Whole page" }));
      await page.getByRole("heading", { name: issue.title }).waitFor();
    }, async (hand) => {
      await hand.find(issue.code);
      await page.getByRole("heading", { name: issue.title }).waitFor();
    }],
    ["emend agents", async (hand) => {
      await hand.click(link("Settings"));
      await hand.click(page.getByRole("tab", { name: "Agents" }));
      await page.locator(".tab-panel table").first().waitFor();
    }, async (hand) => {
      await hand.find("test the agents");
      await page.locator(".tab-panel table").first().waitFor();
    }],
    ["emend check", async (hand) => {
      await hand.click(link("Pull requests"));
      await hand.click(checkForm.getByLabel("Which"));
      await hand.type(ready.branch_name);
      await hand.click(checkForm.getByRole("button", { name: "Check" }));
      await checked();
    }, async (hand) => {
      await hand.find("check a change");
      await checkForm.waitFor();
      await page.waitForFunction(() => document.activeElement?.closest("form[aria-label='Check a change']"));
      await hand.type(ready.branch_name);
      await hand.press("Enter");
      await checked();
    }],
    ["emend import", async (hand) => {
      await hand.click(link("Settings"));
      await hand.click(page.getByRole("tab", { name: "Repositories" }));
      const chooser = page.waitForEvent("filechooser");
      await hand.click(page.getByRole("region", { name: "repo", exact: true }).getByRole("button", { name: "Import a report…" }));
      await (await chooser).setFiles({ name: "report.txt", mimeType: "text/plain", buffer: Buffer.from("src/one.sh:1: warning: by mouse [a-rule]\n") });
      await page.locator(".toast", { hasText: "1 finding read" }).waitFor();
    }, async (hand) => {
      const chooser = page.waitForEvent("filechooser");
      await hand.find("import a report");
      await (await chooser).setFiles({ name: "report.txt", mimeType: "text/plain", buffer: Buffer.from("src/one.sh:1: warning: by keys [a-rule]\n") });
      await page.locator(".toast", { hasText: "1 finding read" }).waitFor();
    }],
    ["emend doctor", async (hand) => {
      await hand.click(link("Settings"));
      await hand.click(page.getByRole("tab", { name: "Health" }));
      await healthy();
    }, async (hand) => {
      await hand.find("what works on this machine");
      await healthy();
    }],
  ];
  for (const [command, byMouse, byKeys] of tasks)
    await scene(`README, ${command}`, async () => {
      const hands = [];
      for (const play of [byMouse, byKeys]) {
        await page.goto(`/?repo=${repository}`);
        await page.getByRole("heading", { name: /need/ }).first().waitFor();
        const hand = handOn(page);
        await play(hand);
        await page.keyboard.press("Escape");
        hands.push(hand.did);
      }
      const row = table.split("\n").find((line) => line.startsWith(`| \`${command}\` `)) ?? "";
      const [, , clicks, keys] = row.split("|").map((cell) => cell.trim());
      assert.deepEqual([Number(clicks), Number(keys)], hands, `docs/dashboard-compared.md has ${clicks} clicks and ${keys} keys for ${command}`);
    });
}
