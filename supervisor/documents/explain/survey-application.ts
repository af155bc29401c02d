import { diagnostic, logicalSource, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { contractValueMessage } from '../../../contract/diagnostics/messages/documents.ts';
import { bundleRuleMessage } from '../../../contract/diagnostics/messages/programs.ts';
import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { LIMITS } from '../../../contract/limits/catalogue.ts';
import { effectiveLimits, type WrittenLimits } from '../../../contract/limits/effective.ts';
import { insteadOf } from '../../../contract/names/suggestion.ts';
import type { LibraryRegistry } from '../components/libraries.ts';
import { selectComponents, findComponentFaults } from '../components/select.ts';
import type { ValueViolation } from '../contracts/check-value.ts';
import { compileContract } from '../contracts/compile.ts';
import { contractDocumentDiagnostic, contractFaults, type ContractRole } from '../contracts/load.ts';
import type { ContractRoot } from '../contracts/schema.ts';
import { valueFaults } from '../contracts/value-faults.ts';
import { applicationDocumentDiagnostic } from '../diagnostics.ts';
import { freeObject } from '../fields/shape.ts';
import { inputSource } from '../input/choose.ts';
import { configurationFaults, limitFaults } from '../limits/resolve.ts';
import type { LocatedFault } from '../located-fault.ts';
import { declarationFaults } from '../manifest/declarations.ts';
import { MANIFEST, type Manifest, type ManifestComponent } from '../manifest/fields.ts';
import { violationDiagnostic } from '../manifest/load.ts';
import { manifestParts, type ManifestParts } from '../manifest/parts.ts';
import { MAX_BYTES } from '../sizes.ts';
import { examineJson, type ReadText, type ExaminedText } from './surveyed.ts';
import { tableFaults } from './table-faults.ts';

/** What a manifest is held against besides itself. */
export interface ManifestFacts {
  readonly libraries: LibraryRegistry;
  readonly installedLimits: WrittenLimits;
  readonly eventPolicy: 'normal' | 'private' | null;
  /** Whether the command names another input: then the declared one is not opened. */
  readonly isInputReplaced: boolean;
  /** Whether a file that it names can be read. */
  readonly isReadable: (reference: string) => Promise<boolean>;
}

export interface ExaminedManifest {
  readonly text: ExaminedText;
  /** What of it is well formed; null: nothing. */
  readonly parts: ManifestParts | null;
}

/** Everything that is wrong with a manifest by itself, and with what it names (documents.md §12.5 and 6). */
export async function surveyManifest(read: ReadText, facts: ManifestFacts): Promise<ExaminedManifest> {
  let parts: ManifestParts | null = null;
  const text = examineJson(
    read,
    MAX_BYTES.manifest,
    (fault) => applicationDocumentDiagnostic('application', MANIFEST, fault),
    ({ value }) => {
      parts = manifestParts(value);
      return tableFaults(MANIFEST, value, violationDiagnostic).map(withHostLimit);
    },
  );
  return { text: { ...text, faults: [...text.faults, ...(await furtherFaults(parts, facts))] }, parts };
}

async function furtherFaults(parts: ManifestParts | null, facts: ManifestFacts): Promise<readonly LocatedFault[]> {
  return parts === null ? [] : manifestFaults(parts.manifest, facts);
}

/** A limit that is known, but not here. */
function withHostLimit(fault: LocatedFault): LocatedFault {
  const [member, name, below] = fault.at;
  const isHosts =
    fault.member === 'unknown' &&
    member === 'limits' &&
    below === undefined &&
    LIMITS.some((row) => row.name === name && row.scope === 'installed');
  return isHosts
    ? { ...fault, problem: 'only the host document sets this limit', remedy: 'set it in limits of the host document' }
    : fault;
}

async function manifestFaults(manifest: Manifest, facts: ManifestFacts): Promise<readonly LocatedFault[]> {
  const { workflow, missions, limits } = manifest;
  const environments = [
    ['workflow', workflow.components] as const,
    ...[...missions].map(([name, { components }]) => [name, components] as const),
  ];
  const placed = environments.map(([name, components], index) => ({
    at: index === 0 ? ['workflow'] : ['missions', name],
    components,
  }));
  return [
    ...declarationFaults(manifest),
    ...limitFaults(limits, facts.installedLimits),
    ...placed.flatMap(({ at, components }) => [
      ...findComponentFaults(components, facts.libraries, at),
      ...dependencyFaults(components, facts.libraries, at),
    ]),
    ...(await Promise.all(placed.map(async ({ at, components }) => missingSources(components, at, facts)))).flat(),
    ...(await missingContracts(manifest, facts)),
    ...(await missingInput(manifest, facts)),
    ...shortLimits(manifest, facts),
  ];
}

/** A dependency that no component of its environment is (documents.md §3). */
function* dependencyFaults(
  components: readonly ManifestComponent[],
  libraries: LibraryRegistry,
  at: readonly string[],
): Iterable<LocatedFault> {
  const selected = selectComponents(components, libraries);
  if (!selected.ok) return;
  const ids = selected.value.map((choice) => (choice.kind === 'local' ? choice.id : choice.library.id));
  for (const [index, component] of components.entries()) {
    if (!('id' in component)) continue;
    const others = ids.filter((id) => id !== component.id);
    for (const [position, name] of component.dependencies.entries()) {
      if (ids.includes(name)) continue;
      const source = logicalSource('component', component.path);
      yield {
        diagnostic: diagnostic('bundle_invalid', { source, message: bundleRuleMessage('unknown_dependency') }),
        at: [...at, 'components', String(index), 'dependencies', String(position)],
        ...(libraries.has(name)
          ? { remedy: 'list the library among the components of this environment too' }
          : others.length === 0
            ? {}
            : { remedy: insteadOf(name, others) }),
      };
    }
  }
}

async function missingSources(
  components: readonly ManifestComponent[],
  at: readonly string[],
  { isReadable }: ManifestFacts,
): Promise<readonly LocatedFault[]> {
  const faults: LocatedFault[] = [];
  for (const [index, component] of components.entries()) {
    if (!('id' in component) || (await isReadable(component.path))) continue;
    faults.push({
      diagnostic: diagnostic('reference_missing', { source: logicalSource('component', component.path) }),
      at: [...at, 'components', String(index), 'path'],
    });
  }
  return faults;
}

async function missingContracts(manifest: Manifest, { isReadable }: ManifestFacts): Promise<readonly LocatedFault[]> {
  const faults: LocatedFault[] = [];
  for (const { role, path, at } of contractsOf(manifest)) {
    if (!(await isReadable(path)))
      faults.push({
        diagnostic: diagnostic('reference_missing', { source: logicalSource(role, path) }),
        at: [...at, 'path'],
      });
  }
  return faults;
}

async function missingInput(
  { input }: Manifest,
  { isInputReplaced, isReadable }: ManifestFacts,
): Promise<readonly LocatedFault[]> {
  if (isInputReplaced || !('path' in input) || (await isReadable(input.path))) return [];
  const remedy =
    'it is the input that the application declares; correct input.path, which is relative to the manifest, or give --input';
  return [
    { diagnostic: diagnostic('reference_missing', { source: inputSource('declared') }), at: ['input', 'path'], remedy },
  ];
}

function shortLimits(
  { workflow, limits, events }: Manifest,
  { installedLimits, eventPolicy }: ManifestFacts,
): readonly LocatedFault[] {
  const effective = effectiveLimits(limits, installedLimits);
  if (!effective.ok) return [];
  return [
    ...configurationFaults(
      { limits: effective.values, entry: workflow.entry, eventPolicy: eventPolicy ?? events.policy },
      effective.origins,
    ),
  ];
}

export interface NamedContract {
  readonly role: ContractRole;
  readonly path: string;
  /** In the manifest. */
  readonly at: readonly string[];
}

/** The contracts of a manifest in the order in which they are loaded. */
export function contractsOf({ contracts }: Manifest): readonly NamedContract[] {
  const { input_schema: input, result_schema: result, phase_return_schemas: phases } = contracts;
  return [
    ...(input === undefined
      ? []
      : [{ role: 'input_contract' as const, path: input.path, at: ['contracts', 'input_schema'] }]),
    ...(result === undefined
      ? []
      : [{ role: 'result_contract' as const, path: result.path, at: ['contracts', 'result_schema'] }]),
    ...[...phases].map(([name, { path }]) => ({
      role: 'phase_return_contract' as const,
      path,
      at: ['contracts', 'phase_return_schemas', name],
    })),
  ];
}

export interface ExaminedContract {
  readonly text: ExaminedText;
  readonly role: ContractRole;
  /** Null: it is no contract. */
  readonly root: ContractRoot | null;
}

/** Everything that is wrong with a contract file (documents.md §4). */
export function surveyContract(read: ReadText, role: ContractRole): ExaminedContract {
  let root: ContractRoot | null = null;
  const text = examineJson(
    read,
    MAX_BYTES.contract,
    (fault) => contractDocumentDiagnostic(role, logicalSource(role, read.file), fault),
    (document) => {
      const compiled = compileContract(document.value);
      root = compiled.ok ? compiled.schema.root : null;
      return compiled.ok ? [] : contractFaults(role, read.file, document);
    },
  );
  return { text, role, root };
}

/** An inline input against its contract; its faults stand in the manifest. */
export function inlineInputFaults(value: JsonValue, contract: ContractRoot | null): readonly LocatedFault[] {
  if (contract === null || !isJsonObject(value)) return [];
  return valueFaults(contract, value, ['input', 'value'], inputDiagnostic('declared'));
}

/** A file or stream that is the input, by itself and against its contract (documents.md §4). */
export function surveyInput(
  read: ReadText,
  origin: 'declared' | 'external',
  contract: ContractRoot | null,
): ExaminedText {
  const role = origin === 'declared' ? 'application' : 'input';
  return examineJson(
    read,
    MAX_BYTES.input,
    (fault) => applicationDocumentDiagnostic(role, freeObject, fault),
    ({ value }) => {
      if (!isJsonObject(value))
        return [{ diagnostic: diagnostic('input_invalid', { source: inputSource(origin), path: '' }), at: [] }];
      return contract === null ? [] : valueFaults(contract, value, [], inputDiagnostic(origin));
    },
  );
}

function inputDiagnostic(origin: 'declared' | 'external') {
  return ({ rule, facts, path }: ValueViolation): Diagnostic =>
    diagnostic('input_contract_failed', {
      source: inputSource(origin),
      path,
      message: contractValueMessage('input', rule, facts),
    });
}
