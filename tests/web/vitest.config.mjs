import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const web = fileURLToPath(new URL("../../web", import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  server: { fs: { allow: [fileURLToPath(new URL("../..", import.meta.url))] } }, // some tests read sources as text
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  // The tests and the sources must mean the same Preact, the one the dashboard is bundled with.
  resolve: {
    alias: [
      { find: /^@web\//, replacement: `${web}/src/` },
      { find: /^preact$/, replacement: `${web}/node_modules/preact/dist/preact.mjs` },
      { find: /^preact\/hooks$/, replacement: `${web}/node_modules/preact/hooks/dist/hooks.mjs` },
      { find: /^preact\/jsx(-dev)?-runtime$/, replacement: `${web}/node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs` },
      { find: /^@preact\/signals$/, replacement: `${web}/node_modules/@preact/signals/dist/signals.mjs` },
    ],
  },
  test: { include: ["unit/**/*.test.{ts,tsx}"], environment: "happy-dom", pool: "threads", poolOptions: { threads: { singleThread: true } }, cache: false },
});
