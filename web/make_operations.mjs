// make_operations.mjs [--check]: writes src/api/operations.ts from ../api/openapi.json: one function for each operation a browser may call.
// --check: fails if the file is not what the document says.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const document = JSON.parse(readFileSync(join(here, "../api/openapi.json"), "utf8"));
const target = join(here, "src/api/operations.ts");
const methods = ["get", "post", "put", "patch", "delete"];

function resolved(value) {
  return value?.$ref ? resolved(value.$ref.slice(2).split("/").reduce((at, key) => at[key], document)) : value;
}

// What it takes to call an operation and to read its answer.
function described(path, method) {
  const item = document.paths[path], operation = item[method];
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolved);
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith("2")).map(([, answer]) => resolved(answer));
  const types = new Set(answers.flatMap((answer) => Object.keys(answer.content ?? {})));
  const sent = resolved(operation.requestBody)?.content;
  return {
    name: operation.operationId,
    verb: method.toUpperCase(),
    path,
    summary: operation.summary,
    places: parameters.filter((one) => one.in === "path" || (one.in === "query" && one.name !== "after")), // after: of streams, which tell it in a header
    forPrograms: parameters.some((one) => one.in === "header" && one.required), // signed by a forge
    body: sent && (sent["application/json"] ? "json" : "bytes"),
    tagged: answers.some((answer) => answer.headers?.ETag) && ["put", "patch"].some((other) => (item[other]?.parameters ?? []).map(resolved).some((one) => one.name === "If-Match")),
    json: types.has("application/json"),
    text: types.has("text/plain"),
    linked: method === "get" && [...types].some((type) => type !== "application/json"),
    answers: types.size > 0,
  };
}

function functionsOf({ name, verb, path, summary, places, body, tagged, json, text, linked, answers }) {
  const place = `"${path}"`;
  const at = places.length === 0 ? [] : [`at: At<"${name}">${places.some((one) => one.required) ? "" : " = {}"}`];
  const where = places.length === 0 ? "{}" : "at";
  const sent = body === undefined ? [] : [body === "json" ? `body: Body<"${name}">` : "body: string"];
  const signature = [...at, ...sent, "more: More = {}"].join(", ");
  const given = [`"${verb}"`, place, where, body === undefined ? "undefined" : "body", "more"].join(", ");
  const lines = [];
  if (json) lines.push(`export const ${name} = (${signature}) => call<Answer<"${name}">>(${given});`);
  else if (text) lines.push(`export const ${name} = (${signature}) => callText(${given});`);
  else if (!answers) lines.push(`export const ${name} = (${signature}) => call<void>(${given});`);
  if (tagged && verb === "GET") lines.push(`export const ${name}Tagged = (${signature}) => callTagged<Answer<"${name}">>(${given});`);
  if (linked) lines.push(`export const ${name}Address = (${at.join(", ")}) => address(${place}, ${where});`);
  return [`// ${summary}`, ...lines].join("\n");
}

const operations = Object.entries(document.paths)
  .filter(([path]) => path.startsWith("/api/"))
  .flatMap(([path, item]) => methods.filter((method) => item[method]).map((method) => described(path, method)))
  .filter((operation) => !operation.forPrograms);

const text = `// Made by make_operations.mjs from api/openapi.json; do not edit. One function for each operation, with the types of the document:
// first where (of the path and the query), then what is sent, then what any call may say.
import { address, call, callTagged, callText, type Answer, type At, type Body, type More } from "./call";

${operations.map(functionsOf).join("\n\n")}
`;

if (!process.argv.includes("--check")) {
  writeFileSync(target, text);
} else if (readFileSync(target, "utf8") !== text) {
  console.error("web/src/api/operations.ts is not what api/openapi.json says; run node web/make_operations.mjs");
  process.exit(1);
}
