// budget_test.mjs DIRECTORY: what a browser has to load, gzipped: 70 KB for the first page, 160 KB for everything, 15 KB of styles,
// 8 KB for the highlighter, which no page loads before it shows code.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const directory = process.argv[2];
const size = (name) => readFileSync(join(directory, `${name}.gz`)).length;
const files = readdirSync(directory).filter((name) => !/\.(gz|br)$/.test(name));

// The first page: what index.html names, and what those import before they run.
const initial = new Set(["index.html"]);
const add = (name) => {
  if (initial.has(name)) return;
  initial.add(name);
  if (!name.endsWith(".js")) return;
  const text = readFileSync(join(directory, name), "utf8");
  for (const [, part] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) add(part);
};
for (const [, name] of readFileSync(join(directory, "index.html"), "utf8").matchAll(/"\/assets\/([^"]+)"/g)) add(name);

const sum = (names) => [...names].reduce((total, name) => total + size(name), 0);
const budgets = [
  ["the first page", sum(initial), 70_000],
  ["everything", sum(files), 160_000],
  ["styles", sum(files.filter((name) => name.endsWith(".css"))), 15_000],
];
// What a page loads when it wants it, by name.
const lazy = files.filter((name) => name.startsWith("part-highlight-"));
if (lazy.length !== 1) console.log(`the highlighter is in ${lazy.length} files of its own`);
budgets.push(["the highlighter, loaded with the first code", sum(lazy), 8_000]);
let over = lazy.length !== 1 || initial.has(lazy[0]);
for (const [what, bytes, most] of budgets) {
  console.log(`${what}: ${bytes} of ${most} bytes`);
  over ||= bytes > most;
}
const inline = readFileSync(join(directory, "index.html"), "utf8").match(/<script(?![^>]*src=)|<style|\son\w+=|style=/);
if (inline) console.log(`index.html has something inline, which its own policy forbids: ${inline[0]}`);
if (files.some((name) => name !== "index.html" && !/-[A-Z0-9]{8}\./.test(name))) console.log("a name without a hash");
process.exit(over || inline ? 1 : 0);
