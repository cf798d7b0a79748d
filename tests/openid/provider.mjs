// provider.mjs: an OpenID provider (npm's oidc-provider) on a free port of this machine, which is the first line it prints. Orders come as
// JSON, one a line: {"client": {...}, "people": {...}} begins it, {"keys": true} gives it other keys, {"lie": NAME} has its next token say
// something that must not be believed. Each is answered with a line. Ends when its stdin does.
import { createHmac, generateKeyPairSync } from "node:crypto";
import { createServer, request as send } from "node:http";
import { createInterface } from "node:readline";
import Provider from "oidc-provider";
import { SignJWT, decodeJwt, importJWK } from "jose";

let made = 0;
let keys, provider, inner, order, lie = null, kept = null;

function newKeys() {
  const one = (kind, options, extra) => ({ ...generateKeyPairSync(kind, options).privateKey.export({ format: "jwk" }), use: "sig", kid: `${extra.alg}-${made++}`, ...extra });
  keys = [one("rsa", { modulusLength: 2048 }, { alg: "RS256" }), one("ec", { namedCurve: "P-256" }, { alg: "ES256" })];
}

function begin() {
  provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [order.client],
    jwks: { keys },
    cookies: { keys: ["a test's"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    scopes: ["openid", "email", "profile", "groups"],
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...order.people[id] }) }),
    pkce: { required: () => true, methods: ["S256"] },
    ttl: { Session: 600, Grant: 600, Interaction: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  });
  inner = provider.callback();
}

const text = (bytes) => Buffer.from(bytes).toString("base64url");
const bare = (header, claims) => `${text(JSON.stringify(header))}.${text(JSON.stringify(claims))}`;

// What a provider that was taken over, a mixed-up one or somebody in between could hand out.
async function lied(token) {
  const claims = decodeJwt(token), rsa = keys[0], now = Math.floor(Date.now() / 1000);
  const sign = async (changed, header = {}, jwk = rsa) =>
    new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: jwk.alg, kid: jwk.kid, ...header }).sign(await importJWK(jwk, jwk.alg));
  const publicPart = JSON.stringify({ kty: rsa.kty, n: rsa.n, e: rsa.e });
  const head = { alg: "HS256", kid: rsa.kid };
  const lies = {
    nonce: () => sign({ nonce: "another" }),
    issuer: () => sign({ iss: "https://elsewhere.example" }),
    audience: () => sign({ aud: "another" }),
    audiences: () => sign({ aud: [claims.aud, "another"] }),
    party: () => sign({ azp: "another" }),
    expired: () => sign({ exp: now - 3600, iat: now - 7200 }),
    future: () => sign({ iat: now + 3600, exp: now + 7200 }),
    endless: () => sign({ exp: undefined }),
    nobody: () => sign({ sub: "" }),
    replayed: () => kept,
    none: () => `${bare({ alg: "none" }, claims)}.`,
    none_signed: () => `${bare({ alg: "none" }, claims)}.${text("x")}`,
    hmac: () => `${bare(head, claims)}.${createHmac("sha256", publicPart).update(bare(head, claims)).digest("base64url")}`,
    stranger: () => {
      const jwk = { ...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }), alg: "RS256", kid: rsa.kid };
      return sign({}, {}, jwk);
    },
    unknown_key: () => sign({}, { kid: "unheard-of" }),
    confused: () => sign({}, { kid: rsa.kid }, keys[1]),
    critical: () => sign({}, { crit: ["b64"], b64: true }),
    changed: () => token.split(".").map((part, i) => (i === 1 ? text(JSON.stringify({ ...claims, sub: "root" })) : part)).join("."),
    twice: () => `${token.split(".")[0]}.${text(JSON.stringify(claims).replace("{", '{"sub":"root",'))}.${token.split(".")[2]}`,
    cut: () => token.split(".").slice(0, 2).join("."),
    missing: () => undefined,
  };
  return lies[lie]();
}

// The real answer of the real provider, with another token in it.
function tokens(asked, answer) {
  const chunks = [];
  asked.on("data", (chunk) => chunks.push(chunk));
  asked.on("end", () => {
    const onward = send({ port: hidden.address().port, host: "127.0.0.1", method: "POST", path: asked.url, headers: asked.headers }, (reply) => {
      const parts = [];
      reply.on("data", (chunk) => parts.push(chunk));
      reply.on("end", async () => {
        const body = JSON.parse(Buffer.concat(parts));
        if (body.id_token && lie) body.id_token = await lied(body.id_token);
        else if (body.id_token) kept = body.id_token;
        answer.writeHead(reply.statusCode, { "Content-Type": "application/json" });
        answer.end(JSON.stringify(body));
      });
    });
    onward.end(Buffer.concat(chunks));
  });
}

const hidden = createServer((asked, answer) => inner(asked, answer));
const open = createServer((asked, answer) => (asked.url === "/token" ? tokens(asked, answer) : inner(asked, answer)));
for (const server of [hidden, open]) await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const port = open.address().port;
newKeys();
process.stdout.write(`${port}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const wanted = JSON.parse(line);
  if (wanted.client) order = wanted;
  if (wanted.people) order.people = wanted.people;
  if (wanted.keys) newKeys();
  if ("lie" in wanted) lie = wanted.lie;
  else begin();
  process.stdout.write("done\n");
}
process.exit(0);
