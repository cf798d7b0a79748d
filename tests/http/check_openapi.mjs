// check_openapi.mjs DOCUMENT: lints the OpenAPI document. check_openapi.mjs DOCUMENT EXCHANGES: holds recorded requests and answers against its
// schemas. Other people's tools do both: the rules of Redocly and Spectral, and ajv, from tests/oracles.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const oracles = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "oracles", "package.json");
const need = createRequire(oracles);
const [file, exchanges] = process.argv.slice(2);
const problems = [];

// Events by name, for the types of clients: no operation refers to them.
const isEvents = (place) => /^#?\/?components\/schemas\/Events$/.test(place);

async function lintWithRedocly() {
  const { createConfig, lint } = need("@redocly/openapi-core");
  const config = await createConfig({ extends: ["recommended"] });
  for (const problem of await lint({ ref: path.resolve(file), config })) {
    const place = problem.location?.[0]?.pointer ?? "";
    if (problem.ruleId === "no-unused-components" && isEvents(place)) continue;
    problems.push(`redocly: ${problem.severity} ${problem.ruleId}: ${problem.message} (${place})`);
  }
}

// All that Spectral recommends, but for two: a summary may say all there is to say, and nobody has to be named.
async function lintWithSpectral() {
  const { Document, Spectral } = need("@stoplight/spectral-core");
  const { oas } = need("@stoplight/spectral-rulesets");
  const { Yaml } = need("@stoplight/spectral-parsers");
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas, "recommended"]], rules: { "operation-description": "off", "info-contact": "off" } });
  for (const { code, message, path: keys } of await spectral.run(new Document(readFileSync(file, "utf8"), Yaml, file))) {
    const place = keys.join("/");
    if (code === "oas3-unused-component" && isEvents(place)) continue;
    problems.push(`spectral: ${code}: ${message} (${place})`);
  }
}

function resolve(document, value) {
  while (value && value.$ref) value = value.$ref.slice(2).split("/").reduce((at, key) => at[key.replaceAll("~1", "/").replaceAll("~0", "~")], document);
  return value;
}

// A member that is null counts as one that was left out (see the document's description).
const withoutNulls = (value) => (Array.isArray(value) ? value.map(withoutNulls)
  : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null).map(([key, item]) => [key, withoutNulls(item)])) : value);

function validate() {
  const Ajv = need("ajv/dist/2020").default;
  const document = JSON.parse(readFileSync(file, "utf8"));
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(document, "openapi");
  const known = new Map(), validators = new Map();
  for (const [pattern, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) if (operation.operationId) known.set(operation.operationId, { pattern, method, operation });
  const check = (schema, value, what) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    if (!validators.has(text)) validators.set(text, ajv.compile(JSON.parse(text)));
    const validator = validators.get(text);
    if (!validator(value)) problems.push(`${what}: ${ajv.errorsText(validator.errors)}: ${JSON.stringify(value).slice(0, 300)}`);
  };
  for (const line of readFileSync(exchanges, "utf8").split("\n").filter(Boolean)) {
    const { operation: id, request, status, type, body, events } = JSON.parse(line);
    const { operation } = known.get(id);
    const name = `${id} ${status}`;
    const sent = operation.requestBody?.content?.["application/json"]?.schema;
    if (sent && request !== null && status < 400) check(sent, withoutNulls(request), `request of ${name}`);
    const response = resolve(document, operation.responses[String(status)] ?? operation.responses.default);
    const content = response?.content?.[type] ?? (Object.keys(response?.content ?? {}).length ? undefined : null);
    if (content === undefined) problems.push(`${name}: ${type} is not in the document`);
    else if (content?.schema && type.endsWith("json")) check(content.schema, JSON.parse(body), `answer of ${name}`);
    if (operation.responses[String(status)] === undefined && status < 400) problems.push(`${name} is not in the document`);
    for (const event of events ?? []) {
      const schema = response["x-event-schemas"]?.[event.event] ?? response["x-event-schemas"]?.["*"];
      if (schema) check(schema, event.data, `event ${event.event} of ${name}`);
      else problems.push(`${name}: the event ${event.event} is not in the document`);
    }
  }
}

if (exchanges) validate();
else await Promise.all([lintWithRedocly(), lintWithSpectral()]);
for (const problem of problems.slice(0, 40)) console.log(problem);
console.log(`${problems.length} problems`);
process.exit(problems.length ? 1 : 0);
