// Colours for code, by its words alone: comments, strings, numbers, keywords, types and calls of the languages people have. Loaded when a
// diff is first shown. A language it does not know stays plain.
export type Kind = "k" | "t" | "s" | "n" | "c" | "f";
export type Token = readonly [from: number, to: number, kind: Kind];

interface Language {
  line: string[]; // what begins a comment to the end of the line
  block: [string, string][]; // comments and texts over many lines
  quotes: string;
  keywords: Set<string>;
  types: Set<string>;
  word?: RegExp;
}

const words = (text: string): Set<string> => new Set(text.split(" "));
const cKeywords = "break case continue default do else for goto if return sizeof static struct switch typedef union volatile while const enum extern inline register";
const cTypes = "void char short int long float double signed unsigned bool size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t";
const cppKeywords = `${cKeywords} alignas and auto catch class co_await co_return co_yield concept constexpr consteval decltype delete explicit export false final friend module mutable namespace new noexcept not nullptr operator or override private protected public requires static_assert template this throw true try typename using virtual`;
const jsKeywords = "abstract as async await break case catch class const continue debugger default delete do else enum export extends false finally for from function if implements import in instanceof interface keyof let namespace new null of package private protected public readonly return satisfies static super switch this throw true try type typeof undefined var void while with yield";
const javaKeywords = "abstract assert break case catch class const continue default do else enum extends false final finally for goto if implements import instanceof interface native new null package private protected public record return sealed static super switch synchronized this throw throws transient true try var volatile while yield fun val when object companion data override internal namespace using string is in out ref readonly async await foreach";
const c: [string, string][] = [["/*", "*/"]];
const make = (line: string[], block: [string, string][], quotes: string, keywords: string, types = "", word?: RegExp): Language => ({ line, block, quotes, keywords: words(keywords), types: words(types), word });

const languages: Record<string, Language> = {
  c: make(["//"], c, "\"'", `${cppKeywords} #include #define #ifdef #ifndef #if #endif #else #pragma #undef`, `${cTypes} string string_view vector map set optional unique_ptr shared_ptr`, /#?[A-Za-z_]\w*/y),
  js: make(["//"], [...c, ["`", "`"]], "\"'", jsKeywords, "any boolean never number object string symbol unknown bigint"),
  java: make(["//"], [...c, ['"""', '"""']], "\"'", javaKeywords, "boolean byte char double float int long short void String Int Long Boolean Unit"),
  go: make(["//"], [...c, ["`", "`"]], "\"'", "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false iota", "bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr any"),
  rust: make(["//"], c, "\"", "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while", "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize String Vec Option Result Box"),
  python: make(["#"], [['"""', '"""'], ["'''", "'''"]], "\"'", "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield True False None self", "int str float bool list dict set tuple bytes object"),
  ruby: make(["#"], [], "\"'", "alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield require attr_accessor attr_reader"),
  shell: make(["#"], [], "\"'", "if then else elif fi for in do done while until case esac function return local export readonly set unset shift exit trap echo cd test source"),
  sql: make(["--"], c, "'", "select from where and or not in is null insert into values update set delete create table index view drop alter add primary key foreign references on join left right inner outer group by order having limit offset union all distinct as case when then else end begin commit", "int integer bigint text varchar boolean timestamp date json", /[A-Za-z_]\w*/y),
  css: make([], c, "\"'", "important", "", /[@.#]?-{0,2}[A-Za-z_][\w-]*/y),
  markup: make([], [["<!--", "-->"]], "\"'", "", "", /<\/?[A-Za-z][\w:-]*/y),
  data: make(["#", "//"], [], "\"'", "true false null yes no on off"),
};

const extensions: Record<string, string> = {
  c: "c", h: "c", cc: "c", cpp: "c", cxx: "c", hh: "c", hpp: "c", m: "c", js: "js", mjs: "js", cjs: "js", jsx: "js", ts: "js", tsx: "js", mts: "js", vue: "js", svelte: "js", php: "js",
  java: "java", kt: "java", kts: "java", cs: "java", scala: "java", swift: "java", dart: "java", groovy: "java", go: "go", rs: "rust", py: "python", pyi: "python", rb: "ruby", rake: "ruby", sh: "shell", bash: "shell", zsh: "shell",
  sql: "sql", css: "css", scss: "css", less: "css", html: "markup", htm: "markup", xml: "markup", svg: "markup", json: "data", yaml: "data", yml: "data", toml: "data", ini: "data",
};

export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/^(Makefile|Dockerfile|Containerfile|\.bashrc)$/.test(name)) return "shell";
  return extensions[name.slice(name.lastIndexOf(".") + 1).toLowerCase()] ?? null;
}

const kLongest = 2_000; // a line longer than that is not for people
const number = /(?:0[xXbBoO][\da-fA-F_']+|\d[\d_']*(?:\.\d+)?(?:[eE][+-]?\d+)?)[a-zA-Z]*/y;
const plainWord = /[A-Za-z_$][\w$]*/y;

function wordKind(language: Language, word: string, next: string): Kind | null {
  if (language === languages.markup) return "k";
  if (language === languages.css) return /^[@]/.test(word) ? "k" : next === ":" ? "f" : null;
  const known = language === languages.sql ? word.toLowerCase() : word;
  if (language.keywords.has(known)) return "k";
  if (language.types.has(known) || /^[A-Z][a-z]\w*$/.test(word) || /\w_t$/.test(word)) return "t";
  return next === "(" ? "f" : null;
}

const at = (expression: RegExp, text: string, from: number): string => {
  expression.lastIndex = from;
  return expression.exec(text)?.[0] ?? "";
};

// The tokens of each line. What spans lines is followed from one to the next.
export function tokensOf(lines: readonly string[], name: string | null): Token[][] {
  const language = name === null ? undefined : languages[name];
  if (!language) return lines.map(() => []);
  let open: [string, string] | null = null;
  return lines.map((text) => {
    const tokens: Token[] = [];
    if (text.length > kLongest) return tokens;
    let from = 0;
    while (from < text.length) {
      if (open) {
        const end = text.indexOf(open[1], from);
        const to = end < 0 ? text.length : end + open[1].length;
        tokens.push([from, to, open[0] === "/*" || open[0] === "<!--" ? "c" : "s"]);
        if (end >= 0) open = null;
        from = to;
        continue;
      }
      const begun = language.block.find(([start]) => text.startsWith(start, from));
      if (begun) {
        const end = text.indexOf(begun[1], from + begun[0].length);
        const to = end < 0 ? text.length : end + begun[1].length;
        tokens.push([from, to, begun[0] === "/*" || begun[0] === "<!--" ? "c" : "s"]);
        if (end < 0) open = begun;
        from = to;
        continue;
      }
      if (language.line.some((start) => text.startsWith(start, from) && (start !== "#" || from === 0 || /\s/.test(text[from - 1]!)))) {
        tokens.push([from, text.length, "c"]);
        break;
      }
      const char = text[from]!;
      if (language.quotes.includes(char)) {
        let to = from + 1;
        while (to < text.length && text[to] !== char) to += text[to] === "\\" ? 2 : 1;
        to = Math.min(text.length, to + 1);
        tokens.push([from, to, "s"]);
        from = to;
        continue;
      }
      const digits = /\d/.test(char) ? at(number, text, from) : "";
      if (digits) {
        tokens.push([from, from + digits.length, "n"]);
        from += digits.length;
        continue;
      }
      const word = at(language.word ?? plainWord, text, from) || at(plainWord, text, from);
      if (word) {
        const kind = wordKind(language, word, text[from + word.length] ?? "");
        if (kind) tokens.push([from, from + word.length, kind]);
        from += word.length;
        continue;
      }
      ++from;
    }
    return tokens;
  });
}
