import type { LoadReply } from '../../../contract/sandbox-protocol.ts';
import { variableOf, type Session } from '../link/session.ts';
import { instantiate } from '../link/instantiate.ts';
import type { BundleComponent } from '../bundle.ts';
import { readBundle } from './bundle-text.ts';
import { withContract } from './contracted.ts';
import { Protocol } from '../../runtime/values/protocol.ts';
import { readSignature } from './signature.ts';

/** Attaches a compiled bundle to a session: runs its initialisers and makes its exports known. */
export function loadBundle(session: Session, code: string): LoadReply {
  const bundle = readBundle(code);
  for (const component of bundle.components) {
    for (const form of initialisers(session, component)) form();
    attach(session, component);
  }
  session.exports = bundle.exports;
  return { status: 'loaded' };
}

/** The initialisers of a component in source order; tools answer nil while one runs (language.md §13). */
export function initialisers(session: Session, component: Pick<BundleComponent, 'code'>): (() => unknown)[] {
  return instantiate(session, component.code).map((form) => () => {
    session.initialising = true;
    try {
      return form();
    } finally {
      session.initialising = false;
    }
  });
}

/** Makes the namespaces of a component whose initialisers ran known to programs. */
export function attach(session: Session, component: BundleComponent): void {
  const { id, source, places } = component;
  session.components.set(id, { id, source, places, namespaces: component.namespaces.map(({ name }) => name) });
  for (const namespace of component.namespaces) {
    for (const definition of namespace.definitions) {
      if (definition.kind === 'protocol') closeProtocol(session, namespace.name, definition.name);
      if (definition.signature === null) continue;
      const reading = readSignature(definition.signature);
      const variable = variableOf(session, namespace.name, definition.name);
      const reference = `${namespace.name}/${definition.name}`;
      variable.value = withContract(reference, variable.value, reading.ok ? reading.signature : null);
    }
    session.namespaces.set(namespace.name, {
      name: namespace.name,
      component: component.id,
      doc: namespace.doc,
      definitions: new Map(namespace.definitions.map((definition) => [definition.name, definition])),
    });
  }
}

/** From here on nothing extends a protocol: its component has done what it does to it. */
function closeProtocol(session: Session, namespace: string, name: string): void {
  const { value } = variableOf(session, namespace, name);
  if (value instanceof Protocol) value.isClosed = true;
}
