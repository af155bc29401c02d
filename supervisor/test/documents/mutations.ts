import type { Random } from './random.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Texts that parsers, tables and pointers trip over. */
const TOKENS: readonly [string, ...string[]] = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u0000',
  '\\ud800',
  '0',
  '-',
  '.',
  'e9',
  '1e999',
  '1.0',
  '-0',
  'null',
  'true',
  '{}',
  '[]',
  '""',
  '"__proto__":1,',
  '"$schema":"x",',
  '"":{},',
  ' ',
  '\n',
  '\u00a0',
  '\uFEFF',
  '\u0000',
  '😀',
  '/',
  '~',
  '*',
  '..',
];

const VALUES: readonly [Json, ...Json[]] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  '',
  'a',
  'main',
  '../x',
  '/',
  '*',
  '~0',
  'x'.repeat(300),
  'é'.repeat(600),
  '\u0000',
  '__proto__',
  'sha256:',
  `sha256:${'0'.repeat(64)}`,
  'https://a.example',
  'http://[::1]',
  'svc-project',
  [],
  {},
  [[]],
  [null],
  { '': null },
  ['a', 'a'],
  { a: { a: {} } },
  { constructor: 1, toString: 2 },
  { 'a/b': 1, 'a~b': 2 },
];

const KEYS: readonly [string, ...string[]] = [
  '',
  'a',
  '*',
  '__proto__',
  'constructor',
  'toString',
  'a/b',
  '~1',
  'é',
  'x'.repeat(129),
  'type',
  'path',
  'default',
];

/** A document one to four steps away from a good one: broken in its bytes, or well formed and wrong. */
export function mutated(random: Random, good: string): Uint8Array {
  const steps = 1 + random.below(4);
  if (random.below(3) > 0) {
    let value: Json = JSON.parse(good);
    for (let step = 0; step < steps; step += 1) value = changed(random, value);
    return new TextEncoder().encode(JSON.stringify(value));
  }
  let bytes = new TextEncoder().encode(good);
  for (let step = 0; step < steps; step += 1) bytes = Uint8Array.from(spliced(random, bytes));
  return bytes;
}

/** Bytes taken away, repeated, overwritten or put in. */
function spliced(random: Random, bytes: Uint8Array): readonly number[] {
  const all = [...bytes];
  const at = random.below(all.length + 1);
  const length = random.below(12);
  switch (random.below(5)) {
    case 0:
      return all.toSpliced(at, length);
    case 1:
      return all.toSpliced(at, 0, ...all.slice(at, at + 20 + length));
    case 2:
      return all.toSpliced(at, 1, random.below(256));
    case 3:
      return all.slice(0, at);
    default:
      return all.toSpliced(at, random.below(2), ...new TextEncoder().encode(random.pick(TOKENS)));
  }
}

/** The value with one place of it changed; the deeper, the likelier. */
function changed(random: Random, value: Json): Json {
  if (typeof value !== 'object' || value === null || random.below(6) === 0) return replaced(random, value);
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    const at = random.below(items.length + 1);
    const item = items[at];
    if (item === undefined) return [...items, random.pick(VALUES)];
    return random.below(5) === 0 ? items.toSpliced(at, random.below(2), item) : items.with(at, changed(random, item));
  }
  const members = Object.entries(value);
  const at = random.below(members.length + 1);
  const [key, member] = members[at] ?? [random.pick(KEYS), random.pick(VALUES)];
  switch (random.below(8)) {
    case 0:
      return Object.fromEntries(members.toSpliced(at, 1));
    case 1:
      return Object.fromEntries([...members, [random.pick(KEYS), member]]);
    case 2:
      return Object.fromEntries(members.toSpliced(at, 1, [random.pick(KEYS), member]));
    default:
      return Object.fromEntries(members.toSpliced(at, 1, [key, changed(random, member)]));
  }
}

function replaced(random: Random, value: Json): Json {
  if (typeof value === 'number' && random.below(2) === 0) return value + random.below(3) - 1;
  if (typeof value === 'string' && random.below(2) === 0) {
    const at = random.below(value.length + 1);
    return value.slice(0, at) + random.pick(TOKENS) + value.slice(at + random.below(2));
  }
  if (random.below(20) === 0) return nested(2 + random.below(80), value);
  return random.pick(VALUES);
}

function nested(depth: number, value: Json): Json {
  let outer = value;
  for (let level = 0; level < depth; level += 1) outer = level % 2 === 0 ? [outer] : { a: outer };
  return outer;
}
