// EMEND_WEB=DIRECTORY: the pages of another bundle (node web/bundle.mjs DIRECTORY) on the server's answers, so that a change of the
// dashboard is tried without building emend.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const types = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };

export async function useOtherBundle(context, directory = process.env.EMEND_WEB) {
  if (!directory) return;
  await context.route(
    (url) => !url.pathname.startsWith("/api"),
    (route) => {
      const { pathname } = new URL(route.request().url());
      const name = pathname.startsWith("/assets/") ? pathname.slice("/assets/".length) : "index.html";
      return route.fulfill({ body: readFileSync(join(directory, name)), contentType: types[name.slice(name.lastIndexOf(".") + 1)] });
    },
  );
}
