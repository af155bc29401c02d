/** What a server says of how it wants to be authorised (providers.md §9, "Discovery"). */
export interface Challenge {
  readonly scopes: readonly string[] | null;
  readonly resourceMetadata: string | null;
  readonly error: string | null;
}

const FIELDS_MAX = 16;
const BYTES_MAX = 16_384;
const TOKEN = String.raw`[!#$%&'*+\-.^_\`|~0-9A-Za-z]+`;
const PARAMETER = new RegExp(String.raw`^(${TOKEN})[ \t]*=[ \t]*(?:(${TOKEN})|"((?:[^"\\]|\\.)*)")$`, 's');
const SCHEME = new RegExp(String.raw`^(${TOKEN})(?:[ \t]+(.+))?$`, 's');
const TOKEN68 = /^[A-Za-z0-9\-._~+/]+=*$/;
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const NOTHING: Challenge = { scopes: null, resourceMetadata: null, error: null };

/** The Bearer challenge of a refusal, of which there is at most one; null where the field cannot be read. */
export function readChallenge(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Challenge | null {
  const input = headers['www-authenticate'];
  const fields = input === undefined ? [] : typeof input === 'string' ? [input] : input;
  if (fields.length > FIELDS_MAX || fields.reduce((sum, field) => sum + field.length, 0) > BYTES_MAX) return null;
  const bearers: Map<string, string>[] = [];
  for (const field of fields) {
    let current: Map<string, string> | null = null;
    for (const item of items(field)) {
      const isParameter = PARAMETER.test(item);
      const [, scheme = '', rest = ''] = isParameter ? [] : (SCHEME.exec(item) ?? []);
      if (!isParameter && scheme === '') return null;
      if (!isParameter) {
        current = new Map();
        if (scheme.toLowerCase() === 'bearer') bearers.push(current);
      }
      const text = isParameter ? item : rest;
      if (text === '' || (!isParameter && TOKEN68.test(text))) continue;
      if (current === null || !addParameter(current, text)) return null;
    }
  }
  const [bearer, another] = bearers;
  if (another !== undefined) return null;
  return bearer === undefined ? NOTHING : challengeOf(bearer);
}

/** Parts between commas outside quotes. */
function items(field: string): readonly string[] {
  const parts = field.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/gs) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function addParameter(into: Map<string, string>, text: string): boolean {
  const [, name, plain, quoted] = PARAMETER.exec(text) ?? [];
  if (name === undefined || into.has(name.toLowerCase())) return false;
  into.set(name.toLowerCase(), plain ?? (quoted ?? '').replaceAll(/\\(.)/gs, '$1'));
  return true;
}

function challengeOf(bearer: ReadonlyMap<string, string>): Challenge | null {
  const scopes = bearer.has('scope') ? readScopes(bearer.get('scope') ?? '') : null;
  if (bearer.has('scope') && scopes === null) return null;
  return { scopes, resourceMetadata: bearer.get('resource_metadata') ?? null, error: bearer.get('error') ?? null };
}

/** Scopes as they are side by side, none twice; null where one is none. */
export function readScopes(text: string): readonly string[] | null {
  const scopes = text.split(' ').filter((scope) => scope !== '');
  return scopes.every((scope) => SCOPE.test(scope)) ? [...new Set(scopes)] : null;
}
