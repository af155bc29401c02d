import { nearestNames } from '../../../contract/names/nearest.ts';
import type { CompileFault } from '../../../contract/sandbox-protocol.ts';
import type { LibraryRegistry } from '../../documents/components/libraries.ts';
import type { Component } from '../../documents/components/read.ts';

/** What the compiler says where it knows no better name; else it says it itself. */
const WITHOUT_ADVICE = /^(?:No such namespace: [^\s;(]+$|Unknown namespace: [^\s;]+; there are )/u;

/**
 * How a component comes to a namespace that it cannot see: through a dependency in the manifest. Null where the fault
 * is another.
 */
export function missingNamespaceRemedy(
  fault: CompileFault,
  components: readonly Component[],
  libraries: LibraryRegistry,
): string | null {
  const {
    component,
    reason,
    message,
    details: { rejected_namespace: namespace },
  } = fault;
  if (
    reason !== 'unknown_namespace' ||
    component === null ||
    typeof namespace !== 'string' ||
    !WITHOUT_ADVICE.test(message)
  )
    return null;
  const others = components.map(({ id }) => id).filter((id) => id !== component);
  const depend = (id: string): string => `add "${id}" to "dependencies" of the component ${component}`;
  const take = (id: string): string =>
    `add {"library": "${id}"} to "components", and "${id}" to "dependencies" of the component ${component}`;
  if (others.includes(namespace)) return depend(namespace);
  if (libraries.has(namespace)) return take(namespace);
  const [near] = nearestNames(namespace, [...others, ...libraries.keys()]);
  if (near !== undefined) return `did you mean ${near}? ${others.includes(near) ? depend(near) : take(near)}`;
  return `list in "components" the one that holds (ns ${namespace.slice(0, 128)}), and its id in "dependencies" of the component ${component}`;
}
