import { DETAILS_LENGTH_MAX } from '../../contract/provider-protocol/outcome.ts';

/** Where a server told a credential on. */
const SCRUBBED = '[redacted]';
/** A shorter text stands in ordinary sentences too, and names nobody. */
const SECRET_LENGTH_MIN = 4;

/** A vendor's message as programs may see it: no credential in any form, no controls, cut to its bound (providers.md §5.6). */
export function safeDetails(text: string, secrets: Iterable<string>): string {
  const scrubbed = [...new Set([...secrets].flatMap(formsOf))]
    .filter((form) => form.length >= SECRET_LENGTH_MIN)
    .toSorted((left, right) => right.length - left.length)
    .reduce((left, form) => left.replaceAll(form, SCRUBBED), text.toWellFormed());
  return Array.from(scrubbed.replaceAll(/\p{Cc}/gu, '\uFFFD')).slice(0, DETAILS_LENGTH_MAX).join('');
}

/** As servers tell texts on: within JSON, once or twice; in a URL or a form; in hex; in base64, wherever in it the text began. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret);
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  const inHex = bytes.toString('hex');
  const inBase64 = [0, 1, 2].map((before) => base64Behind(bytes, before));
  return [
    secret, inJson, JSON.stringify(inJson).slice(1, -1), inUrl, inUrl.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()), inForm,
    inHex, inHex.toUpperCase(), bytes.toString('base64'), ...inBase64, ...inBase64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** Without the symbols at its ends that hold bits of its neighbours. */
function base64Behind(bytes: Uint8Array, before: number): string {
  const behind = Buffer.concat([Buffer.alloc(before), bytes]);
  return behind.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((behind.length * 8) / 6));
}
