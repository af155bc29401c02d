import type {
  CompileFault,
  CompileReply,
  CompileRequest,
  ComponentSource,
} from '../../../contract/sandbox-protocol.ts';
import { isFunction } from '../../runtime/invoke.ts';
import { MultiMethod } from '../../runtime/values/multimethod.ts';
import type { ForeignNamespace } from '../analyser/surroundings.ts';
import { CompileFailure } from '../compile-failure.ts';
import { newSession } from '../link/new-session.ts';
import { variableOf, type Session } from '../link/session.ts';
import { UNBOUND } from '../../runtime/values/var.ts';
import type { Bundle, BundleComponent, BundleDefinition } from '../bundle.ts';
import { writeBundle } from './bundle-text.ts';
import { compileComponent, type CompiledComponent } from './compile-component.ts';
import {
  allFaults,
  compileSet,
  faultOf,
  faultsOf,
  type CompiledMembers,
  type ComponentRefusal,
} from './compile-set.ts';
import { contractErrors } from './contract-check.ts';
import { exportFacts, withoutSyntax } from './exports.ts';
import { attach, initialisers } from './load-bundle.ts';
import { readReady, type ReadyComponent } from './ready-component.ts';
import { retainedState } from './retained-state.ts';
import { readSignature, signatureText, typeText, type Signature } from './signature.ts';

/** Bytes of compiled text that a bundle may have (language.md §13). */
const MAXIMUM_ARTIFACT = 4_000_000;

/** Compiles a closed set of components and runs their initialisers once, without tools. */
export function compileBundle(request: CompileRequest): CompileReply {
  const session = newSession();
  session.environment = request.environment;
  const set = compileComponents(session, request.components);
  if ('reason' in set) return { status: 'refused', fault: set };
  const { refusals } = set;
  const compiled = set.compiled.map(({ component }) => component);
  const definitions = set.compiled.flatMap((one) => one.definitions);
  const [first] = refusals;
  if (first !== undefined) return { status: 'refused', fault: first.fault, faults: faultsOf(refusals) };
  const exports = exportFacts(definitions, ({ namespace, definition }) => {
    const { value } = variableOf(session, namespace, definition.name);
    return isFunction(value) || value instanceof MultiMethod;
  });
  const code = writtenBundle({ components: compiled, exports });
  if (code === null || code.length > MAXIMUM_ARTIFACT) {
    const message = `The compiled bundle is larger than ${MAXIMUM_ARTIFACT} bytes`;
    return {
      status: 'refused',
      fault: { reason: 'program_too_large', message, component: null, span: null, details: {} },
    };
  }
  const facts = compiled.flatMap(({ id, namespaces: declared }) =>
    declared.map(({ name, doc }) => ({ name, component: id, doc })),
  );
  return { status: 'compiled', code, exports, namespaces: facts };
}

/**
 * What becomes of each component. One that comes compiled is taken so where all that it builds on is: the others may
 * not be those that it was compiled against.
 */
export function compileComponents(
  session: Session,
  components: readonly ComponentSource[],
): CompiledMembers<ReadyComponent> | CompileFault {
  const isReady = new Set<string>();
  return compileSet(components, (source, dependencies, used) => {
    const ready = source.dependencies.every((id) => isReady.has(id)) ? readReady(source) : null;
    const isFree = ready !== null && !ready.component.namespaces.some(({ name }) => used.has(name));
    if (isFree) isReady.add(source.id);
    const made = isFree ? attachReady(session, ready) : compileOne(session, source, dependencies, used);
    if ('fault' in made) return made;
    return {
      value: made,
      namespaces: made.component.namespaces.flatMap(({ name }) => session.namespaces.get(name) ?? []),
    };
  });
}

function attachReady(session: Session, ready: ReadyComponent): ReadyComponent {
  for (const form of initialisers(session, ready.component)) form();
  attach(session, ready.component);
  return ready;
}

/** The text of a bundle; null where the isolate has no room for it. */
function writtenBundle(bundle: Bundle): string | null {
  try {
    return writeBundle(bundle);
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

function compileOne(
  session: Session,
  source: ComponentSource,
  dependencies: ReadonlyMap<string, ForeignNamespace>,
  used: ReadonlySet<string>,
): ReadyComponent | ComponentRefusal {
  let at: { readonly start: number; readonly end: number } | null = null;
  try {
    const compiled = compileComponent(source, dependencies, session.builtins);
    for (const section of compiled.sections) {
      if (used.has(section.name))
        throw new CompileFailure('invalid_namespace', `Namespace ${section.name} is declared twice`, section.node);
    }
    const forms = initialisers(session, compiled);
    forms.forEach((form, index) => {
      at = compiled.forms[index] ?? null;
      form();
    });
    checkValues(session, compiled);
    const component = bundled(source, compiled);
    attach(session, component);
    return { component, definitions: compiled.definitions.map(withoutSyntax) };
  } catch (thrown) {
    const fault = faultOf(thrown, source, at);
    const faults =
      thrown instanceof CompileFailure ? allFaults(thrown, source, dependencies, session.builtins) : [fault];
    return { fault, faults };
  }
}

/** Values of initialisers: no state, and of the declared type. */
function checkValues(session: Session, compiled: CompiledComponent): void {
  for (const { namespace, name, node, metadata } of compiled.definitions) {
    const { value } = variableOf(session, namespace, name);
    if (value === UNBOUND) continue;
    const state = retainedState(value);
    if (state !== null)
      throw new CompileFailure('compile_error', `The value of ${namespace}/${name} holds ${state}`, node);
    const type = metadata.type === null ? null : readSignature(metadata.type.text);
    const [error] = type !== null && type.ok ? contractErrors(value, type.signature.result, []) : [];
    if (error !== undefined) {
      throw new CompileFailure(
        'invalid_signature',
        `The value of ${namespace}/${name} is not of its :type: expected ${error.expected}, given ${error.given}`,
        node,
      );
    }
  }
}

function bundled(source: ComponentSource, compiled: CompiledComponent): BundleComponent {
  const definitions = new Map<string, BundleDefinition[]>(compiled.sections.map(({ name }) => [name, []]));
  for (const { namespace, definition, node, metadata } of compiled.definitions) {
    if (definition.kind === 'declared') continue;
    definitions.get(namespace)?.push({
      ...definition,
      source: source.source.slice(node.start, node.end),
      start: node.start,
      signature: canonicalContract(metadata.signature?.text ?? null, signatureText),
      type: canonicalContract(metadata.type?.text ?? null, ({ result }) => typeText(result)),
    });
  }
  const namespaces = compiled.sections.map(({ name, doc }) => ({
    name,
    doc,
    definitions: definitions.get(name) ?? [],
  }));
  return { id: compiled.id, source: source.source, code: compiled.code, places: compiled.places, namespaces };
}

/** The canonical text of a declared contract; it was read before, so it reads. */
function canonicalContract(text: string | null, write: (signature: Signature) => string): string | null {
  const reading = text === null ? null : readSignature(text);
  return reading !== null && reading.ok ? write(reading.signature) : null;
}
