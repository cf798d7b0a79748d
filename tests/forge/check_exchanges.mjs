// check_exchanges.mjs EXCHANGES: holds requests and answers, one JSON object a line, against GitHub's own OpenAPI description. Prints what is not as described.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const need = createRequire(path.join(path.dirname(fileURLToPath(import.meta.url)), "package.json"));
const Ajv = need("ajv").default;
const formats = need("ajv-formats").default;
const description = path.join(path.dirname(need.resolve("@octokit/openapi/package.json")), "generated", "api.github.com.json");
const document = plain(JSON.parse(readFileSync(description, "utf8")));
// "nullable" beside something else than a type is OpenAPI's way of saying "or null", which JSON Schema does not know.
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
  if (copy.nullable === true && Array.isArray(copy.enum) && !copy.enum.includes(null)) copy.enum = [...copy.enum, null];
  if (copy.nullable !== true || "type" in copy) return copy;
  const { nullable, ...rest } = copy;
  return { anyOf: [rest, { type: "null" }] };
}
const ajv = new Ajv({ strict: false, allErrors: true });
formats(ajv);
for (const name of ["repo.nwo", "ssh-key", "timestamp"]) ajv.addFormat(name, true); // GitHub's own words
ajv.addSchema(document, "github");

const follow = (value) => {
  while (value?.$ref) value = value.$ref.slice(2).split("/").reduce((at, key) => at[key.replaceAll("~1", "/").replaceAll("~0", "~")], document);
  return value;
};
const patterns = Object.keys(document.paths).map((pattern) => ({
  pattern,
  expression: new RegExp("^" + pattern.replaceAll(/[.+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{[^}]+\}/g, "[^/]+") + "$"),
  literal: pattern.replaceAll(/\{[^}]+\}/g, "").length,
}));
const validators = new Map();
const problems = [];

function check(schema, value, key, what) {
  if (!validators.has(key)) validators.set(key, ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"github#/'))));
  const validator = validators.get(key);
  if (!validator(value)) problems.push(`${what}: ${ajv.errorsText(validator.errors?.slice(0, 5))}: ${JSON.stringify(value).slice(0, 400)}`);
}

function checkQuery(operation, query, what) {
  const known = new Map((operation.parameters ?? []).map(follow).filter((parameter) => parameter.in === "query").map((parameter) => [parameter.name, parameter.schema]));
  for (const [name, value] of new URLSearchParams(query)) {
    const schema = known.get(name);
    if (!schema) problems.push(`${what}: the query ${name} is not described`);
    else check(schema, schema.type === "integer" ? Number(value) : value, `${what} ?${name}`, `${what} ?${name}`);
  }
}

// GraphQL: the query must be one of GitHub's schema, and what was answered must be an answer to it.
const { buildSchema, execute, parse, validate } = need("graphql");
const schemaText = () => readFileSync(path.join(path.dirname(fileURLToPath(import.meta.url)), "node_modules", "@octokit", "graphql-schema", "schema.graphql"), "utf8");
let graph;
function checkGraph(request, answer, what) {
  graph ??= buildSchema(schemaText(), { assumeValid: true, assumeValidSDL: true }); // it defines two fields twice
  const document = parse(request.query);
  const wrong = validate(graph, document);
  for (const error of wrong) problems.push(`${what}: ${error.message}`);
  if (wrong.length || !answer.data) return;
  const done = execute({ schema: graph, document, rootValue: answer.data, variableValues: request.variables });
  for (const error of done.errors ?? []) problems.push(`${what}: ${error.message}`);
  const same = (value) => JSON.stringify(value, (_, member) => (member && typeof member === "object" && !Array.isArray(member) ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1))) : member));
  if (same(done.data) !== same(answer.data)) problems.push(`${what}: the answer is not what was asked for: ${same(answer.data).slice(0, 300)}`);
}

let count = 0;
for (const line of readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean)) {
  const { method, path: place, query, request, status, answer } = JSON.parse(line);
  if (place === "/graphql") {
    ++count;
    checkGraph(request, answer, "POST /graphql");
    continue;
  }
  const found = patterns.filter(({ expression, pattern }) => expression.test(place) && document.paths[pattern][method.toLowerCase()]).sort((a, b) => b.literal - a.literal)[0];
  const operation = found && document.paths[found.pattern][method.toLowerCase()];
  const what = `${method} ${found?.pattern ?? place}`;
  if (!operation) {
    problems.push(`${what} is not described`);
    continue;
  }
  ++count;
  checkQuery(operation, query, what);
  const sent = follow(operation.requestBody)?.content?.["application/json"]?.schema;
  if (request !== null && !sent) problems.push(`${what}: no body is described`);
  if (sent && request !== null) {
    check(sent, request, what, `request of ${what}`);
    for (const name of Object.keys(request)) if (follow(sent).properties && !(name in follow(sent).properties)) problems.push(`request of ${what}: ${name} is not described`);
  }
  const response = follow(operation.responses[String(status)]);
  if (!response && status < 400) problems.push(`${what}: ${status} is not described`);
  const schema = response?.content?.["application/json"]?.schema;
  if (schema && status < 400) check(schema, answer, `${what} ${status}`, `answer ${status} of ${what}`);
}
for (const problem of new Set(problems)) console.log(problem);
console.error(`${count} exchanges held against ${document.info.title} ${document.info.version}`);
process.exit(problems.length ? 1 : 0);
