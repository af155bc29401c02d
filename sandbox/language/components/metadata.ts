import { EFFECTS, type Effect } from '../../../contract/effect.ts';
import { CompileFailure } from '../compile-failure.ts';
import { isKeywordNamed, isStringLiteral, type MapNode, type Syntax } from '../syntax.ts';

export type Visibility = 'prompt' | 'discoverable';

/** What the literal metadata of a namespace or a definition declares (language.md §13). */
export interface ExportMetadata {
  readonly visibility: Visibility | null;
  readonly effect: Effect | null;
  readonly signature: { readonly text: string; readonly node: Syntax } | null;
  readonly type: { readonly text: string; readonly node: Syntax } | null;
  readonly requires: readonly string[];
  readonly doc: string | null;
}

/** Reads literal metadata maps; later ones win. Other keys are ignored. */
export function exportMetadata(nodes: readonly Syntax[]): ExportMetadata {
  let metadata: ExportMetadata = {
    visibility: null,
    effect: null,
    signature: null,
    type: null,
    requires: [],
    doc: null,
  };
  for (const node of nodes) if (node.kind === 'map') metadata = { ...metadata, ...declared(node) };
  return metadata;
}

function declared(map: MapNode): Partial<ExportMetadata> {
  let found: Partial<ExportMetadata> = {};
  for (let index = 0; index + 1 < map.items.length; index += 2) {
    const key = map.items[index];
    const value = map.items[index + 1];
    if (key === undefined || value === undefined) continue;
    if (key.kind !== 'keyword') throw new CompileFailure('invalid_metadata', 'Keys of metadata must be keywords', key);
    if (isKeywordNamed(key, 'visibility')) found = { ...found, visibility: visibilityOf(value) };
    else if (isKeywordNamed(key, 'effect')) found = { ...found, effect: effectOf(value) };
    else if (isKeywordNamed(key, 'signature'))
      found = { ...found, signature: textOf(value, 'invalid_signature', ':signature') };
    else if (isKeywordNamed(key, 'type')) found = { ...found, type: textOf(value, 'invalid_signature', ':type') };
    else if (isKeywordNamed(key, 'requires')) found = { ...found, requires: requirementsOf(value) };
    else if (isKeywordNamed(key, 'doc') && isStringLiteral(value)) found = { ...found, doc: value.value };
  }
  return found;
}

function visibilityOf(node: Syntax): Visibility {
  if (isKeywordNamed(node, 'prompt')) return 'prompt';
  if (isKeywordNamed(node, 'discoverable')) return 'discoverable';
  throw new CompileFailure('invalid_visibility', ':visibility is :prompt or :discoverable', node);
}

function effectOf(node: Syntax): Effect {
  for (const effect of EFFECTS) if (isKeywordNamed(node, effect)) return effect;
  throw new CompileFailure('invalid_metadata', ':effect is :read, :write or :unknown', node);
}

function textOf(node: Syntax, reason: string, key: string): { text: string; node: Syntax } {
  if (!isStringLiteral(node)) throw new CompileFailure(reason, `${key} takes a string`, node);
  return { text: node.value, node };
}

/** `["tool:x" …]`; names as runtime.md §5 admits them. */
function requirementsOf(node: Syntax): readonly string[] {
  if (node.kind !== 'vector') throw new CompileFailure('invalid_requires', ':requires takes a vector of strings', node);
  return node.items.map((item) => {
    if (!isStringLiteral(item) || !/^tool:[a-z][a-z0-9._/-]{0,127}$/.test(item.value)) {
      throw new CompileFailure('invalid_requires', ':requires holds names written "tool:name"', item);
    }
    return item.value;
  });
}
