import { createHash } from 'node:crypto';
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

const RECORD_HEAD = '{"chain":"","record":'.length + 64;

/** The same file with these records, chained and sealed as whoever writes one would (evidence.md §6). */
function resealed(header: string, records: readonly string[]): Buffer {
  let chain = createHash('sha256').update('svc.inspection.v1\0').update(header, 'latin1').digest();
  const lines = records.map((record) => {
    const bytes = Buffer.from(record, 'latin1');
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes.length));
    chain = createHash('sha256').update(chain).update(length).update(bytes).digest();
    return `{"chain":"${chain.toString('hex')}","record":${record}}\n`;
  });
  const body = `${header}\n${lines.join('')}`;
  const evidenceBytes = lines.reduce((all, line) => all + line.length, 0);
  const digest = createHash('sha256').update(body, 'latin1').digest('hex');
  const count = records.length;
  const seal = `{"seal":{"chain":"${chain.toString('hex')}","digest":"sha256:${digest}","evidence_bytes":${evidenceBytes},"first_sequence":${Math.min(count, 1)},"last_sequence":${count},"records":${count}}}`;
  return Buffer.from(`${body}${seal.padEnd(511)}\n`, 'latin1');
}

/**
 * What is forged and proves itself all the same: records changed, lost, twice or in another order, under a seal that
 * fits.
 */
const forged: Mutation = (files, name, _, next) =>
  edit(files, name, (bytes) => {
    const [header = '', ...rest] = linesOf(bytes);
    const records = rest.slice(0, -2).map((line) => line.slice(RECORD_HEAD, -1));
    if (!name.endsWith('.svcins') || records.length === 0) return bytes;
    const at = below(next, records.length);
    const text = records[at] ?? '';
    const words = text.match(/"[^"\\]{1,40}"|[0-9]+|true|false|null/g) ?? ['0'];
    const other = pick(next, records).match(/"[^"\\]{1,40}"|[0-9]+|true|false|null|\{\}/g) ?? ['0'];
    const [from, to] = [pick(next, words), pick(next, next() < 0.5 ? words : other)];
    switch (below(next, 4)) {
      case 0:
        records.splice(at, 1);
        break;
      case 1:
        records.splice(below(next, records.length), 0, text);
        break;
      default:
        records[at] = text.replace(from, () => to);
    }
    // As often as not with the sequence that a writer gives.
    const numbered =
      next() < 0.5
        ? records
        : records.map((record, index) => record.replace(/"sequence":[0-9]+/, `"sequence":${index + 1}`));
    return resealed(header, numbered);
  });

const MUTATIONS: readonly Mutation[] = [
  forged,
  forged,
  forged,
  // A flipped bit.
  (files, name, _, next) =>
    edit(files, name, (bytes) => {
      const at = below(next, bytes.length);
      if (bytes.length > 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << below(next, 8));
      return bytes;
    }),
  // Cut short.
  (files, name, _, next) => edit(files, name, (bytes) => bytes.subarray(0, below(next, bytes.length))),
  // Garbage within.
  (files, name, _, next) =>
    edit(files, name, (bytes) =>
      Buffer.concat([
        bytes.subarray(0, below(next, bytes.length)),
        Buffer.from(Array.from({ length: below(next, 64) }, () => below(next, 256))),
        bytes,
      ]),
    ),
  // A line twice, lost or elsewhere.
  (files, name, _, next) =>
    edit(files, name, (bytes) => {
      const lines = [...linesOf(bytes)];
      const [line = ''] = lines.splice(below(next, lines.length), 1);
      for (let copies = below(next, 3); copies > 0; copies -= 1) lines.splice(below(next, lines.length), 0, line);
      return joined(lines);
    }),
  // Another value: a number, a text or a member's name that stands elsewhere in the file.
  (files, name, _, next) =>
    edit(files, name, (bytes) => {
      const text = bytes.toString('latin1');
      const words = text.match(/"[^"\\]{1,40}"|[0-9]+|true|false|null/g) ?? ['0'];
      const [from, to] = [pick(next, words), pick(next, words)];
      return Buffer.from(next() < 0.5 ? text.replace(from, () => to) : text.replaceAll(from, () => to), 'latin1');
    }),
  // Deep, or long.
  (files, name, _, next) =>
    edit(files, name, (bytes) =>
      Buffer.from(
        bytes
          .toString('latin1')
          .replace(pick(next, ['null', '{}', '[]', '"ok"']), () =>
            next() < 0.5 ? `${'['.repeat(100)}${']'.repeat(100)}` : `"${'x'.repeat(5000)}"`,
          ),
        'latin1',
      ),
    ),
  // The bytes of any other file under this name.
  (files, name, { traces, inspection }, next) =>
    files.set(name, pick(next, [...traces.values(), ...inspection.values()])),
  // Under another name.
  (files, name, _, next) => {
    const bytes = files.get(name) ?? Buffer.alloc(0);
    files.set(
      pick(next, [
        'other.jsonl',
        'other.private.jsonl',
        'other.svcins',
        '-.jsonl',
        name.replace('.jsonl', '.private.jsonl'),
        name.replace('.private', ''),
        `${name}.jsonl`,
      ]),
      bytes,
    );
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
