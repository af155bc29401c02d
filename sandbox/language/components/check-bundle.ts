import type { CompileReply, CompileRequest, ComponentSource } from '../../../contract/sandbox-protocol.ts';
import type { BuiltinTable } from '../../runtime/builtins/table.ts';
import type { ForeignNamespace } from '../analyser/surroundings.ts';
import { CompileFailure } from '../compile-failure.ts';
import { newSession } from '../link/new-session.ts';
import type { ListNode } from '../syntax.ts';
import { compileComponent } from './compile-component.ts';
import { allFaults, compileSet, faultOf, faultsOf, type ComponentRefusal } from './compile-set.ts';
import { exportFacts, withoutSyntax, type ExportedDefinition } from './exports.ts';

/** What is kept of a component that was compiled: no syntax and no code. */
interface CheckedComponent {
  readonly id: string;
  readonly namespaces: readonly { readonly name: string; readonly doc: string | null }[];
  readonly definitions: readonly CheckedDefinition[];
  readonly foreign: readonly ForeignNamespace[];
}

/** What came of a text with what it depends on. */
interface CachedCheck {
  readonly source: string;
  /** Numbers of the namespaces that it was compiled with. */
  readonly dependencies: string;
  readonly made: CheckedComponent | ComponentRefusal;
}

interface CheckedDefinition extends ExportedDefinition {
  /** Whether its value is plainly no function. */
  readonly isPlainValue: boolean;
}

/** Components that are kept; those of one application and its libraries are fewer. */
const STORED = 512;
/** Texts that are kept of one name: several applications may have components of it, and each key makes a text. */
const STORED_OF_NAME = 3;

/**
 * Compiles sets of components as `compileBundle` does, and runs none of them: what initialisers do is not looked at. A
 * component is compiled again only when its text changed, or what it depends on.
 */
export class BundleChecker {
  readonly #builtins: BuiltinTable = newSession().builtins;
  readonly #checked = new Map<string, readonly CachedCheck[]>();
  #numbers = new WeakMap<ForeignNamespace, number>();
  #last = 0;

  /** The reply that a guest would give, without code. */
  check({ components }: Pick<CompileRequest, 'components'>): CompileReply {
    const set = compileSet(components, (source, dependencies, used) => {
      const made = this.#component(source, dependencies);
      if ('fault' in made) return made;
      const twice = made.namespaces.find(({ name }) => used.has(name));
      return twice === undefined
        ? { value: made, namespaces: made.foreign }
        : refusal(new CompileFailure('invalid_namespace', `Namespace ${twice.name} is declared twice`, null), source);
    });
    if ('reason' in set) return { status: 'refused', fault: set };
    const [first] = set.refusals;
    if (first !== undefined) return { status: 'refused', fault: first.fault, faults: faultsOf(set.refusals) };
    const definitions = set.compiled.flatMap((one) => one.definitions);
    const plain = new Set<ExportedDefinition>(definitions.filter(({ isPlainValue }) => isPlainValue));
    return {
      status: 'compiled',
      code: '',
      exports: exportFacts(definitions, (definition) => !plain.has(definition)),
      namespaces: set.compiled.flatMap(({ id, namespaces }) =>
        namespaces.map(({ name, doc }) => ({ name, component: id, doc })),
      ),
    };
  }

  #component(
    source: ComponentSource,
    dependencies: ReadonlyMap<string, ForeignNamespace>,
  ): CheckedComponent | ComponentRefusal {
    const { id, source: text } = source;
    const known = [...dependencies.values()].map((namespace) => this.#numbers.get(namespace) ?? 0).join(' ');
    const others = this.#checked.get(id) ?? [];
    const cachedCheck = others.find((one) => one.dependencies === known && one.source === text);
    const made = cachedCheck?.made ?? compiled(source, dependencies, this.#builtins);
    // What is used last is given up last.
    this.#checked.delete(id);
    const newest = cachedCheck ?? { source: text, dependencies: known, made };
    this.#checked.set(id, [newest, ...others.filter((one) => one !== cachedCheck)].slice(0, STORED_OF_NAME));
    if (cachedCheck === undefined && !('fault' in made))
      for (const namespace of made.foreign) {
        this.#last += 1;
        this.#numbers.set(namespace, this.#last);
      }
    for (const [oldest] of this.#checked) {
      if (this.#checked.size <= STORED) break;
      this.#checked.delete(oldest);
    }
    return made;
  }
}

function compiled(
  source: ComponentSource,
  dependencies: ReadonlyMap<string, ForeignNamespace>,
  builtins: BuiltinTable,
): CheckedComponent | ComponentRefusal {
  try {
    const { sections, definitions } = compileComponent(source, dependencies, builtins);
    const own = definitions.filter(({ definition }) => definition.kind !== 'declared');
    return {
      id: source.id,
      namespaces: sections.map(({ name, doc }) => ({ name, doc })),
      definitions: definitions.map((one) => ({ ...withoutSyntax(one), isPlainValue: isPlainValue(one.node) })),
      foreign: sections.map(({ name }) => ({
        name,
        definitions: new Map(
          own.filter(({ namespace }) => namespace === name).map(({ definition }) => [definition.name, definition]),
        ),
      })),
    };
  } catch (thrown) {
    if (thrown instanceof CompileFailure) {
      const fault = faultOf(thrown, source, null);
      return { fault, faults: allFaults(thrown, source, dependencies, builtins) };
    }
    // A stack that ran out was too small for the text.
    if (thrown instanceof RangeError) return refusal(thrown, source);
    throw thrown;
  }
}

function refusal(thrown: unknown, source: ComponentSource): ComponentRefusal {
  const fault = faultOf(thrown, source, null);
  return { fault, faults: [fault] };
}

/** `(def name value)` of a value that is written out. */
function isPlainValue({ items }: ListNode): boolean {
  const [head, , ...parts] = items;
  const value = parts.at(-1);
  if (head?.kind !== 'symbol' || (head.name !== 'def' && head.name !== 'defonce') || value === undefined) return false;
  return ['literal', 'keyword', 'regex', 'vector', 'map', 'set'].includes(value.kind);
}
