/**
 * What the supervisor asks of the adapter of APIs: workers of one tenant that read documents and answers, and sessions
 * whose requests leave by the thread that servers of tools are reached through (providers.md §7.9, §14).
 */
export { apiAdapter } from '../openapi/adapter.ts';
export type { ApiServices } from '../openapi/services.ts';
export type { ApiDeclaration } from '../openapi/declaration.ts';
export { DOCUMENT_BYTES } from '../mcp/api/document-bytes.ts';
export { checkDocument } from '../openapi/check-document.ts';
export { listOperations } from '../openapi/list-operations.ts';
export { apiWorkers } from '../openapi/workers.ts';
export type { ApiWorkers } from '../openapi/workers.ts';
