import { PRIVATE_ROUTES_OWNER, routeNamed } from '../../../contract/routes.ts';
import { CompileFailure } from '../compile-failure.ts';
import type { ToolUse } from './names.ts';

/** Throws a `CompileFailure` where ordinary code names a private route, whether or not it would be called. */
export function refusePrivateTools(uses: readonly ToolUse[]): void {
  const found = uses.filter((use) => routeNamed(use.name)?.isPrivate === true);
  const [first] = found;
  if (first === undefined) return;
  const names = [...new Set(found.map(({ form }) => form))];
  throw new CompileFailure(
    'private_tool_unauthorized',
    `Private to ${PRIVATE_ROUTES_OWNER}: ${names.join(', ')}`,
    first.node,
    { private_tools: names },
  );
}
