/** `svc auth`: what a person granted to servers of tools (world.md §2.5). */
export type { GrantReport, Revocation } from '../providers/mcp/grant-reports.ts';
export type { AuthOptions, NamedAuthOptions } from '../service/sign-in/auth-options.ts';
export { listGrants, type ListedGrant } from '../service/sign-in/list-grants.ts';
export { logIn } from '../service/sign-in/log-in.ts';
export { logOut, type LoggedOut } from '../service/sign-in/log-out.ts';
