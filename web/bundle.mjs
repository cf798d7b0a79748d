// bundle.mjs DIRECTORY: bundles src into DIRECTORY: index.html and scripts and styles whose names hold a hash of their content, each also
// as NAME.gz and NAME.br. The directory is emptied first. `--report` prints the sizes.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2];
if (!target) throw new Error("bundle.mjs needs the directory to write to");

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const result = await build({
  entryPoints: { app: join(here, "src/main.tsx"), style: join(here, "src/style/style.css") },
  outdir: target,
  entryNames: "[name]-[hash]",
  chunkNames: "part-[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["es2022"],
  minify: true,
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  metafile: true,
  logLevel: "warning",
});

const outputs = Object.keys(result.metafile.outputs).map((path) => path.slice(path.lastIndexOf("/") + 1));
const named = (prefix, suffix) => outputs.find((name) => name.startsWith(prefix) && name.endsWith(suffix));

function write(name, content) {
  writeFileSync(join(target, name), content);
  writeFileSync(join(target, `${name}.gz`), gzipSync(content, { level: 9 }));
  writeFileSync(join(target, `${name}.br`), brotliCompressSync(content));
}

const icon = readFileSync(join(here, "src/icon.svg"));
const iconName = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8).toUpperCase()}.svg`;
const page = readFileSync(join(here, "src/index.html"), "utf8")
  .replace("{script}", `/assets/${named("app-", ".js")}`)
  .replace("{style}", `/assets/${named("style-", ".css")}`)
  .replace("{icon}", `/assets/${iconName}`);

for (const name of outputs) write(name, readFileSync(join(target, name)));
write(iconName, icon);
write("index.html", page);

if (process.argv.includes("--report"))
  for (const name of readdirSync(target).filter((entry) => entry.endsWith(".gz"))) console.log(`${readFileSync(join(target, name)).length}\t${name.slice(0, -3)}`);
