import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { child, compileNode, noteFault, refuseAt, refuseUnknown, type SchemaPlace } from './compile-node.ts';
import type { ContractFault, ContractFaults } from './contract-rule.ts';
import type { ContractNode, ContractRoot, CompiledContract, UnionBranch } from './schema.ts';
import { projectSchema } from './projections.ts';

/** Bytes of the normalised schema as canonical JSON (documents.md §4). */
const MAX_NORMALISED_BYTES = 65_536;
const MIN_BRANCHES = 2;
const MAX_BRANCHES = 16;
const MAX_TAG_BYTES = 128;

const DIALECTS: ReadonlySet<JsonValue> = new Set([
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft-07/schema#',
]);

/** At the root of a union nothing else is allowed. */
const UNION_KEYWORDS = new Set(['$schema', 'title', 'description', 'oneOf']);

export type ContractCompile =
  | { readonly ok: true; readonly schema: CompiledContract }
  /** In the order of documents.md §4; a command reports the first. */
  | { readonly ok: false; readonly faults: readonly [ContractFault, ...ContractFault[]] };

/** Compiles a decoded schema file, or finds all its faults. */
export function compileContract(value: JsonValue): ContractCompile {
  const faults: ContractFaults = [];
  const place: SchemaPlace = { faults, path: [], depth: 1 };
  const root = compileRoot(value, place);
  const [fault, ...others] = faults;
  if (root === null || fault !== undefined || !isJsonObject(value)) {
    return { ok: false, faults: [fault ?? { rule: 'not_a_schema_object', path: [] }, ...others] };
  }
  const normalised = projectSchema(value, 'normalised');
  if (Buffer.byteLength(canonicalJson(normalised)) > MAX_NORMALISED_BYTES) {
    return { ok: false, faults: [{ rule: 'schema_too_large', path: [] }] };
  }
  const [annotated, behaviour] = [projectSchema(value, 'annotated'), projectSchema(value, 'behaviour')];
  return { ok: true, schema: { root, normalised, annotated, behaviour } };
}

function compileRoot(value: JsonValue, place: SchemaPlace): ContractRoot | null {
  if (!isJsonObject(value)) return null;
  if (value.has('oneOf')) return compileUnion(value, place);
  checkDialect(value, place);
  const node = compileNode(value, place);
  if (isTyped(node) && !isPlainObject(node)) refuseAt(place, 'root_not_object', [], ['type']);
  return { kind: 'object', node };
}

function checkDialect(value: JsonObject, place: SchemaPlace): void {
  const dialect = value.get('$schema');
  if (dialect !== undefined && !DIALECTS.has(dialect)) noteFault(place, 'unsupported_dialect', '$schema');
}

/** Of a node without a usable type nothing more is known than that. */
function isTyped({ types }: ContractNode): boolean {
  return types.length > 0;
}

/** An object that may not be null instead. */
function isPlainObject({ types }: ContractNode): boolean {
  return types.length === 1 && types[0] === 'object';
}

function compileUnion(value: JsonObject, place: SchemaPlace): ContractRoot | null {
  refuseUnknown(value, place, (keyword) => UNION_KEYWORDS.has(keyword), { besideOneOf: true });
  for (const keyword of ['title', 'description']) {
    const text = value.get(keyword);
    if (text !== undefined && typeof text !== 'string') noteFault(place, 'invalid_keyword_value', keyword);
  }
  checkDialect(value, place);
  const listed = value.get('oneOf');
  if (!isJsonArray(listed)) {
    noteFault(place, 'invalid_keyword_value', 'oneOf');
    return null;
  }
  if (listed.length < MIN_BRANCHES || listed.length > MAX_BRANCHES) noteFault(place, 'union_branch_count', 'oneOf');
  const nodes = listed.map((branch, index) => compileBranch(branch, child(place, 'oneOf', String(index))));
  const union = discriminate(nodes);
  // What distinguishes a broken branch is not known.
  if (union === null && place.faults.length === 0) noteFault(place, 'union_discriminator_missing', 'oneOf');
  return union;
}

function compileBranch(branch: JsonValue, place: SchemaPlace): ContractNode {
  const node = compileNode(branch, place);
  if (isTyped(node) && (!isPlainObject(node) || node.open))
    refuseAt(place, 'union_branch_not_closed_object', [], [isPlainObject(node) ? 'additionalProperties' : 'type']);
  return node;
}

/** The one property that is a required constant text in all branches, different in each; null for none or several. */
function discriminate(nodes: readonly ContractNode[]): ContractRoot | null {
  const candidates: ContractRoot[] = [];
  for (const name of nodes[0]?.properties.keys() ?? []) {
    const branches = nodes.flatMap((node): readonly UnionBranch[] => {
      const tag = tagOf(node, name);
      return tag === null ? [] : [{ tag, node }];
    });
    const different = new Set(branches.map(({ tag }) => tag)).size;
    if (different === nodes.length) candidates.push({ kind: 'union', discriminator: name, branches });
  }
  const [only, second] = candidates;
  return only === undefined || second !== undefined ? null : only;
}

function tagOf(node: ContractNode, name: string): string | null {
  const property = node.properties.get(name);
  if (property === undefined || !node.required.includes(name)) return null;
  if (property.types.length !== 1 || property.types[0] !== 'string') return null;
  const tag = property.constant?.value;
  if (typeof tag !== 'string' || tag === '' || Buffer.byteLength(tag) > MAX_TAG_BYTES) return null;
  return tag;
}
