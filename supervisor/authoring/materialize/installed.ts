import { success, type Outcome } from '../../../contract/outcome.ts';
import { loadApplicationDocuments, type ApplicationDocuments } from '../../documents/application.ts';
import type { ComponentSets } from '../../documents/components/environments.ts';
import type { Component } from '../../documents/components/read.ts';
import { sourceNames } from '../../documents/components/source-name.ts';
import type { LoadedHost } from '../../documents/host/load.ts';
import { loadTarget, type Target } from '../../documents/project/load.ts';
import { compileBundles, type Bundle, type Bundles } from '../../application/preflight/bundles.ts';
import { refusedDocuments, type MaterializeTools, type TargetComponent, type MaterializeStep } from './request.ts';

/** What the command names. */
export interface Named {
  readonly target: Target;
  readonly host: LoadedHost | null;
}

/** The same, read and compiled. */
export interface Compiled {
  readonly documents: ApplicationDocuments;
  readonly bundles: Bundles;
}

/** Names that a person is told of one kind. */
export const MOST_NAMES = 8;

export async function loadNames(tools: MaterializeTools): Promise<MaterializeStep<Named>> {
  const { reader, document, loadHost } = tools;
  const target = await loadTarget(reader, document);
  if (!target.ok) return refusedDocuments(tools, target, target);
  const host = await loadHost(target.value);
  return host.ok
    ? { ok: true, value: { target: target.value, host: host.value } }
    : refusedDocuments(tools, target, host);
}

/**
 * `override`: a descriptor whose candidate stands in the place of its component; null for the application as it is
 * installed.
 */
export async function loadCompiled(
  tools: MaterializeTools,
  { target, host }: Named,
  override: string | null,
): Promise<Outcome<Compiled>> {
  const { reader, workingDirectory, libraries, now, sandbox, bundles: store, trustDomain, signal } = tools;
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
    store: await store(),
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
export function componentOf(meant: TargetComponent, environments: ComponentSets): Component | null {
  return environmentOf(meant, environments).find(({ id }) => id === meant.component) ?? null;
}

/** Which there are, for people. */
export function componentHint(meant: TargetComponent, environments: ComponentSets): string {
  const ids = environmentOf(meant, environments).map(({ id }) => id);
  return ids.length === 0
    ? 'there are no components there'
    : `components there: ${ids.slice(0, MOST_NAMES).join(', ')}${ids.length > MOST_NAMES ? ', …' : ''}`;
}

/** Null where there is no such environment. */
export function bundleOf({ mission }: TargetComponent, { workflow, missions }: Bundles): Bundle | null {
  return mission === null ? workflow : (missions.get(mission) ?? null);
}
