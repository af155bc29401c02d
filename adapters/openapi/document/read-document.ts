import { CORE_SCHEMA, load } from 'js-yaml';
import { DOCUMENT_BYTES } from '../../mcp/api/document-bytes.ts';
import { isPlain, member, type Plain } from './plain.ts';
import { placeOf, RefusedDocument } from './refused-document.ts';

/** Parts of a document, each value and each key one; an alias of YAML counts as what it means. */
const NODES_MAX = 1_000_000;
const DEPTH_MAX = 100;
const ALIASES_MAX = 1000;

/** A document of which the form and the size are known to be bearable; none of it was looked up elsewhere. */
export interface ReadDocument {
  readonly root: Plain;
  /** Of its schemas: 3.0 has a dialect of its own. */
  readonly version: '3.0' | '3.1';
}

/** Reads JSON or YAML. Throws RefusedDocument. */
export function readDocument(bytes: Uint8Array): ReadDocument {
  if (bytes.length > DOCUMENT_BYTES) throw new RefusedDocument(`it is larger than ${DOCUMENT_BYTES} bytes`);
  const root = parsed(textOf(bytes));
  if (!isPlain(root)) throw new RefusedDocument('it is no object');
  checkParts(root);
  return { root, version: versionOf(root) };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RefusedDocument('it is not UTF-8');
  }
}

function parsed(text: string): unknown {
  const isJson = /^\s*\{/.test(text);
  try {
    const value: unknown = isJson
      ? JSON.parse(text)
      : load(text, { schema: CORE_SCHEMA, maxDepth: DEPTH_MAX, maxAliases: ALIASES_MAX });
    return value;
  } catch {
    // YAML has a flow style that looks like JSON.
    if (isJson) return fromYaml(text);
    throw new RefusedDocument('it is neither JSON nor YAML');
  }
}

function fromYaml(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA, maxDepth: DEPTH_MAX, maxAliases: ALIASES_MAX });
  } catch {
    throw new RefusedDocument('it is neither JSON nor YAML');
  }
}

function versionOf(root: Plain): ReadDocument['version'] {
  const [openapi, swagger] = [member(root, 'openapi'), member(root, 'swagger')];
  if (openapi === undefined && swagger !== undefined)
    throw new RefusedDocument('it is Swagger 2.0; convert it to OpenAPI 3.0 or 3.1');
  const [, version] = typeof openapi === 'string' ? (/^(3\.[01])(?:\.\d+)?(?:-.*)?$/.exec(openapi) ?? []) : [];
  if (version === '3.0' || version === '3.1') return version;
  throw new RefusedDocument('its openapi is neither 3.0 nor 3.1');
}

/** Members whose values are data and no part of the description: a reference within them is none. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** One part that is still to be looked at. */
interface Pending {
  readonly value: unknown;
  readonly at: readonly (string | number)[];
  readonly isData: boolean;
}

/** Without recursion, since the parts of a document may be nested as deep as its author likes. */
function checkParts(root: Plain): void {
  const pending: Pending[] = [{ value: root, at: [], isData: false }];
  let nodes = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    nodes += 1;
    if (nodes > NODES_MAX) throw new RefusedDocument(`it has more than ${NODES_MAX} parts`);
    const { value, at, isData } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (at.length >= DEPTH_MAX) throw new RefusedDocument(`it is nested deeper than ${DEPTH_MAX} levels`);
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      items.forEach((item, index) => pending.push({ value: item, at: [...at, index], isData }));
      continue;
    }
    for (const [key, inner] of Object.entries(value)) {
      nodes += 1;
      if (key === '__proto__') throw new RefusedDocument(`it has a member __proto__ at ${placeOf(at)}`);
      if (key === '$ref' && typeof inner === 'string' && !inner.startsWith('#') && !isData)
        throw new RefusedDocument(`it refers to another document at ${placeOf(at)}; bundle them into one`);
      // A property may well be called "default": what is named by its author is no keyword.
      const isNamed = at.at(-1) === 'properties';
      pending.push({
        value: inner,
        at: [...at, key],
        isData: isData || (!isNamed && (DATA.has(key) || key.startsWith('x-'))),
      });
    }
  }
}
