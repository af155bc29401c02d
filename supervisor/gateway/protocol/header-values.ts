const ENCODED = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The text of a header (gateway.md §4): strict padded base64 of UTF-8 between its marks, anything else as it is; null:
 * broken base64.
 */
export function decodedHeader(value: string): string | null {
  const text = value.replaceAll(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
  const encoded = ENCODED.exec(text)?.[1];
  if (encoded === undefined) return text;
  if (!BASE64.test(encoded)) return null;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
