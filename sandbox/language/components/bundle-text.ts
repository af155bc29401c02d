import type { Bundle, BundleComponent, BundleDefinition, BundleExport, BundleNamespace } from '../bundle.ts';
import { pack, unpack } from './packing/packing.ts';

/*
 * A bundle as text: one line of JSON, then source, code and places of each component as they are.
 * The line gives their lengths, and leaves out what most definitions and exports have in common, so that of the bytes
 * a bundle may have (language.md §13) few go to anything but source and code. A long bundle is packed as a whole.
 */

/**
 * Units from which a bundle is packed: shorter ones are loaded faster as they are (unpacking the agent library took
 * half of its load), and are below the bound of 4,000,000 bytes, whatever they hold.
 */
const PACKED_FROM = 1_000_000;
/** Begins a packed bundle; the others begin with the brace of their JSON. */
const PACKED = 'packed ';

interface WrittenDefinition extends Partial<Pick<BundleDefinition, 'kind' | 'isPrivate' | 'signature' | 'type'>> {
  readonly name: string;
  /** Absent for definitions whose calls are not checked. */
  readonly fixed?: readonly number[];
  readonly variadicFrom?: number | null;
  /** Where its text is in the source of the component. */
  readonly start: number;
  readonly length: number;
}

interface WrittenComponent {
  readonly id: string;
  /** Of source, code and places. */
  readonly lengths: readonly [number, number, number];
  readonly namespaces: readonly (Omit<BundleNamespace, 'definitions'> & {
    readonly definitions: readonly WrittenDefinition[];
  })[];
}

type WrittenExport = Pick<BundleExport, 'ref'> & Partial<BundleExport>;

interface Head {
  readonly version: 3;
  readonly components: readonly WrittenComponent[];
  readonly exports: readonly WrittenExport[];
}

const COMMON_DEFINITION = {
  kind: 'function',
  isPrivate: false,
  signature: null,
  type: null,
  variadicFrom: null,
} as const;
const COMMON_EXPORT = {
  kind: 'function',
  variadic_from: null,
  effect: 'unknown',
  declared_effect: null,
  visibility: 'prompt',
} as const;

/** Members of `facts` that differ from those of `common`; empty lists are left out too. */
function uncommon<T extends object>(facts: T, common: Readonly<Record<string, unknown>>): Partial<T> {
  const written: Partial<T> = { ...facts };
  for (const key of Object.keys(facts)) {
    const value: unknown = Reflect.get(facts, key);
    if (value === common[key] || (Array.isArray(value) && value.length === 0)) Reflect.deleteProperty(written, key);
  }
  return written;
}

/**
 * The two lines that begin nearly every function of generated code, and the one that replaces both in a bundle. No
 * other line of code begins with a colon: texts of a program have no line breaks there.
 */
const FUNCTION_HEAD =
  /^const (\w+) = unit\((\w+|"[^\n]*"), \(\(([\w$, ]*)\) => function( [\w$]+)?\(([\w$, ]*)\) \{\nif \(arguments\.length !== \d+\) arity\(\1, arguments\.length\);$/gm;

function shortened(code: string): string {
  return code.replaceAll(FUNCTION_HEAD, ':$1 $2 ($3)$4($5)');
}

/** Without a regular expression, which every isolate that loads a bundle would compile. */
function restored(code: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (
    let at = code.startsWith(':') ? 0 : code.indexOf('\n:') + 1;
    at > 0 || code.startsWith(':', at);
    at = code.indexOf('\n:', from) + 1
  ) {
    const lineEnd = code.indexOf('\n', at);
    const end = lineEnd < 0 ? code.length : lineEnd;
    pieces.push(code.slice(from, at), restoredHead(code.slice(at, end)));
    from = end;
    if (lineEnd < 0) break;
  }
  return [...pieces, code.slice(from)].join('');
}

/** `:unit name (captures) id(parameters)`; the name may be in quotes, and there may be no id. */
function restoredHead(line: string): string {
  const unit = line.slice(1, line.indexOf(' '));
  const nameEnd = line.includes('"') ? line.lastIndexOf('"') + 1 : line.indexOf(' ', unit.length + 2);
  const capturesEnd = line.indexOf(')', nameEnd);
  const open = line.indexOf('(', capturesEnd);
  const parameters = line.slice(open + 1, -1);
  const name = line.slice(unit.length + 2, nameEnd);
  const captures = line.slice(nameEnd + 2, capturesEnd);
  const count = parameters === '' ? 0 : parameters.split(',').length;
  return `const ${unit} = unit(${name}, ((${captures}) => function${line.slice(capturesEnd + 1, open)}(${parameters}) {\nif (arguments.length !== ${count}) arity(${unit}, arguments.length);`;
}

/** `bundle`: its exports may have texts, which are not written. */
export function writeBundle(bundle: Bundle): string {
  const texts: string[] = [];
  const components = bundle.components.map(({ id, source, code, places, namespaces }): WrittenComponent => {
    const short = shortened(code);
    texts.push(source, short, places);
    const written = namespaces.map((namespace) => ({
      ...namespace,
      definitions: namespace.definitions.map(writtenDefinition),
    }));
    return { id, lengths: [source.length, short.length, places.length], namespaces: written };
  });
  const exports = bundle.exports.map(
    ({ ref, kind, arities, variadic_from, requirements, effect, declared_effect, visibility }) => ({
      ref,
      ...uncommon({ kind, arities, variadic_from, requirements, effect, declared_effect, visibility }, COMMON_EXPORT),
    }),
  );
  const head: Head = { version: 3, components, exports };
  const text = `${JSON.stringify(head)}\n${texts.join('')}`;
  return text.length < PACKED_FROM ? text : `${PACKED}${pack(text)}`;
}

function writtenDefinition({ arities, source, start, ...facts }: BundleDefinition): WrittenDefinition {
  const counts =
    arities === null
      ? {}
      : { fixed: arities.fixed, ...uncommon({ variadicFrom: arities.variadicFrom }, COMMON_DEFINITION) };
  return { name: facts.name, ...uncommon(facts, COMMON_DEFINITION), ...counts, start, length: source.length };
}

/** Reads what `writeBundle` wrote; the text comes from the supervisor, which keeps it by its hash. */
export function readBundle(written: string): Bundle {
  const text = written.startsWith(PACKED) ? unpack(written.slice(PACKED.length)) : written;
  const end = text.indexOf('\n');
  const head: Head = JSON.parse(text.slice(0, end));
  let at = end + 1;
  const take = (length: number): string => {
    at += length;
    return text.slice(at - length, at);
  };
  const components = head.components.map((component): BundleComponent => {
    const { id, lengths } = component;
    const source = take(lengths[0]);
    const namespaces = component.namespaces.map((namespace) => ({
      ...namespace,
      definitions: namespace.definitions.map((definition) => readDefinition(definition, source)),
    }));
    return { id, source, namespaces, code: restored(take(lengths[1])), places: take(lengths[2]) };
  });
  return {
    components,
    exports: head.exports.map((fact) => ({ ...COMMON_EXPORT, arities: [], requirements: [], ...fact })),
  };
}

function readDefinition(written: WrittenDefinition, source: string): BundleDefinition {
  const { name, fixed, variadicFrom, kind, isPrivate, signature, type, start, length } = {
    ...COMMON_DEFINITION,
    ...written,
  };
  return {
    name,
    kind,
    isPrivate,
    signature,
    type,
    source: source.slice(start, start + length),
    start,
    arities: fixed === undefined ? null : { fixed, variadicFrom },
  };
}
