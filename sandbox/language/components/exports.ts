import type { ExportFact } from '../../../contract/sandbox-protocol.ts';
import { isFunction } from '../../runtime/invoke.ts';
import { MultiMethod } from '../../runtime/values/multimethod.ts';
import { compareUtf8 } from '../../runtime/json/write.ts';
import type { Session } from '../link/session.ts';
import { variableOf } from '../link/session.ts';
import type { ComponentDefinition } from './compile-component.ts';
import type { Effect } from './metadata.ts';

/** What is reachable from a definition, itself included. */
interface Reach {
  readonly tools: Set<string>;
  readonly effects: Set<Effect>;
}

/** Facts of all public definitions of a bundle, sorted by qualified name (language.md §13). */
export function exportFacts(session: Session, definitions: readonly ComponentDefinition[]): ExportFact[] {
  const byReference = new Map<string, ComponentDefinition[]>();
  for (const definition of definitions) {
    const reference = `${definition.namespace}/${definition.name}`;
    const known = byReference.get(reference);
    if (known === undefined) byReference.set(reference, [definition]);
    else known.push(definition);
  }
  return definitions
    .filter((definition) => !definition.definition.isPrivate && definition.definition.kind !== 'declared')
    .map((definition) => exportFact(session, definition, byReference))
    .toSorted((a, b) => compareUtf8(a.ref, b.ref));
}

function exportFact(
  session: Session,
  definition: ComponentDefinition,
  byReference: ReadonlyMap<string, readonly ComponentDefinition[]>,
): ExportFact {
  const ref = `${definition.namespace}/${definition.name}`;
  const { value } = variableOf(session, definition.namespace, definition.name);
  const callable = isFunction(value) || value instanceof MultiMethod;
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
    declared_effect: definition.metadata.effect,
    visibility: definition.visibility,
    doc: definition.doc,
  };
}

function reachOf(start: string, byReference: ReadonlyMap<string, readonly ComponentDefinition[]>): Reach {
  const reach: Reach = { tools: new Set(), effects: new Set() };
  const pending = [start];
  const seen = new Set(pending);
  for (let reference = pending.pop(); reference !== undefined; reference = pending.pop()) {
    for (const definition of byReference.get(reference) ?? []) {
      for (const tool of definition.tools) reach.tools.add(`tool:${tool}`);
      for (const requirement of definition.metadata.requires) reach.tools.add(requirement);
      if (definition.metadata.effect !== null) reach.effects.add(definition.metadata.effect);
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
  for (const effect of ['write', 'unknown', 'read'] as const) if (effects.has(effect)) return effect;
  return hasRequirements ? 'read' : 'unknown';
}
