import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { declaredReadMessage } from '../../../contract/diagnostics/messages/documents.ts';
import { requiredTools } from '../../../contract/requirement.ts';
import { ROUTES } from '../../../contract/routes.ts';
import type { ExportFact } from '../../../contract/sandbox-protocol.ts';
import type { Manifest } from '../../documents/manifest/fields.ts';
import type { Occurrence } from '../../providers/source/installed-provider.ts';
import type { Bundles } from './bundles.ts';

/** Which mission a program is sent to is decided at run time: these count as the worst of them. */
const MISSION_ROUTES: readonly string[] = ROUTES.filter(({ effect }) => effect === 'missions').map(({ name }) => name);

/**
 * An export declared read may reach neither code that declares more nor a tool that the host installed as writing.
 * Effects that only an acquired provider knows are judged again then (documents.md §13, declared_read_effect_invalid).
 */
export function checkDeclaredReads(
  { missions }: Manifest,
  bundles: Bundles,
  occurrences: readonly Occurrence[],
): Diagnostic | null {
  const writing = new Map(
    [...missions].map(([name, mission]) => {
      const granted = occurrences.filter(
        ({ alias, destination }) => destination === 'mission' && mission.providers.includes(alias),
      );
      return [name, new Set(granted.flatMap(writingTools))] as const;
    }),
  );
  const missionsWrite = [...writing.values()].some(({ size }) => size > 0);
  const own = occurrences.filter(({ destination }) => destination === 'workflow').flatMap(writingTools);
  const workflow = firstBroken(
    bundles.workflow?.exports ?? [],
    new Set([...own, ...(missionsWrite ? MISSION_ROUTES : [])]),
  );
  if (workflow !== null) return workflow;
  for (const [name, tools] of writing) {
    const broken = firstBroken(bundles.missions.get(name)?.exports ?? [], tools);
    if (broken !== null) return broken;
  }
  return null;
}

function firstBroken(exports: readonly ExportFact[], writing: ReadonlySet<string>): Diagnostic | null {
  for (const fact of exports) {
    const { ref, declared_effect: declared, effect } = fact;
    if (declared !== 'read') continue;
    const reached = requiredTools(fact).some((name) => writing.has(name)) ? 'write' : effect;
    if (reached !== 'read')
      return diagnostic('declared_read_effect_invalid', { message: declaredReadMessage(ref, reached) });
  }
  return null;
}

function writingTools({ provider, selection, alias }: Occurrence): readonly string[] {
  return provider
    .offers(selection, alias)
    .filter(({ effect }) => effect === 'write')
    .map(({ name }) => name);
}
