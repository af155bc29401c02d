import { tokensOf } from '../model/lisp.ts';

const WIDTH = 78;
/** Values that are nested deeper are shown as they came. */
const DEPTH_MOST = 100;

interface Group {
  readonly open: string;
  readonly items: Part[];
  close: string;
}

type Part = string | Group;

/** A printed value over several lines, where it is too long for one; what was cut off at its end is no trouble. */
export function laidOut(printed: string): string {
  if (printed.length <= WIDTH || printed.includes('\n')) return printed;
  const parts = partsOf(printed);
  return parts === null ? printed : parts.map((part) => laid(part, 0)).join(' ');
}

/** Null for brackets without partners, and for too many within each other. */
function partsOf(printed: string): readonly Part[] | null {
  const top: Part[] = [];
  const open: Group[] = [];
  let word = '';
  const end = (): void => {
    if (word !== '') (open.at(-1)?.items ?? top).push(word);
    word = '';
  };
  for (const { kind, text } of tokensOf(printed)) {
    if (kind === 'paren' && '([{'.includes(text)) {
      if (open.length >= DEPTH_MOST) return null;
      // What is right before a bracket belongs to it: #{1 2}, #'user/x.
      const group = { open: `${word}${text}`, items: [], close: '' };
      word = '';
      (open.at(-1)?.items ?? top).push(group);
      open.push(group);
    } else if (kind === 'paren') {
      end();
      const group = open.pop();
      if (group === undefined) return null;
      group.close = text;
    } else if (/^[\s,]+$/.test(text)) end();
    else if (text.endsWith(',') && kind === 'plain') {
      word += text.slice(0, -1);
      end();
    } else word += text;
  }
  end();
  return top;
}

/** A map's items two by two. */
function pairsOf({ items }: Group): readonly (readonly [key: Part, value: Part | null])[] {
  return items.flatMap((key, at) => (at % 2 === 0 ? [[key, items[at + 1] ?? null] as const] : []));
}

function flat(part: Part): string {
  if (typeof part === 'string') return part;
  const { open, items, close } = part;
  const inner =
    open === '{'
      ? pairsOf(part)
          .map(([key, value]) => (value === null ? flat(key) : `${flat(key)} ${flat(value)}`))
          .join(', ')
      : items.map(flat).join(' ');
  return `${open}${inner}${close}`;
}

function laid(part: Part, column: number): string {
  const short = flat(part);
  if (typeof part === 'string' || column + short.length <= WIDTH) return short;
  const { open, items, close } = part;
  const inner = column + open.length;
  const lines =
    open === '{'
      ? pairsOf(part).map(([key, value]) =>
          value === null ? flat(key) : `${flat(key)} ${laid(value, inner + flat(key).length + 1)}`,
        )
      : items.map((item) => laid(item, inner));
  return `${open}${lines.join(`\n${' '.repeat(inner)}`)}${close}`;
}
