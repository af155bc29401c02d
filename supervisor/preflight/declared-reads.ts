import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { declaredReadMessage } from '../../contract/diagnostics/messages/documents.ts';
import type { ExportFact } from '../../contract/sandbox-protocol.ts';
import type { Manifest } from '../documents/manifest/fields.ts';
import type { Bundles } from './bundles.ts';
import type { Occurrence } from './occurrence.ts';

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
      const granted = occurrences.filter(({ alias, destination }) => destination === 'mission' && mission.providers.includes(alias));
      return [name, new Set(granted.flatMap(writingTools))] as const;
    }),
  );
  // Which mission a program is sent to is decided at run time: its route counts as the worst of them.
  const missionsWrite = [...writing.values()].some(({ size }) => size > 0);
  const own = occurrences.filter(({ destination }) => destination === 'workflow').flatMap(writingTools);
  const workflow = firstBroken(bundles.workflow?.exports ?? [], new Set([...own, ...(missionsWrite ? ['tool:kernel-eval'] : [])]));
  if (workflow !== null) return workflow;
  for (const [name, tools] of writing) {
    const broken = firstBroken(bundles.missions.get(name)?.exports ?? [], tools);
    if (broken !== null) return broken;
  }
  return null;
}

function firstBroken(exports: readonly ExportFact[], writing: ReadonlySet<string>): Diagnostic | null {
  for (const { ref, declared_effect: declared, effect, requirements } of exports) {
    if (declared !== 'read') continue;
    const reached = requirements.some((requirement) => writing.has(requirement)) ? 'write' : effect;
    if (reached !== 'read') return diagnostic('declared_read_effect_invalid', { message: declaredReadMessage(ref, reached) });
  }
  return null;
}

function writingTools({ installation, selection }: Occurrence): readonly string[] {
  if (installation.source === 'custom') {
    return [...installation.capabilities.values()].filter(({ effect }) => effect === 'write').map(({ name }) => `tool:${name}`);
  }
  if (installation.source !== 'mcp') return [];
  const { allow } = selection;
  const allowed = Array.isArray(allow) ? allow : [];
  return [...installation.tools.values()]
    .filter((tool) => tool.effect === 'write' && allowed.includes(tool.as))
    .map((tool) => `tool:${tool.as}`);
}
