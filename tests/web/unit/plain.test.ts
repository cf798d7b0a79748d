import { expect, test } from "vitest";
import { decoded, plainText } from "@web/text/plain";

test("a title cannot be turned around or hide anything", () => {
  expect(plainText("BE-001 \u202etxt.exe\u2066")).toBe("BE-001 \ufffdtxt.exe\ufffd");
  expect(plainText("a\u200bb\u0000c\u001b[2Jd\u{e0041}e\u00ad")).toBe("abc[2Jde");
  expect(plainText("two\nlines\u2028here")).toBe("two lines here");
  expect(plainText("größe · 値")).toBe("größe · 値");
});

test("an address that is not encoded properly is shown as it is", () => {
  expect(decoded("%E2%82%AC")).toBe("€");
  expect(decoded("%E2%8")).toBe("%E2%8");
});
