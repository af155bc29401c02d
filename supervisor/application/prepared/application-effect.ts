import { worstEffect, type Effect } from '../../../contract/effect.ts';
import { requiredTools } from '../../../contract/requirement.ts';
import { ROUTES } from '../../../contract/routes.ts';
import type { Application } from '../preflight/application.ts';

const MISSION_ROUTES: ReadonlySet<string> = new Set(
  ROUTES.filter(({ effect }) => effect === 'missions').map(({ name }) => name),
);
const ROUTE_NAMES: ReadonlySet<string> = new Set(ROUTES.map(({ name }) => name));

/**
 * What a run of an application may do to the world, as far as that is known before anything is acquired (language.md
 * §13).
 */
export function applicationEffect({ bundles, manifest, providers }: Application): Effect {
  const entry = bundles.workflow?.exports.find(({ ref }) => ref === manifest.workflow.entry);
  if (entry === undefined) throw new Error('an entry was found in the bundle of the workflow');
  // Proven when it was loaded, and proven again when its providers are acquired.
  if (entry.declared_effect === 'read') return 'read';
  const offered = (destination: 'workflow' | 'mission'): Map<string, Effect> =>
    new Map(
      providers[destination].flatMap(({ provider, selection, alias }) =>
        provider.offers(selection, alias).map(({ name, effect }) => [name, effect] as const),
      ),
    );
  const tools = requiredTools(entry);
  const own = offered('workflow');
  const called = tools.filter((name) => !ROUTE_NAMES.has(name)).map((name) => own.get(name) ?? 'unknown');
  const missions = tools.some((name) => MISSION_ROUTES.has(name))
    ? missionEffects([...offered('mission').values()], providers.mission.length)
    : [];
  // One that declares nothing and calls nothing changes nothing.
  return worstEffect([...called, ...missions, ...(entry.effect === 'write' ? ['write' as const] : [])]) ?? 'read';
}

/**
 * Which of its capabilities a mission's program calls is decided while it runs; a provider that offers nothing yet may
 * offer anything.
 */
function missionEffects(offers: readonly Effect[], selected: number): readonly Effect[] {
  return selected > 0 && offers.length === 0 ? ['unknown'] : offers;
}
