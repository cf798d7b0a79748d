// Text for places that show it as it is: the title of the page and of the window.

// As the engine's clean_text(): direction marks become U+FFFD; controls, zero-width and other characters nobody sees are taken out.
export function plainText(text: string): string {
  return text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd")
    .replace(/[\t\n\r\u2028\u2029]+/g, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "");
}

// A part of an address; one that is not encoded properly stays as it is.
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
