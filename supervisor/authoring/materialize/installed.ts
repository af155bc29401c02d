import { didYouMean } from '../../../contract/names/suggestion.ts';
import { success, type Outcome } from '../../../contract/outcome.ts';
import { loadApplicationDocuments } from '../../documents/application.ts';
import type { ComponentSets } from '../../documents/components/environments.ts';
import type { Component } from '../../documents/components/read.ts';
import { sourceNames } from '../../documents/components/source-name.ts';
import type { Target } from '../../documents/project/load.ts';
import { NO_BUNDLE_STORE } from '../../application/preflight/bundle-store.ts';
import { compileBundles, type Bundle, type Bundles } from '../../application/preflight/bundles.ts';
import type { CompiledApplication } from '../../application/preflight/explained.ts';
import { loadNamedComponents, loadNamedPrograms } from '../../run/named-documents.ts';
import { loadNamedTarget } from '../../documents/project/named.ts';
import type { MaterializeTools, TargetComponent } from './request.ts';

/** Names of one kind that a person is shown. */
export const MOST_NAMES = 8;

/** No command of this kind has an input of its own, or runs anything. */
const FACTS = { input: null, identityFixed: false, inspectionCapture: false } as const;

export async function loadMaterializeTarget(tools: MaterializeTools): Promise<Outcome<Target>> {
  return loadNamedTarget(tools.options, tools.reader);
}

/** The application as it is installed. */
export async function loadInstalled(
  { options, reader }: MaterializeTools,
  target: Target,
): Promise<Outcome<CompiledApplication>> {
  return loadNamedPrograms(options, reader, target, { ...FACTS, explainsPrograms: true });
}

/** Its components alone, whatever else is wrong with it. */
export async function loadInstalledComponents(
  { options, reader }: MaterializeTools,
  target: Target,
): Promise<Outcome<ComponentSets>> {
  return loadNamedComponents(options, reader, target, { ...FACTS, input: { later: true, dataClass: 'normal' } });
}

/** The same with the candidate of a descriptor in the place of its component. */
export async function loadReplaced(
  { options, reader }: MaterializeTools,
  target: Target,
  { host }: CompiledApplication,
  override: string,
): Promise<Outcome<Pick<CompiledApplication, 'documents' | 'bundles'>>> {
  const { workingDirectory, libraries, clock, sandbox, bundles: store, trustDomain, signal } = options;
  const now = (): number => clock.monotonic();
  const documents = await loadApplicationDocuments({
    reader,
    workingDirectory,
    manifest: target.manifest,
    host,
    libraries,
    input: null,
    override,
    identityFixed: false,
    now,
  });
  if (!documents.ok) return documents;
  const { environments, directory } = documents.value;
  const bundles = await compileBundles({
    ...environments,
    now,
    libraries,
    sandbox: await sandbox(),
    store: (await store?.()) ?? NO_BUNDLE_STORE,
    trustDomain,
    nameSource: sourceNames(directory, workingDirectory),
    signal,
  });
  return bundles.ok ? success({ documents: documents.value, bundles: bundles.value }) : bundles;
}

function environmentOf({ mission }: TargetComponent, { workflow, missions }: ComponentSets): readonly Component[] {
  return mission === null ? workflow : (missions.get(mission) ?? []);
}

/** Null where there is none of that name. */
export function componentOf(targetComponent: TargetComponent, environments: ComponentSets): Component | null {
  return environmentOf(targetComponent, environments).find(({ id }) => id === targetComponent.component) ?? null;
}

/** The one that may have been meant, else which there are, for people. */
export function componentHint({ mission, component }: TargetComponent, { workflow, missions }: ComponentSets): string {
  const names = [...missions.keys()];
  if (mission !== null && !missions.has(mission))
    return didYouMean(mission, names) ?? `missions there: ${listedSome(names)}`;
  const ids = (mission === null ? workflow : (missions.get(mission) ?? [])).map(({ id }) => id);
  if (ids.length === 0) return 'there are no components there';
  return didYouMean(component, ids) ?? `components there: ${listedSome(ids)}`;
}

function listedSome(names: readonly string[]): string {
  return names.length === 0
    ? 'none'
    : `${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`;
}

/** Null where there is no such environment. */
export function bundleOf({ mission }: TargetComponent, { workflow, missions }: Bundles): Bundle | null {
  return mission === null ? workflow : (missions.get(mission) ?? null);
}
