import type { Evidence } from './captured.ts';

/** Numbers from 0 below 1, the same for one seed. */
export type Random = () => number;

/** Mulberry32: small, and the same everywhere. */
export function random(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e_37_79_b1);
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Files = Map<string, Buffer>;
type Mutation = (files: Files, name: string, all: Evidence, next: Random) => void;

const below = (next: Random, most: number): number => Math.floor(next() * most);

function pick<T>(next: Random, items: readonly T[]): T {
  const item = items[below(next, items.length)];
  if (item === undefined) throw new Error('there is something to pick');
  return item;
}

function edit(files: Files, name: string, change: (bytes: Buffer) => Buffer): void {
  files.set(name, change(Buffer.from(files.get(name) ?? Buffer.alloc(0))));
}

const linesOf = (bytes: Buffer): readonly string[] => bytes.toString('latin1').split('\n');
const joined = (lines: readonly string[]): Buffer => Buffer.from(lines.join('\n'), 'latin1');

const MUTATIONS: readonly Mutation[] = [
  // A flipped bit.
  (files, name, _, next) => edit(files, name, (bytes) => {
    const at = below(next, bytes.length);
    if (bytes.length > 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << below(next, 8));
    return bytes;
  }),
  // Cut short.
  (files, name, _, next) => edit(files, name, (bytes) => bytes.subarray(0, below(next, bytes.length))),
  // Garbage within.
  (files, name, _, next) => edit(files, name, (bytes) => Buffer.concat([bytes.subarray(0, below(next, bytes.length)), Buffer.from(Array.from({ length: below(next, 64) }, () => below(next, 256))), bytes])),
  // A line twice, lost or elsewhere.
  (files, name, _, next) => edit(files, name, (bytes) => {
    const lines = [...linesOf(bytes)];
    const [line = ''] = lines.splice(below(next, lines.length), 1);
    for (let copies = below(next, 3); copies > 0; copies -= 1) lines.splice(below(next, lines.length), 0, line);
    return joined(lines);
  }),
  // Another value: a number, a text or a member's name that stands elsewhere in the file.
  (files, name, _, next) => edit(files, name, (bytes) => {
    const text = bytes.toString('latin1');
    const words = text.match(/"[^"\\]{1,40}"|[0-9]+|true|false|null/g) ?? ['0'];
    const [from, to] = [pick(next, words), pick(next, words)];
    return Buffer.from(next() < 0.5 ? text.replace(from, () => to) : text.replaceAll(from, () => to), 'latin1');
  }),
  // Deep, or long.
  (files, name, _, next) => edit(files, name, (bytes) => Buffer.from(bytes.toString('latin1').replace(pick(next, ['null', '{}', '[]', '"ok"']), () => (next() < 0.5 ? `${'['.repeat(100)}${']'.repeat(100)}` : `"${'x'.repeat(5000)}"`)), 'latin1')),
  // The bytes of any other file under this name.
  (files, name, { traces, inspection }, next) => files.set(name, pick(next, [...traces.values(), ...inspection.values()])),
  // Under another name.
  (files, name, _, next) => {
    const bytes = files.get(name) ?? Buffer.alloc(0);
    files.set(pick(next, ['other.jsonl', 'other.private.jsonl', 'other.svcins', '-.jsonl', name.replace('.jsonl', '.private.jsonl'), name.replace('.private', ''), `${name}.jsonl`]), bytes);
    if (next() < 0.5) files.delete(name);
  },
  (files, name) => files.delete(name),
];

/** The evidence with one to three mutations of one or several of its files; the same for one seed. */
export function mutated(evidence: Evidence, next: Random): Evidence {
  const copy = { traces: new Map(evidence.traces), inspection: new Map(evidence.inspection) };
  for (let count = 1 + below(next, 3); count > 0; count -= 1) {
    const files = next() < 0.5 ? copy.traces : copy.inspection;
    if (files.size > 0) pick(next, MUTATIONS)(files, pick(next, [...files.keys()]), evidence, next);
  }
  return copy;
}
