#!/usr/bin/env node
// `npx emend ...`: starts the program of the package that npm installed for this platform.
"use strict";

const { spawnSync } = require("child_process");
const path = require("path");

function program() {
  const name = `@emend/${process.platform}-${process.arch}`;
  const there = Object.keys(require("./package.json").optionalDependencies || {});
  try {
    return path.join(path.dirname(require.resolve(`${name}/package.json`)), "bin", "emend");
  } catch {
    if (there.includes(name)) {
      console.error(`emend: npm has left out ${name}, which has the program`);
      console.error("emend: install again with optional dependencies: npm install --include=optional emend");
    } else {
      const made = there.map((one) => one.replace("@emend/", "")).join(", ");
      console.error(`emend: there is no package for ${process.platform} on ${process.arch} (there is for: ${made})`);
      console.error("emend: on Linux, build it from source: docs/packaging.md");
    }
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
