/** Every export of the shipped libraries, read from their sources as the compiler reads them. */
import { join } from 'node:path';
import { exportMetadata } from '../../sandbox/language/components/metadata.ts';
import { parseComponent, type Section } from '../../sandbox/language/components/sections.ts';
import { isStringLiteral, type ListNode, type Syntax } from '../../sandbox/language/syntax.ts';
import { shippedLibraries } from '../../supervisor/documents/libraries/shipped.ts';
import { code, table } from './tables.ts';
import { fromTemplate } from './template.ts';

const folder = join(import.meta.dirname, '../../sandbox/preludes');

/** Exports that another page describes: their texts there say more than their docstrings. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'agent.core': '[Agent library](agent-library.md#entries)',
  'agent.failover': '[Agent library](agent-library.md#failover)',
  'agent.main': '[Agent library](agent-library.md#entries)',
  analysis: '[Trace contract](traces.md#queries)',
  'agent.prompt': '[Agent library](agent-library.md#what-an-override-may-change)',
};

/** A longer signature repeats the options of a page of its own; its call is shown alone. */
const MOST_SIGNATURE = 110;

/** Paragraphs of a docstring: its lines are joined, blocks that are set in keep theirs. */
function paragraphs(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((block) => {
      const lines = block.split('\n').map((line) => line.trim());
      return /^ *:[a-z]+ {2,}/m.test(block) ? ['```text', ...lines, '```'].join('\n') : lines.join(' ');
    })
    .join('\n\n');
}

interface Export {
  readonly name: string;
  readonly effect: string | null;
  readonly text: string;
}

/** The public definitions of a namespace, in the order of its source. */
function exportsOf({ forms, name: namespace }: Section, source: string): readonly Export[] {
  return forms.flatMap((form): readonly Export[] => {
    const [head, symbol, ...rest] = form.items;
    if (
      head?.kind !== 'symbol' ||
      symbol?.kind !== 'symbol' ||
      !['def', 'defn', 'defonce', 'defmulti'].includes(head.name)
    )
      return [];
    if (isPrivate(symbol.metadata, source)) return [];
    const doc = isStringLiteral(rest[0]) ? rest[0].value : null;
    const { signature, type, effect, doc: own } = exportMetadata([...symbol.metadata, ...attributes(rest)]);
    const name = `${namespace}/${symbol.name}`;
    const declared = signature?.text ?? type?.text ?? null;
    const calls =
      declared === null || declared.length > MOST_SIGNATURE
        ? shapes(form, name, source)
        : [signature === null ? `${name} ${declared}` : `${name} ${signature.text}`];
    return [{ name, effect, text: `### ${name}\n\n${calls.map(code).join(' ')}: ${paragraphs(doc ?? own ?? '')}` }];
  });
}

/** What a library has: the effect once where all of its functions declare one. */
function described(section: Section, source: string): readonly string[] {
  const all = exportsOf(section, source);
  const elsewhere = ELSEWHERE[section.name];
  if (elsewhere !== undefined) return [`${all.map(({ name }) => code(name)).join(', ')}: ${elsewhere}.`, ''];
  const [first] = all;
  const isOne = all.length > 1 && all.every(({ effect }) => effect !== null && effect === first?.effect);
  return [
    ...(isOne ? [`Effect of all: ${first?.effect}.`, ''] : []),
    ...all.flatMap(({ effect, text }) => [isOne || effect === null ? text : `${text} Effect: ${effect}.`, '']),
  ];
}

/** What a namespace is for: its first paragraph. Options are in the page of the agent library. */
function summaryOf(doc: string): string {
  return doc.split(/\n\s*\n/)[0] ?? doc;
}

/** The map before the parameters, if there is one. */
function attributes(rest: readonly Syntax[]): readonly Syntax[] {
  const first = rest.find((item) => !isStringLiteral(item));
  return first?.kind === 'map' ? [first] : [];
}

/** The ways to call a function; of a constant its name alone. */
function shapes(form: ListNode, name: string, source: string): readonly string[] {
  const vectors = form.items.slice(2).flatMap((item): readonly Syntax[] => {
    if (item.kind === 'vector') return [item];
    const first = item.kind === 'list' ? item.items[0] : undefined;
    return first?.kind === 'vector' ? [first] : [];
  });
  const isFunction = form.items[0]?.kind === 'symbol' && form.items[0].name === 'defn';
  const lists = form.items.some(({ kind }) => kind === 'vector') ? vectors.slice(0, 1) : vectors;
  return isFunction
    ? lists.map(
        ({ start, end }) =>
          `(${[
            name,
            source
              .slice(start + 1, end - 1)
              .replaceAll(/\s+/g, ' ')
              .trim(),
          ]
            .filter((part) => part !== '')
            .join(' ')})`,
      )
    : [name];
}

function isPrivate(metadata: readonly Syntax[], source: string): boolean {
  return metadata.some(({ start, end }) => /:private\b/.test(source.slice(start, end)));
}

/** The whole page. */
export function preludesPage(): string {
  const sections = [...shippedLibraries(folder).values()].flatMap(({ id, source: bytes, dependencies }) => {
    const source = new TextDecoder().decode(bytes);
    return parseComponent({ id, source, dependencies: [...dependencies] }).sections.map((section) => ({
      section,
      source,
      dependencies,
    }));
  });
  const list = sections.map(({ section: { name, visibility }, dependencies }) => [
    code(name),
    visibility === 'prompt' ? 'yes' : 'on demand',
    dependencies.map(code).join(', '),
  ]);
  const exports = sections.flatMap(({ section, source }) => [
    `## ${section.name}`,
    '',
    ...(section.doc === null ? [] : [paragraphs(summaryOf(section.doc)), '']),
    ...described(section, source),
  ]);
  return fromTemplate('preludes', {
    parts: {
      list: table(['Library', 'Shown to models', 'Brings with it'], list),
      exports: exports.join('\n').trimEnd(),
    },
  });
}
