import { worstEffect, type Effect } from '../../../contract/effect.ts';
import { toolRequirement } from '../../../contract/requirement.ts';
import type { ExportFact } from '../../../contract/sandbox-protocol.ts';
import { compareUtf8 } from '../../runtime/json/write.ts';
import type { ComponentDefinition } from './component-definition.ts';
import type { ExportMetadata, Visibility } from './metadata.ts';
import { readSignature, signatureText, typeText } from './signature.ts';
import type { Definition } from '../analyser/surroundings.ts';

/** What is reachable from a definition, itself included. */
interface Reach {
  readonly tools: Set<string>;
  readonly effects: Set<Effect>;
}

/** What is kept of a definition until all components are compiled; the syntax, which is large, is not. */
export interface ExportedDefinition {
  readonly ref: string;
  readonly namespace: string;
  readonly definition: Definition;
  readonly effect: Effect | null;
  readonly requires: readonly string[];
  readonly visibility: Visibility;
  readonly doc: string | null;
  /** Canonical text of its signature or type. */
  readonly contract: string | null;
  readonly tools: readonly string[];
  readonly references: readonly string[];
}

export function withoutSyntax({
  namespace,
  name,
  definition,
  metadata,
  visibility,
  doc,
  tools,
  references,
}: ComponentDefinition): ExportedDefinition {
  const { effect, requires } = metadata;
  const contract = canonicalContract(metadata);
  return {
    ref: `${namespace}/${name}`,
    namespace,
    definition,
    effect,
    requires,
    visibility,
    doc,
    contract,
    tools,
    references,
  };
}

/** What callers must know of a declared signature or type; it was read before, so it reads. */
function canonicalContract({ signature, type }: ExportMetadata): string | null {
  const declared = signature ?? type;
  const reading = declared === null ? null : readSignature(declared.text);
  if (reading === null || !reading.ok) return null;
  return signature === null ? typeText(reading.signature.result) : signatureText(reading.signature);
}

/**
 * Facts of all public definitions of a bundle, sorted by qualified name (language.md §13). `isCallable`: whether the
 * value is a function.
 */
export function exportFacts(
  definitions: readonly ExportedDefinition[],
  isCallable: (definition: ExportedDefinition) => boolean,
): ExportFact[] {
  const byReference = new Map<string, ExportedDefinition[]>();
  for (const definition of definitions) {
    const known = byReference.get(definition.ref);
    if (known === undefined) byReference.set(definition.ref, [definition]);
    else known.push(definition);
  }
  return definitions
    .filter((definition) => !definition.definition.isPrivate && definition.definition.kind !== 'declared')
    .map((definition) => exportFact(definition, isCallable(definition), byReference))
    .toSorted((a, b) => compareUtf8(a.ref, b.ref));
}

function exportFact(
  definition: ExportedDefinition,
  callable: boolean,
  byReference: ReadonlyMap<string, readonly ExportedDefinition[]>,
): ExportFact {
  const { ref } = definition;
  const { arities } = definition.definition;
  const reach = reachOf(ref, byReference);
  const requirements = [...reach.tools].toSorted(compareUtf8);
  return {
    ref,
    kind: callable ? 'function' : 'constant',
    arities: callable && arities !== null ? arities.fixed.toSorted((a, b) => a - b) : [],
    variadic_from: callable ? (arities === null ? 0 : arities.variadicFrom) : null,
    requirements,
    effect: joined(reach.effects, requirements.length > 0),
    declared_effect: definition.effect,
    visibility: definition.visibility,
    doc: definition.doc,
    ...(definition.contract === null ? {} : { contract: definition.contract }),
  };
}

function reachOf(start: string, byReference: ReadonlyMap<string, readonly ExportedDefinition[]>): Reach {
  const reach: Reach = { tools: new Set(), effects: new Set() };
  const pending = [start];
  const seen = new Set(pending);
  for (let reference = pending.pop(); reference !== undefined; reference = pending.pop()) {
    for (const definition of byReference.get(reference) ?? []) {
      for (const tool of definition.tools) reach.tools.add(toolRequirement(tool));
      for (const requirement of definition.requires) reach.tools.add(requirement);
      if (definition.effect !== null) reach.effects.add(definition.effect);
      for (const next of definition.references) {
        if (seen.has(next)) continue;
        seen.add(next);
        pending.push(next);
      }
    }
  }
  return reach;
}

/** write > unknown > read over what is declared; undeclared: read with requirements, unknown without. */
function joined(effects: ReadonlySet<Effect>, hasRequirements: boolean): Effect {
  return worstEffect(effects) ?? (hasRequirements ? 'read' : 'unknown');
}
