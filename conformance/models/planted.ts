/**
 * A text that may stand nowhere, and every form in which it could. Its characters are such that each form differs from
 * the others.
 */
export function planted(name: string): string {
  return `pl4nted-${name} "q"\\/+%=~${Buffer.from(name).toString('hex')}`;
}

/** The bytes of a file or a stream, each a character. */
export type OutputBytes = string;

/**
 * A planted text is found by any of these: as it is, within JSON once or twice, in a URL, in base64 wherever it began,
 * in hex.
 */
export function formsOf(text: string): ReadonlyMap<string, string> {
  const inJson = JSON.stringify(text).slice(1, -1);
  const inUrl = encodeURIComponent(text);
  const hex = Buffer.from(text).toString('hex');
  return new Map([
    ['raw', text],
    ['JSON', inJson],
    ['JSON within JSON', JSON.stringify(inJson).slice(1, -1)],
    ['URL', inUrl],
    ['URL in lower case', inUrl.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
    ['form', new URLSearchParams([['', text]]).toString().slice(1)],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
    ...[0, 1, 2].flatMap((before): [string, string][] => {
      const form = base64After(text, before);
      return [
        [`base64 after ${String(before)}`, form],
        [`base64url after ${String(before)}`, form.replaceAll('+', '-').replaceAll('/', '_')],
      ];
    }),
  ]);
}

/** What a text gives in base64 behind so many other bytes: only the symbols that hold bits of nothing else. */
function base64After(text: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

/** `place: form of name` wherever one of these texts stands in one of those. */
export function findings(
  texts: Readonly<Record<string, string>>,
  reported: ReadonlyMap<string, OutputBytes>,
): readonly string[] {
  const forms = Object.entries(texts).map(([name, text]) => [name, formsOf(text)] as const);
  return [...reported].flatMap(([place, bytes]) =>
    forms.flatMap(([name, all]) =>
      [...all].filter(([, form]) => bytes.includes(form)).map(([form]) => `${place}: ${form} of ${name}`),
    ),
  );
}
