import type {
  CompileFault,
  CompileReply,
  CompileRequest,
  ComponentSource,
} from '../../../contract/sandbox-protocol.ts';
import { FailSignal, fromHostError, LimitSignal, LispError, ReturnSignal } from '../../runtime/errors.ts';
import type { ForeignNamespace } from '../analyser/surroundings.ts';
import { CompileFailure } from '../compile-failure.ts';
import { newSession } from '../link/new-session.ts';
import { variableOf, type Session } from '../link/session.ts';
import { UNBOUND } from '../../runtime/values/var.ts';
import { byteSpan, positionsOf } from '../reader/positions.ts';
import type { Bundle, BundleComponent, BundleDefinition } from '../bundle.ts';
import { writeBundle } from './bundle-text.ts';
import { compileComponent, type CompiledComponent } from './compile-component.ts';
import type { ComponentDefinition } from './component-definition.ts';
import { contractErrors } from './contract-check.ts';
import { independentFaults } from './independent-faults.ts';
import { exportFacts, withoutSyntax, type ExportedDefinition } from './exports.ts';
import { attach, initialisers } from './load-bundle.ts';
import { compilationOrder } from './order.ts';
import { retainedState } from './retained-state.ts';
import { SetFault } from './set-fault.ts';
import { readSignature, signatureText, typeText, type Signature } from './signature.ts';

/** Bytes of compiled text that a bundle may have (language.md §13). */
const MAXIMUM_ARTIFACT = 4_000_000;
/** Faults that a refusal tells, and units of a source that is searched for them. */
const MAXIMUM_FAULTS = 64;
const MAXIMUM_SEARCHED = 262_144;

/** Compiles a closed set of components and runs their initialisers once, without tools. */
export function compileBundle(request: CompileRequest): CompileReply {
  const session = newSession();
  session.environment = request.environment;
  const compiled: BundleComponent[] = [];
  const refusals: Refusal[] = [];
  const broken = new Set<string>();
  const definitions: ExportedDefinition[] = [];
  const namespaces = new Map<string, { readonly component: string; readonly namespace: ForeignNamespace }>();
  try {
    for (const source of compilationOrder(request.components)) {
      // What uses a component that has faults may only have theirs.
      const isBroken = source.dependencies.some((id) => broken.has(id));
      const made = isBroken
        ? null
        : compileOne(session, source, visibleTo(source, namespaces), new Set(namespaces.keys()));
      if (made === null || 'fault' in made) {
        broken.add(source.id);
        if (made !== null) refusals.push(made);
        continue;
      }
      for (const definition of made.definitions) definitions.push(withoutSyntax(definition));
      compiled.push(made.component);
      for (const { name } of made.component.namespaces) {
        const loaded = session.namespaces.get(name);
        if (loaded !== undefined) namespaces.set(name, { component: source.id, namespace: loaded });
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof SetFault)) throw thrown;
    const { reason, message, component } = thrown;
    return { status: 'refused', fault: { reason, message, component, span: null, details: {} } };
  }
  const [first] = refusals;
  if (first !== undefined)
    return {
      status: 'refused',
      fault: first.fault,
      faults: refusals.flatMap(({ faults }) => faults).slice(0, MAXIMUM_FAULTS),
    };
  const exports = exportFacts(session, definitions);
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

/** The text of a bundle; null where the isolate has no room for it. */
function writtenBundle(bundle: Bundle): string | null {
  try {
    return writeBundle(bundle);
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** Namespaces that a component may name: those of its direct dependencies. */
function visibleTo(
  source: ComponentSource,
  namespaces: ReadonlyMap<string, { readonly component: string; readonly namespace: ForeignNamespace }>,
): Map<string, ForeignNamespace> {
  const visible = new Map<string, ForeignNamespace>();
  for (const [name, { component, namespace }] of namespaces)
    if (source.dependencies.includes(component)) visible.set(name, namespace);
  return visible;
}

interface CompiledOne {
  readonly component: BundleComponent;
  readonly definitions: readonly ComponentDefinition[];
}

interface Refusal {
  readonly fault: CompileFault;
  /** All of the component, the one above among them. */
  readonly faults: readonly CompileFault[];
}

function compileOne(
  session: Session,
  source: ComponentSource,
  dependencies: ReadonlyMap<string, ForeignNamespace>,
  taken: ReadonlySet<string>,
): CompiledOne | Refusal {
  let at: { readonly start: number; readonly end: number } | null = null;
  try {
    const compiled = compileComponent(source, dependencies, session.builtins);
    for (const section of compiled.sections) {
      if (taken.has(section.name))
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
    return { component, definitions: compiled.definitions };
  } catch (thrown) {
    const fault = faultOf(thrown, source, at);
    const faults = thrown instanceof CompileFailure ? allFaults(thrown, source, dependencies, session) : [fault];
    return { fault, faults };
  }
}

/**
 * What else can be known to be wrong; the refusal alone of a long source, or of one that is nested too deeply to be
 * looked through.
 */
function allFaults(
  refusal: CompileFailure,
  source: ComponentSource,
  dependencies: ReadonlyMap<string, ForeignNamespace>,
  { builtins }: Session,
): readonly CompileFault[] {
  if (source.source.length > MAXIMUM_SEARCHED) return [faultOf(refusal, source, null)];
  try {
    return independentFaults(source, refusal, dependencies, builtins).map((failure) => faultOf(failure, source, null));
  } catch (thrown) {
    if (thrown instanceof RangeError) return [faultOf(refusal, source, null)];
    throw thrown;
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

function faultOf(
  thrown: unknown,
  source: ComponentSource,
  at: { readonly start: number; readonly end: number } | null,
): CompileFault {
  const positions = positionsOf(source.source);
  const spanOf = (place: { readonly start: number; readonly end: number } | null): CompileFault['span'] =>
    place === null ? null : byteSpan(positions, place.start, place.end);
  const fault = (reason: string, message: string): CompileFault => ({
    reason,
    message,
    component: source.id,
    span: spanOf(at),
    details: {},
  });
  if (thrown instanceof CompileFailure) {
    return {
      reason: thrown.reason,
      message: thrown.message,
      component: source.id,
      span: spanOf(thrown.place),
      details: thrown.details,
    };
  }
  const cause = fromHostError(thrown);
  if (cause instanceof LimitSignal)
    return fault(cause.kind === 'memory_exceeded' ? 'compile_memory_exceeded' : cause.kind, cause.message);
  if (cause instanceof LispError)
    return fault('compile_error', `An initialiser failed: ${cause.message ?? cause.className}`);
  if (cause instanceof ReturnSignal || cause instanceof FailSignal)
    return fault('compile_error', 'An initialiser cannot return or fail');
  throw thrown;
}
