import type { DeclaredEffect } from '../../../contract/tool-mapping.ts';
import type { InstallationOf } from '../../documents/host/fields.ts';
import { toolRows, type ToolRows } from '../mcp/tool-rows.ts';

type Api = InstallationOf<'openapi'>;

/** The rows of an API's operations, in the form of those of tools. */
export function operationRows({ tools }: Pick<Api, 'tools'>): ToolRows {
  return toolRows(
    new Map([...tools].map(([upstream, row]) => [upstream, { ...row, effect: row.effect ?? effectOf(upstream) }])),
  );
}

/** What a method that is named says; where only the OpenAPI document names it, its word is taken. */
function effectOf(upstream: string): DeclaredEffect {
  const [method, path] = upstream.split(' ');
  if (path === undefined) return 'annotations';
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
