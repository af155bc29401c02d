import { callsOf, formAt, partsOf, replaced, textOf, topForms, valueOfKey, type Span } from '../forms.ts';
import { nearest } from '../nearest.ts';
import { coerced, typesIn } from './arguments.ts';
import { namesIn, type Correcting, type Rule } from './rule.ts';

/** What a program returns. */
function returnedIn(program: string): Span | null {
  const call = callsOf(program, 'return').at(-1);
  return call === undefined ? null : (partsOf(program, call)?.[1] ?? null);
}

function ofAnother(value: string, expected: string, input: string): string | null {
  const isMap = /^(?:object|map|\{)/.test(expected);
  if (isMap && /^(?:array|list|vector|seq)/.test(input)) {
    const inner = value.startsWith('[') ? formAt(value, 1) : null;
    return inner === null ? `(into {} ${value})` : textOf(value, inner);
  }
  if (isMap && /^(?:string|text)/.test(input)) return `(json/parse-string ${value})`;
  return coerced(value, expected, input);
}

/** Changes the type of a value, or of what is in it, to what was told to be expected. */
export const changeValue: Rule = ({ program, reply }) => {
  if (!reply.startsWith('The returned value does not satisfy')) return null;
  const [, path = '', words = ''] = /^- ([^:\n]*): (.+)$/m.exec(reply) ?? [];
  const types = typesIn(words);
  const span = path.startsWith('/') ? valueOfKey(program, path.split('/').at(-1) ?? '') : returnedIn(program);
  if (types === null || span === null) return null;
  const changed = ofAnother(textOf(program, span), types.expected, types.actual);
  return changed === null ? null : replaced(program, span, changed);
};

/** Gives a key the name that was told to be missing, or takes it away where it is not allowed. */
export const changeKeys: Rule = ({ program, reply }) => {
  if (!reply.startsWith('The returned value does not satisfy')) return null;
  const allowed = namesIn(/allowed(?: keys)?(?: are)?:? ((?:"[^"]*"[, ]*)+)/.exec(reply)?.[1] ?? '');
  const missing = namesIn(/missing:? ((?:"[^"]*"[, ]*)+)/.exec(reply)?.[1] ?? '');
  const map = returnedIn(program);
  if (allowed.length === 0 || map === null || program[map.start] !== '{') return null;
  const parts = partsOf(program, map.start) ?? [];
  for (const [at, key] of parts.entries()) {
    const name = textOf(program, key).replaceAll('"', '');
    const value = parts[at + 1];
    if (at % 2 === 1 || value === undefined || allowed.includes(name)) continue;
    const target = nearest(name, missing);
    if (target !== null) return replaced(program, key, `"${target}"`);
    return replaced(program, { start: key.start, end: parts[at + 2]?.start ?? value.end }, '');
  }
  return null;
};

/** Does what the check of the workflow asks for in so many words. */
export const followCheck: Rule = ({ program, reply }) => {
  if (!reply.startsWith('The returned value was checked and rejected')) return null;
  const added = /add (-?\d+) to the first/.exec(reply);
  const value = returnedIn(program);
  if (added !== null && value !== null)
    return replaced(program, value, `(update (vec ${textOf(program, value)}) 0 + ${added[1] ?? ''})`);
  const other = /take (\([^()]*\)) in place of ([\w/-]+)/.exec(reply);
  return other === null ? null : program.replaceAll(other[2] ?? '', other[1] ?? '');
};

/** Puts all that a program defines into the one form that it was told to be. */
export const returnOnly: Rule = ({ program, reply }: Correcting) => {
  if (!/exactly one top-level \(return/.test(reply)) return null;
  const forms = topForms(program);
  const value = returnedIn(program);
  const definitions = forms.slice(0, -1).map((form) => partsOf(program, form.start) ?? []);
  if (value === null || definitions.some((parts) => parts.length !== 3)) return null;
  const bound = definitions.map(([, name, made]) =>
    [name, made].map((part) => (part === undefined ? '' : textOf(program, part))).join(' '),
  );
  return `(return (let [${bound.join('\n')}] ${textOf(program, value)}))`;
};
