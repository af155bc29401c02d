import { callsOf, formAt, partsOf, replaced, textOf, valueOfKey, type Span } from '../forms.ts';
import { nearest } from '../nearest.ts';
import { namesIn, only, type Correcting, type Rule } from './rule.ts';

/** A rule of a schema that was told to be broken: `- article: expected int, given string`. */
interface Broken {
  readonly name: string;
  readonly words: string;
}

function brokenIn(reported: string): readonly Broken[] {
  if (!/tool's error|takes one map/.test(reported)) return [];
  return [...reported.matchAll(/^- ([^:\n]*): (.+)$/gm)].map(([, name, words]) => ({
    name: (name ?? '').split(/[./]/).at(-1) ?? '',
    words: words ?? '',
  }));
}

/** The maps of arguments that may be meant: of the call that the place told lies in, or of the tool told, else all. */
function argumentMaps({ program, reply, place }: Correcting): readonly Span[] {
  const named = /\btool\/([\w./-]+)/.exec(reply)?.[1];
  const calls = [...program.matchAll(/\(tool\/([\w./-]+)/g)]
    .filter(([, name]) => named === undefined || name === named)
    .flatMap(({ index }) => formAt(program, index) ?? []);
  const line = place === null ? null : lineAt(program, place);
  const near = line === null ? [] : calls.filter(({ start, end }) => start < line.end && line.start < end);
  return (near.length > 0 ? near : calls)
    .flatMap((call) => partsOf(program, call.start)?.[1] ?? [])
    .filter(({ start }) => program[start] === '{');
}

function lineAt(program: string, place: number): Span {
  const end = program.indexOf('\n', place);
  return { start: program.lastIndexOf('\n', place - 1) + 1, end: end < 0 ? program.length : end };
}

/** A value of another type, as an expression. */
export function coerced(value: string, expected: string, input: string): string | null {
  const [wants, has] = [expected.toLowerCase(), input.toLowerCase()];
  const isText = /^(?:string|text)/.test(has);
  if (/^(?:int|integer|number|float)/.test(wants) && isText)
    return /^"-?\d+"$/.test(value)
      ? value.slice(1, -1)
      : value.startsWith('(str ')
        ? value.slice('(str '.length, -1)
        : `(parse-long ${value})`;
  if (/^(?:string|text)/.test(wants) && /^(?:int|integer|number|float)/.test(has)) return `(str ${value})`;
  if (/^(?:array|list|vector|\[)/.test(wants) && isText) return `[${value}]`;
  return null;
}

/** What was told to be expected and to be given; null: the words tell no types. */
export function typesIn(words: string): { readonly expected: string; readonly actual: string } | null {
  const found = /expected (.+?), given ([\w-]+)/.exec(words);
  return found === null ? null : { expected: (found[1] ?? '').replace(/^an? /, ''), actual: found[2] ?? '' };
}

/** Changes the type of an argument to what was told to be expected. */
const changeType = ({ program }: Correcting, { name, words }: Broken): string | null => {
  const types = typesIn(words);
  const value = types === null ? null : valueOfKey(program, name);
  if (types === null || value === null) return null;
  // Nothing was found where something is expected: an envelope was taken for what is in it.
  if (/^(?:nil|null)/.test(types.actual) && !program.includes(':value')) return unwrapReplies(program);
  const changed = coerced(textOf(program, value), types.expected, types.actual);
  return changed === null ? null : replaced(program, value, changed);
};

function unwrapReplies(program: string): string {
  const calls = [...program.matchAll(/\(tool\//g)].flatMap(({ index }) => formAt(program, index) ?? []);
  return calls.reduceRight((text, call) => replaced(text, call, `(:value ${textOf(text, call)})`), program);
}

/** Takes the value of those that are allowed which is most like the one given. */
const takeAllowed = ({ program }: Correcting, { name, words }: Broken): string | null => {
  const list = /(?:one of|allowed|expected)\W*((?:"[^"]*"[,\s|or]*)+)/.exec(words);
  const value = valueOfKey(program, name);
  if (list === null || value === null) return null;
  const found = nearest(textOf(program, value).replaceAll('"', ''), namesIn(list[1] ?? ''));
  return found === null ? null : replaced(program, value, `"${found}"`);
};

/** Takes the bound that was told in the place of a number beyond it. */
const takeBound = ({ program }: Correcting, { name, words }: Broken): string | null => {
  const bound = /(?:maximum|minimum|at (?:most|least)) (-?\d+)/.exec(words);
  const value = bound === null ? null : valueOfKey(program, name);
  return bound === null || value === null ? null : replaced(program, value, bound[1] ?? '');
};

/** Gives a key the name that was told to be missing or allowed, or adds it with a value of the task. */
const nameKey = (correcting: Correcting, { words }: Broken): string | null => {
  const { program, task } = correcting;
  if (!/\b(?:required|missing|allowed|unknown)\b/.test(words)) return null;
  const missing = /(?:required|missing)(?: keys?)?:? ("?[\w-]+"?)/.exec(words)?.[1]?.replaceAll('"', '');
  const allowed = namesIn(/allowed(?: keys)?(?: are)?:? ([^;]+)/.exec(words)?.[1] ?? '');
  const unknown = /unknown(?: keys?)?:? "([^"]+)"/.exec(words)?.[1];
  const names = missing === undefined ? allowed : [missing];
  const maps = argumentMaps(correcting);
  const keys = maps
    .flatMap(({ start }) => (partsOf(program, start) ?? []).filter((_, at) => at % 2 === 0))
    .map((span) => ({ span, own: textOf(program, span).replace(/^:|"/g, '') }))
    .filter(({ own }) => (unknown === undefined ? !allowed.includes(own) : own === unknown))
    .flatMap(({ span, own }) => ({ span, own, name: nearest(own, names) }));
  const target = only(keys.filter(({ own, name }) => name !== null && name !== own));
  if (target !== null) return replaced(program, target.span, `"${target.name ?? ''}"`);
  const map = only(maps);
  // A value that the task names and the program does not.
  const value = only([...new Set(task.match(/\b[A-Z]{2,}\b/g) ?? [])].filter((word) => !program.includes(word)));
  if (missing === undefined || map === null || value === null) return null;
  return replaced(program, { start: map.end - 1, end: map.end }, ` "${missing}" "${value}"}`);
};

/** Mends the arguments of a tool by the rules that were told to be broken. */
export const mendArguments: Rule = (correcting) => {
  let { program } = correcting;
  for (const broken of brokenIn(correcting.reply)) {
    const now = { ...correcting, program };
    program =
      changeType(now, broken) ?? takeAllowed(now, broken) ?? takeBound(now, broken) ?? nameKey(now, broken) ?? program;
  }
  return program === correcting.program ? null : program;
};

/** Gives the only argument of a tool the name that was told. */
export const nameArgument: Rule = ({ program, reply }) => {
  const found =
    /tool\/([\w./-]+) takes one map[^\n]*?\{"?:?([\w-]+)"?/.exec(reply) ??
    /tool\/([\w./-]+) takes one map[^\n]*?keys?:? "?([\w-]+)"?/.exec(reply);
  const call = found === null ? null : only(callsOf(program, `tool/${found[1] ?? ''}`));
  const argument = call === null ? undefined : partsOf(program, call)?.[1];
  if (found === null || argument === undefined) return null;
  return replaced(program, argument, `{"${found[2] ?? ''}" ${textOf(program, argument)}}`);
};
