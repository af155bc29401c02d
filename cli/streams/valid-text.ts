import type { ValidateResult } from '../../contract/envelope/results.ts';
import { visibleText } from '../../contract/visible-text.ts';
import { styled, type Styling } from './styling.ts';

/** That an application is valid, and its digests on a line each, for a terminal (first-day.md §1). */
export function validText(result: ValidateResult, styling: Styling): string {
  const digests: readonly (readonly [name: string, digest: string | null])[] = [
    ['application', result.application_content_digest],
    ['effective application', result.effective_application_digest],
    ['workflow', result.workflow_bundle_hash],
    ...Object.entries(result.mission_bundle_hashes).map(([name, hash]) => [`mission ${name}`, hash] as const),
    ...Object.entries(result.installation_config_digests).map(
      ([name, hash]) => [`installation ${name}`, hash] as const,
    ),
  ];
  const width = Math.max(...digests.map(([name]) => name.length));
  const lines = digests.map(([name, digest]) => `  ${visibleText(name).padEnd(width)}  ${digest ?? 'no components'}`);
  return `${[styled('valid', 'bold', styling), ...lines].join('\n')}\n`;
}
