/**
 * The generated code of one program, taken apart so that the functions that are kept can be written without the rest
 * of it: a program that defines one small function and computes with large constants is kept as that function.
 *
 * What is kept is generated code, not source: what a name meant is decided when a program is compiled, by the
 * definitions, tools and aliases of that moment, and another compilation might decide otherwise.
 */

/** Names that one statement declares by the words of a text: `const [a, b] = keywords("a b", "ns");`. */
interface Gathered {
  readonly kind: 'gathered';
  /** The function and its further arguments, as they are. */
  readonly group: string;
  readonly words: string;
}

interface Constant {
  readonly kind: 'constant';
  readonly text: string;
}

interface Unit {
  readonly kind: 'unit';
  readonly index: number;
  readonly text: string;
}

type Entry = Gathered | Constant | Unit;

/** Everything a block declares, by identifier. */
export interface CodeBlock {
  readonly name: string;
  readonly supports: Set<string>;
  readonly entries: Map<string, Entry>;
}

/** A part of the code of a block that came with a value. */
export interface CodePiece {
  readonly block: string;
  readonly code: string;
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|[()[\]{};]|\/\/[^\n]*/g;
const IDENTIFIER = /"(?:[^"\\\n]|\\.)*"|[A-Za-z_$][\w$]*/g;
const GATHERING = /^const \[([^\]]*)\] = (\w+)\(("(?:[^"\\\n]|\\.)*")(.*)\)$/s;

/** Top-level statements of a code text, without their semicolons. */
function statements(code: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of code.matchAll(TOKEN)) {
    if (token === '(' || token === '[' || token === '{') depth += 1;
    else if (token === ')' || token === ']' || token === '}') depth -= 1;
    else if (token === ';' && depth === 0) {
      found.push(code.slice(start, index).trim());
      start = index + 1;
    }
  }
  return found;
}

/** Takes the text of a block apart. */
export function codeBlock(name: string, code: string): CodeBlock {
  const block: CodeBlock = { name, supports: new Set(), entries: new Map() };
  let indexes: readonly number[] | null = null;
  let count = 0;
  for (const statement of statements(code)) {
    const [, supports] = /^const \{([^}]*)\} = support$/.exec(statement) ?? [];
    const [, ids, from, words, more] = GATHERING.exec(statement) ?? [];
    const [, id = '', text = ''] = /^const ([\w$]+) = (.*)$/s.exec(statement) ?? [];
    if (supports !== undefined) for (const support of listed(supports)) block.supports.add(support);
    else if (ids !== undefined) gather(block, listed(ids), { group: `${from}(|${more})`, words: literal(words) });
    else if (id === 'unit') indexes = unitIndexes(text);
    else if (text.startsWith('unit(')) {
      block.entries.set(id, { kind: 'unit', index: indexes?.[count] ?? count, text });
      count += 1;
    } else if (id !== '') block.entries.set(id, { kind: 'constant', text });
  }
  return block;
}

function listed(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function literal(text = '""'): string {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'string') throw new TypeError('no string literal');
  return value;
}

/** The numbers of the units that a text holds, where it does not hold all of them: `units("block", "1 4")`. */
function unitIndexes(text: string): readonly number[] | null {
  const [, indexes] = /, "([0-9 ]*)"\)$/.exec(text) ?? [];
  return indexes === undefined ? null : indexes.split(' ').map(Number);
}

function gather(
  block: CodeBlock,
  ids: readonly string[],
  { group, words: text }: { readonly group: string; readonly words: string },
): void {
  const words = text.split(' ');
  const size = words.length / ids.length;
  ids.forEach((id, index) => {
    block.entries.set(id, { kind: 'gathered', group, words: words.slice(index * size, (index + 1) * size).join(' ') });
  });
}

/** Adds what another text of the same block declares. */
export function mergeBlock(block: CodeBlock, further: CodeBlock): void {
  for (const support of further.supports) block.supports.add(support);
  for (const [id, entry] of further.entries) block.entries.set(id, entry);
}

/** A code text that makes these units and what they need; the same for the same units, however the block came about. */
export function codeOfUnits(block: CodeBlock, indexes: ReadonlySet<number>): string {
  const needed = closure(block, indexes);
  const groups = new Map<string, { readonly ids: string[]; readonly words: string[] }>();
  const constants: string[] = [];
  const units: (readonly [id: string, unit: Unit])[] = [];
  for (const id of [...needed.ids].toSorted(byLengthAndText)) {
    const entry = block.entries.get(id);
    if (entry?.kind === 'gathered') {
      const group = groups.get(entry.group) ?? { ids: [], words: [] };
      group.ids.push(id);
      group.words.push(entry.words);
      groups.set(entry.group, group);
    } else if (entry?.kind === 'constant') constants.push(`const ${id} = ${entry.text};`);
    else if (entry?.kind === 'unit') units.push([id, entry]);
  }
  units.sort(([, a], [, b]) => a.index - b.index);
  const gathered = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, { ids, words }]) => {
      const [from = '', more = ''] = group.split('|');
      needed.supports.add(from.slice(0, -1));
      return `const [${ids.join(', ')}] = ${from}${JSON.stringify(words.join(' '))}${more};`;
    });
  needed.supports.add('units');
  const unit = `const unit = units(${JSON.stringify(block.name)}, "${units.map(([, { index }]) => index).join(' ')}");`;
  const made = units.map(([id, { text }]) => `const ${id} = ${text};`);
  return [
    '"use strict";',
    `const { ${[...needed.supports].toSorted().join(', ')} } = support;`,
    ...gathered,
    ...constants,
    unit,
    ...made,
    'return [];',
  ].join('\n');
}

function byLengthAndText(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/** What the code of these units names, and what that names. */
function closure(
  block: CodeBlock,
  indexes: ReadonlySet<number>,
): { readonly ids: Set<string>; readonly supports: Set<string> } {
  const ids = new Set<string>();
  const supports = new Set<string>();
  const pending: string[] = [];
  for (const [id, entry] of block.entries) if (entry.kind === 'unit' && indexes.has(entry.index)) pending.push(id);
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (ids.has(id)) continue;
    ids.add(id);
    const entry = block.entries.get(id);
    if (entry === undefined || entry.kind === 'gathered') continue;
    for (const [name] of entry.text.matchAll(IDENTIFIER)) {
      if (block.entries.has(name)) pending.push(name);
      else if (block.supports.has(name)) supports.add(name);
    }
  }
  return { ids, supports };
}
