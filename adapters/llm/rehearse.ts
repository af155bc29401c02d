import type { LocalFinding } from '../../contract/provider-protocol/checks.ts';
import type { ModelDeclaration } from './declaration.ts';
import { checkModel } from './local-check.ts';
import { routeOf } from './route.ts';
import { writeRequest } from './write-request.ts';

const REQUEST = '{"messages":[{"content":"a","role":"user"}]}';
const STRUCTURED =
  '{"messages":[{"content":"a","role":"user"}],"schema":{"additionalProperties":false,"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"}}';
/** Parameters that each vendor has in a form of its own. */
const MAPPED: ReadonlySet<string> = new Set(['max_tokens', 'reasoning_effort']);
/** No parameter is equal to it. */
const OUTPUT_TOKENS = 1_234_567;

/**
 * Whether the route serves the model exactly as declared (providers.md §5.2): by the table, and then by writing a
 * request and looking whether it has every declared value unchanged. Reads no credential and opens nothing.
 */
export async function rehearse(declaration: ModelDeclaration): Promise<LocalFinding | null> {
  const finding = checkModel(declaration);
  const route = routeOf(declaration.selector, declaration.wire);
  if (finding !== null || route === null) return finding;
  const outputLimit = { value: OUTPUT_TOKENS, bindings: ['application_limit'] } as const;
  const written = await writeRequest({
    route,
    declaration,
    request: declaration.schemaMode === 'unsupported' ? REQUEST : STRUCTURED,
    outputLimit,
  });
  if (!written.ok) return { code: 'adapter_unavailable', hint: 'no request can be written for this model' };
  const values = valuesIn(JSON.parse(written.body));
  const lost = Object.entries(declaration.params).find(([name, value]) => !MAPPED.has(name) && !values.has(value));
  return lost === undefined
    ? null
    : { code: 'model_contract_unsupported', hint: `this model does not take the parameter ${lost[0]}` };
}

/** Every number and text of a body, at any depth. */
function valuesIn(value: unknown): ReadonlySet<unknown> {
  if (typeof value !== 'object' || value === null) return new Set([value]);
  return new Set(Object.values(value).flatMap((member) => [...valuesIn(member)]));
}
