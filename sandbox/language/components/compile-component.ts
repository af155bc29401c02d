import { PRIVATE_ROUTES_OWNER } from '../../../contract/routes.ts';
import type { ComponentSource } from '../../../contract/sandbox-protocol.ts';
import type { BuiltinTable } from '../../runtime/builtins/table.ts';
import { Analyser } from '../analyser/analyser.ts';
import { analyseNamespaceClauses } from '../analyser/forms/namespaces.ts';
import { Names } from '../analyser/names.ts';
import { refusePrivateTools } from '../analyser/private-tools.ts';
import { rootContext } from '../analyser/scope.ts';
import type { ForeignNamespace, AnalysisContext } from '../analyser/surroundings.ts';
import { CompileFailure } from '../compile-failure.ts';
import { blockName } from '../compile.ts';
import { Block } from '../emitter/block.ts';
import { addForm } from '../emitter/functions.ts';
import { takeMarks } from '../emitter/places.ts';
import { isStringLiteral, type ListNode, type Syntax } from '../syntax.ts';
import type { ComponentDefinition, Marks } from './component-definition.ts';
import { furtherDefinitions } from './further-definitions.ts';
import { exportMetadata } from './metadata.ts';
import { checkConstantType, checkSignature } from './declared-contracts.ts';
import { parseComponent, type Section } from './sections.ts';

export interface CompiledComponent {
  readonly id: string;
  readonly code: string;
  /** Where the calls of the code are in the source (`emitter/places.ts`). */
  readonly places: string;
  readonly sections: readonly Section[];
  /** Forms in the order of the code's form functions. */
  readonly forms: readonly ListNode[];
  readonly definitions: readonly ComponentDefinition[];
}

const DEFINING: ReadonlySet<string> = new Set([
  'def',
  'defonce',
  'defn',
  'defn-',
  'defmulti',
  'defrecord',
  'defprotocol',
]);

/** Compiles one component against the namespaces of its direct dependencies. Throws `CompileFailure`. */
export function compileComponent(
  source: ComponentSource,
  dependencies: ReadonlyMap<string, ForeignNamespace>,
  builtins: BuiltinTable,
): CompiledComponent {
  const { sections } = parseComponent(source);
  const analysisContext: AnalysisContext = {
    kind: 'component',
    builtins,
    namespaces: dependencies,
    tools: null,
    definitions: new Map(),
    current: sections[0]?.name ?? '',
  };
  const names = new Names(analysisContext);
  const analyser = new Analyser(source.source, analysisContext, names);
  const block = new Block(`${source.id}@${blockName(source.source)}`, true);
  const forms: ListNode[] = [];
  const definitions: ComponentDefinition[] = [];
  const defined = new Map<string, ListNode>();
  const seen = new Set<string>();
  for (const section of sections) {
    if (seen.has(section.name))
      throw new CompileFailure('invalid_namespace', `Namespace ${section.name} is declared twice`, section.node);
    seen.add(section.name);
    names.enterNamespace(section.name);
    analyseNamespaceClauses(analyser, section.clauses);
    for (const form of section.forms) {
      const marks = { tools: names.tools.length, references: names.references.length };
      analyser.locals.restart();
      addForm(block, analyser.analyse(form, rootContext()));
      forms.push(form);
      for (const made of [
        ...definitionsOf(analyser, section, form, marks),
        ...furtherDefinitions(analyser, section, form, marks),
      ]) {
        refuseDuplicate(defined, made);
        definitions.push(made);
      }
    }
  }
  if (source.id !== PRIVATE_ROUTES_OWNER) refusePrivateTools(names.tools);
  const unbound = names.unboundFault();
  if (unbound !== null) throw unbound;
  return { id: source.id, ...takeMarks(block.text()), sections, forms, definitions };
}

function refuseDuplicate(defined: Map<string, ListNode>, made: ComponentDefinition): void {
  const reference = `${made.namespace}/${made.name}`;
  if (made.definition.kind === 'declared') return;
  if (defined.has(reference)) {
    throw new CompileFailure('duplicate_ref', `${reference} is defined twice`, made.node, {
      duplicate_namespace: made.namespace,
      duplicate_name: made.name,
    });
  }
  defined.set(reference, made.node);
}

function definitionsOf(
  analyser: Analyser,
  section: Section,
  form: ListNode,
  marks: Marks,
): readonly ComponentDefinition[] {
  const [head, name] = form.items;
  if (head?.kind !== 'symbol' || name?.kind !== 'symbol') return [];
  const { names } = analyser;
  const tools = names.tools.slice(marks.tools).map((use) => use.name);
  const references = names.references.slice(marks.references);
  const method = head.name === 'defmethod';
  const definition = names.ownDefinition(name.name);
  if ((!DEFINING.has(head.name) && !method) || definition === null) return [];
  refuseInitialiserReferences(head.name, names, references);
  const attributes = attributeMaps(form);
  const literal = head.name.startsWith('defn') || head.name === 'defmulti' ? attributes : [];
  const metadata = method ? exportMetadata([]) : exportMetadata([...name.metadata, ...literal]);
  const docNode = form.items[2];
  const documented = isStringLiteral(docNode) && form.items.length > 3;
  if (!method) {
    checkSignature(definition, metadata);
    checkConstantType(definition, metadata);
  }
  const made: ComponentDefinition = {
    namespace: section.name,
    name: name.name,
    node: form,
    // A method adds to what its multimethod reaches, but defines nothing itself.
    definition: method ? { ...definition, kind: 'declared' } : definition,
    metadata,
    visibility: metadata.visibility ?? section.visibility,
    doc: documented ? docNode.value : metadata.doc,
    tools,
    references: references.map(({ variable }) => `${variable.namespace}/${variable.name}`),
  };
  return [made];
}

/** Maps between the name of a definition and its first other part than a docstring. */
function attributeMaps(form: ListNode): Syntax[] {
  const parts = form.items.slice(2);
  const end = parts.findIndex((item) => item.kind !== 'map' && !isStringLiteral(item));
  return parts.slice(0, end < 0 ? parts.length : end).filter((item) => item.kind === 'map');
}

/** Initialisers run while the bundle is compiled, so they must not depend on other components (language.md §13). */
function refuseInitialiserReferences(form: string, names: Names, references: Names['references']): void {
  if (form !== 'def' && form !== 'defonce') return;
  for (const { variable, node } of references) {
    if (names.isOwnNamespace(variable.namespace)) continue;
    throw new CompileFailure(
      'dep_ref_in_def',
      `The value of a def cannot use ${variable.namespace}/${variable.name}, which is of a dependency`,
      node,
    );
  }
}
