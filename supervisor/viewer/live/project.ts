import type { JsonObject } from '../../../contract/json/value.ts';
import { LIMITS, type LimitName, type LimitRow } from '../../../contract/limits/catalogue.ts';
import type { Showing, ShownProjectFacts } from '../../../contract/viewer-answers.ts';
import { members } from '../../history/analysis/members.ts';
import type { ApplicationDocuments } from '../../documents/application.ts';
import type { Component } from '../../documents/components/read.ts';

type ShownEnvironment = NonNullable<ShownProjectFacts['environments']>[number];
type ShownLimit = NonNullable<ShownProjectFacts['limits']>[number];

/**
 * What the page shows of the application before it runs: names, limits, and the input unless it is kept from the page
 * (evidence.md §11).
 */
export function applicationFacts(
  { manifest, environments, input, limits }: ApplicationDocuments,
  { manifestName, showsInput }: { readonly manifestName: string; readonly showsInput: boolean },
): JsonObject {
  const workflow = members({
    name: 'workflow',
    kind: 'workflow',
    components: componentIds(environments.workflow),
    providers: manifest.providers.workflow.map(({ name }) => name),
  } satisfies Showing<ShownEnvironment>);
  const missions = [...manifest.missions].map(([name, { providers }]) =>
    members({ name, kind: 'mission', components: componentIds(environments.missions.get(name) ?? []), providers }),
  );
  const rows: readonly LimitRow<LimitName>[] = LIMITS;
  return members({
    manifest: manifestName,
    entry: manifest.workflow.entry,
    input: showsInput ? input.value : null,
    environments: [workflow, ...missions],
    limits: rows.map(({ name, unit, default: initial }) =>
      members({
        name,
        unit,
        effective: limits.values[name],
        default: initial,
        ceiling: limits.ceilings[name],
      } satisfies Showing<ShownLimit>),
    ),
  } satisfies Showing<Pick<ShownProjectFacts, 'entry' | 'input' | 'environments' | 'limits'>>);
}

function componentIds(components: readonly Component[]): readonly string[] {
  return components.map(({ id }) => id);
}
