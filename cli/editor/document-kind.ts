/** What a JSON document of an application is. */
export type DocumentKind = 'manifest' | 'project' | 'host' | 'gateway' | 'component-override' | 'tests';

/** Names that documents have by custom, the same as `svc schemas` informs editors. */
const NAMES: readonly (readonly [kind: DocumentKind, pattern: RegExp])[] = [
  ['manifest', /^(?:.+\.)?svc\.json$/],
  ['project', /^(?:.+\.)?svc-project\.json$/],
  ['host', /^svc-host\.(?:.+\.)?json$|\.svc-host\.json$/],
  ['gateway', /^(?:.+\.)?svc-gateway\.json$|^gateway\.json$/],
  ['tests', /^cases\.json$/],
];

/** Members that documents of one kind have, and no others. */
const MEMBERS: readonly (readonly [kind: DocumentKind, members: readonly string[]])[] = [
  ['project', ['kind', 'application']],
  ['manifest', ['version', 'workflow']],
  ['manifest', ['version', 'missions']],
  ['host', ['version', 'install']],
  ['host', ['version', 'installations']],
  ['gateway', ['listen', 'tools']],
  ['tests', ['cases']],
];

/** The kind of a document by its `$schema`, its members or, where it cannot be read, its name; null for any other. */
export function documentKind(name: string, text: string): DocumentKind | null {
  const byName = NAMES.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
  const value = objectOf(text);
  if (value === null) return byName;
  const schema = 'string' === typeof value['$schema'] ? /^urn:svc:schema:([a-z-]+):/.exec(value['$schema'])?.[1] : null;
  const named = KINDS.find((kind) => kind === schema);
  if (named !== undefined) return named;
  const byMembers = MEMBERS.find(([, members]) => members.every((member) => Object.hasOwn(value, member)));
  return byMembers?.[0] ?? byName;
}

const KINDS: readonly DocumentKind[] = ['manifest', 'project', 'host', 'gateway', 'component-override', 'tests'];

function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
