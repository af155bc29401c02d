import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { declaredReadMessage } from '../../contract/diagnostics/messages/documents.ts';
import type { Manifest } from '../documents/manifest/fields.ts';
import type { Bundles } from './bundles.ts';
import type { Occurrence } from './occurrence.ts';

/**
 * An export declared read may not reach a tool that the host installed as writing. Effects of tools that only the
 * acquired provider knows are judged again then (documents.md §13, declared_read_effect_invalid).
 */
export function checkDeclaredReads(
  { missions }: Manifest,
  bundles: Bundles,
  occurrences: readonly Occurrence[],
): Diagnostic | null {
  for (const [name, mission] of missions) {
    const writing = new Set(
      occurrences.filter(({ alias }) => mission.providers.includes(alias)).flatMap((occurrence) => writingTools(occurrence)),
    );
    for (const { ref, effect, requirements } of bundles.missions.get(name)?.exports ?? []) {
      if (effect !== 'read' || !requirements.some((requirement) => writing.has(requirement))) continue;
      return diagnostic('declared_read_effect_invalid', { message: declaredReadMessage(ref, 'write') });
    }
  }
  return null;
}

function writingTools({ installation, selection }: Occurrence): readonly string[] {
  if (installation.source !== 'mcp') return [];
  const { allow } = selection;
  const allowed = Array.isArray(allow) ? allow : [];
  return [...installation.tools.values()]
    .filter((tool) => tool.effect === 'write' && allowed.includes(tool.as))
    .map((tool) => `tool:${tool.as}`);
}
