/**
 * What the supervisor asks of the adapter of tool servers: threads of one tenant, and servers that are reached through
 * them (providers.md §7, §14).
 */
export { checkServer, serverAdapter } from '../mcp/adapter.ts';
export { authoriseServer, endGrant, startAuthorisation, grantState } from '../mcp/authorise.ts';
export { grantKey } from '../mcp/oauth/grants.ts';
export { readGrant } from '../mcp/oauth/stored-grants.ts';
export type { OAuthCode, OwnedOAuth } from '../mcp/oauth/declaration.ts';
export type { ServerDeclaration } from '../mcp/declaration.ts';
export { listTools } from '../mcp/list-tools.ts';
export { serverThreads } from '../mcp/services.ts';
export type { ServerThreads } from '../mcp/services.ts';
export { CLIENT } from '../mcp/protocol/revision.ts';
export { inheritedEnvironment } from '../mcp/stdio/child-environment.ts';
