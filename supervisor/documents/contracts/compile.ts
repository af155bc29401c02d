import { canonicalJson } from '../../../contract/json/canonical.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { isJsonArray, isJsonObject } from '../../../contract/json/value.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { compileNode } from './compile-node.ts';
import { ContractRefusal } from './contract-rule.ts';
import type { ContractFault } from './contract-rule.ts';
import type { ContractNode, ContractRoot, ContractSchema, UnionBranch } from './schema.ts';
import { projectSchema } from './projections.ts';

/** Bytes of the normalised schema as canonical JSON (documents.md §4). */
const MAX_NORMALISED_BYTES = 65_536;
const MIN_BRANCHES = 2;
const MAX_BRANCHES = 16;
const MAX_TAG_BYTES = 128;

const DIALECTS: readonly JsonValue[] = [
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft-07/schema#',
];

/** At the root of a union nothing else may stand. */
const UNION_KEYWORDS = new Set(['$schema', 'title', 'description', 'oneOf']);

export type ContractCompile =
  | { readonly ok: true; readonly schema: ContractSchema }
  | { readonly ok: false; readonly fault: ContractFault };

/** Compiles a decoded schema file; of several faults the first in the order of documents.md §4 is returned. */
export function compileContract(value: JsonValue): ContractCompile {
  try {
    return { ok: true, schema: compiled(value) };
  } catch (error) {
    if (error instanceof ContractRefusal) return { ok: false, fault: error.fault };
    throw error;
  }
}

function compiled(value: JsonValue): ContractSchema {
  if (!isJsonObject(value)) throw new ContractRefusal('not_a_schema_object', []);
  const root = value.has('oneOf') ? compileUnion(value) : compileObject(value);
  const normalised = projectSchema(value, 'normalised');
  if (Buffer.byteLength(canonicalJson(normalised)) > MAX_NORMALISED_BYTES) throw new ContractRefusal('schema_too_large', []);
  return {
    root,
    normalised,
    annotated: projectSchema(value, 'annotated'),
    behaviour: projectSchema(value, 'behaviour'),
  };
}

function checkDialect(value: JsonObject): void {
  const dialect = value.get('$schema');
  if (dialect !== undefined && !DIALECTS.includes(dialect)) throw new ContractRefusal('unsupported_dialect', ['$schema']);
}

function compileObject(value: JsonObject): ContractRoot {
  checkDialect(value);
  const node = compileNode(value, [], 1);
  if (node.types.length !== 1 || node.types[0] !== 'object') throw new ContractRefusal('root_not_object', []);
  return { kind: 'object', node };
}

function compileUnion(value: JsonObject): ContractRoot {
  if (![...value.keys()].every((key) => UNION_KEYWORDS.has(key))) throw new ContractRefusal('unsupported_keyword', []);
  for (const keyword of ['title', 'description']) {
    const text = value.get(keyword);
    if (text !== undefined && typeof text !== 'string') throw new ContractRefusal('invalid_keyword_value', [keyword]);
  }
  checkDialect(value);
  const listed = value.get('oneOf');
  if (!isJsonArray(listed)) throw new ContractRefusal('invalid_keyword_value', ['oneOf']);
  if (listed.length < MIN_BRANCHES || listed.length > MAX_BRANCHES) throw new ContractRefusal('union_branch_count', ['oneOf']);
  const nodes = listed.map((branch, index) => compileBranch(branch, ['oneOf', String(index)]));
  const { discriminator, branches } = discriminate(nodes);
  return { kind: 'union', discriminator, branches };
}

function compileBranch(branch: JsonValue, path: readonly string[]): ContractNode {
  const node = compileNode(branch, path, 2);
  const closed = node.types.length === 1 && node.types[0] === 'object' && !node.open;
  if (!closed) throw new ContractRefusal('union_branch_not_closed_object', path);
  return node;
}

/** The one property that is a required constant text in all branches, different in each. */
function discriminate(nodes: readonly ContractNode[]): { discriminator: string; branches: readonly UnionBranch[] } {
  const candidates: { discriminator: string; branches: readonly UnionBranch[] }[] = [];
  for (const name of [...(nodes[0]?.properties.keys() ?? [])].toSorted(compareUtf8)) {
    const branches = nodes.flatMap((node) => {
      const tag = tagOf(node, name);
      return tag === null ? [] : [{ tag, node }];
    });
    const different = new Set(branches.map(({ tag }) => tag)).size;
    if (different === nodes.length) candidates.push({ discriminator: name, branches });
  }
  const [only, second] = candidates;
  if (only === undefined || second !== undefined) throw new ContractRefusal('union_discriminator_missing', ['oneOf']);
  return only;
}

function tagOf(node: ContractNode, name: string): string | null {
  const property = node.properties.get(name);
  if (property === undefined || !node.required.includes(name)) return null;
  if (property.types.length !== 1 || property.types[0] !== 'string') return null;
  const tag = property.constant?.value;
  if (typeof tag !== 'string' || tag === '' || Buffer.byteLength(tag) > MAX_TAG_BYTES) return null;
  return tag;
}
