import { DETAILS_LENGTH_MAX } from '../../contract/provider-protocol/outcome.ts';
import { Scrubber } from '../../contract/provider-protocol/scrubber.ts';

/**
 * A vendor's message as programs may see it: no credential in any form, no controls, cut to its bound (providers.md
 * §5.6).
 */
export function safeDetails(text: string, secrets: Iterable<string>): string {
  const scrubbed = new Scrubber(secrets).text(text.toWellFormed());
  return Array.from(scrubbed.replaceAll(/\p{Cc}/gu, '\uFFFD'))
    .slice(0, DETAILS_LENGTH_MAX)
    .join('');
}
