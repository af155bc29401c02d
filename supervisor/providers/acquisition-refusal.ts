import { diagnostic, providerSubject, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { providerToolMissingMessage } from '../../contract/diagnostics/messages/execution.ts';
import type { Secret } from '../../contract/provider-protocol/credentials.ts';
import type { ProviderWords } from '../../contract/provider-protocol/provider-words.ts';
import { scrubbedWords } from '../../contract/provider-protocol/scrubbed-words.ts';
import { Scrubber, secretTexts } from '../../contract/provider-protocol/scrubber.ts';
import type { AcquisitionRefusal } from '../../contract/provider-protocol/session.ts';
import type { Occurrence } from './source/installed-provider.ts';

/**
 * Codes of an attempt that may have reached nobody: their activity goes by evidence, their subject is not the
 * acquisition.
 */
const BY_EVIDENCE = {
  authorization_required: 'authorization',
  authorization_unavailable: 'authorization',
  environment_unavailable: 'local',
} as const;

/** What people read about it; null for nothing. No credential of the command is in it. */
export function wordsOfRefusal(
  { alias }: Occurrence,
  { words }: AcquisitionRefusal,
  secrets: Iterable<Secret>,
): ProviderWords | null {
  if (words === undefined) return null;
  const scrubber = new Scrubber([...secrets].flatMap((secret) => secretTexts(secret.reveal())));
  return { alias, ...scrubbedWords(words, scrubber) };
}

/**
 * The diagnostic of a provider that was not acquired (providers.md §3, table B); `wasActive`: another was reached
 * before.
 */
export function acquisitionDiagnostic(
  { alias, destination, index }: Occurrence,
  { code, tool, hasActivity }: AcquisitionRefusal,
  wasActive: boolean,
): Diagnostic {
  const occurrence = { destination, index };
  if (code === 'authorization_required' || code === 'authorization_unavailable' || code === 'environment_unavailable') {
    return diagnostic(code, {
      subject: providerSubject(alias, BY_EVIDENCE[code], occurrence),
      providerActivity: hasActivity || wasActive,
    });
  }
  const subject = providerSubject(alias, 'acquisition', occurrence);
  return diagnostic(code, {
    subject,
    providerActivity: true,
    ...(code === 'provider_tool_missing' && tool !== null ? { message: providerToolMissingMessage(tool) } : {}),
  });
}
