import { visibleText } from '../../contract/visible-text.ts';
import type { GrantReport, ListedGrant, LoggedOut, Revocation } from '../../supervisor/api/grants.ts';

const MINUTE_MS = 60_000;

/** A grant for programs: when its token ends, and whether it is renewed then. */
export function grantFacts(row: ListedGrant): object {
  if (row.state === 'unreadable') return { state: row.state, problem: row.problem };
  const { name, endpoint, issuer, scopes, expiresAt, isRenewable } = row.grant;
  return {
    name,
    state: row.state,
    endpoint,
    issuer,
    scopes,
    expires_at: new Date(expiresAt).toISOString(),
    renewable: isRenewable,
  };
}

/** What `svc auth list` shows at a terminal. */
export function grantsTable(rows: readonly ListedGrant[]): string {
  if (rows.length === 0)
    return 'Nothing is granted. To sign in to a server: svc auth login and the name of its installation\n';
  return rows.map((row) => `${rowText(row)}\n`).join('');
}

function rowText(row: ListedGrant): string {
  if (row.state === 'unreadable') return `unreadable: ${row.problem}`;
  const { name, endpoint, scopes, expiresAt, isRenewable } = row.grant;
  const until = isRenewable ? 'renewed by itself' : `until ${new Date(expiresAt).toISOString()}`;
  const states = {
    usable: until,
    expired: `expired; sign in again: svc auth login ${name}`,
    refused: `refused by the server; sign in again: svc auth login ${name}`,
  };
  const may = scopes.length === 0 ? 'what the server gives by itself' : scopes.map(visibleText).join(' ');
  return `${name}  ${visibleText(endpoint)}\n  may: ${may}\n  ${states[row.state]}`;
}

export function loginText({ name, endpoint, expiresAt, isRenewable }: GrantReport, now: number): string {
  const minutes = Math.max(1, Math.floor((expiresAt - now) / MINUTE_MS));
  const until = isRenewable
    ? 'It is renewed by itself; svc auth logout ends it.'
    : `It ends in ${minutes} minutes, and the server gives no means to renew it.`;
  return `svc may use ${visibleText(endpoint)} for you, as ${name}.\n${until}\n`;
}

const ENDS: Readonly<Record<Revocation, string>> = {
  revoked: 'ended, here and at its server',
  unsupported: 'ended here; its server takes no grants back, so its token lasts until it expires',
  failed: 'ended here; its server could not be reached, so its token may last until it expires',
};

export function logoutText(name: string, ended: readonly LoggedOut[]): string {
  if (ended.length === 0) return `Nothing was granted under the name ${name}.\n`;
  return ended.map(({ endpoint, revocation }) => `${visibleText(endpoint)}: ${ENDS[revocation]}\n`).join('');
}
