import { DETAILS_LENGTH_MAX } from '../../contract/provider-protocol/outcome.ts';

/** Where a server told a credential on. */
const SCRUBBED = '[redacted]';
/** A shorter text stands in ordinary sentences too, and names nobody. */
const SECRET_LENGTH_MIN = 4;

/** A vendor's message as programs may see it: no part of a credential, no controls, cut to its bound (providers.md §5.6). */
export function safeDetails(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString('base64')]);
  const scrubbed = [...new Set(forms)]
    .filter((form) => form.length >= SECRET_LENGTH_MIN)
    .toSorted((left, right) => right.length - left.length)
    .reduce((left, form) => left.replaceAll(form, SCRUBBED), text.toWellFormed());
  return Array.from(scrubbed.replaceAll(/\p{Cc}/gu, '\uFFFD')).slice(0, DETAILS_LENGTH_MAX).join('');
}
