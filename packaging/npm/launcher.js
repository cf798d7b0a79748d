#!/usr/bin/env node
// `npx emend ...`: starts the program of the package that npm installed for this platform.
"use strict";

const { spawnSync } = require("child_process");
const path = require("path");

function program() {
  const name = `@emend/${process.platform}-${process.arch}`;
  try {
    return path.join(path.dirname(require.resolve(`${name}/package.json`)), "bin", "emend");
  } catch {
    console.error(`emend: there is no emend for ${process.platform} on ${process.arch}, or npm left ${name} out.`);
    console.error("emend: install with optional dependencies, or build from source: docs/packaging.md");
    process.exit(2);
  }
}

const done = spawnSync(program(), process.argv.slice(2), { stdio: "inherit" });
if (done.error) {
  console.error(`emend: ${done.error.message}`);
  process.exit(2);
}
if (done.signal) process.kill(process.pid, done.signal);
process.exit(done.status === null ? 1 : done.status);
