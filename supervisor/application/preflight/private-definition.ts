import type { CompileFault } from '../../../contract/sandbox-protocol.ts';
import type { Component } from '../../documents/components/read.ts';
import { definesPrivately } from './definitions.ts';

/** What to do about a name that another component keeps to itself; null for any other fault. */
export function privateNameRemedy(
  { component, details: { unbound_names: names } }: CompileFault,
  components: readonly Component[],
): string | null {
  const [first] = Array.isArray(names) ? names : [];
  const [namespace = '', name] = typeof first === 'string' ? first.split('/') : [];
  const owner =
    name === undefined
      ? undefined
      : components.find((one) => one.id !== component && definesPrivately(one, namespace, name));
  return owner === undefined
    ? null
    : `it is private in the component ${owner.id}: write defn there, or call what is public`;
}
