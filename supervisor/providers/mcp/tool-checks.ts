import type { JsonText } from '../../../contract/json/canonical.ts';
import { plainFromJson } from '../../../contract/json/plain.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import type { CapabilityFacts } from '../../../contract/provider-protocol/capability.ts';
import { boundedSchema, type BoundedSchema } from '../schemas/bounded-schema.ts';
import { schemaChecker } from '../schemas/schema-checker.ts';
import { withoutDefaulted } from '../schemas/without-defaulted.ts';
import { sharedSchemaThreads } from '../schemas/schema-threads.ts';
import { parsedText } from '../adapter-json.ts';
import type { SupervisorChecks } from '../session-capability.ts';

/** Levels of a schema that the adapter admitted. */
const SCHEMA_DEPTH = 64;

/**
 * Holds arguments and results to the schemas of their tool, as JSON Schema has them. A schema that cannot be used here
 * is shown and not enforced: the server checks again (providers.md §7.3).
 */
export function toolChecks(tenant: string): (facts: ToolSchemas) => SupervisorChecks {
  const checker = schemaChecker(sharedSchemaThreads(), tenant);
  // A schema takes milliseconds to prepare, a server may have thousands, and few are called.
  const check = (prepare: () => BoundedSchema | null): SupervisorChecks['checkResult'] => {
    let schema: BoundedSchema | null | undefined;
    return async (value, timeoutMs) => {
      schema = schema === undefined ? prepare() : schema;
      return schema === null ? { status: 'valid' } : checker.check(schema, value, timeoutMs);
    };
  };
  /** Those of one tool are the same for each run that it is lent to. */
  const known = new WeakMap<ToolSchemas, SupervisorChecks>();
  return (facts) => {
    const { inputSchema, outputSchema } = facts;
    const checks = known.get(facts) ?? {
      checkArguments: check(() => usable(inputSchema, withoutDefaulted)),
      checkResult: check(() => (outputSchema === null ? null : usable(outputSchema))),
      accepts: () => true,
    };
    known.set(facts, checks);
    return checks;
  };
}

type ToolSchemas = Pick<CapabilityFacts<JsonText>, 'inputSchema' | 'outputSchema'>;

/**
 * Null for one that refers to other documents, or is of a form that only its server knows. `changed`: what of it is
 * held to.
 */
function usable(text: JsonText, changed = (schema: JsonObject): JsonObject => schema): BoundedSchema | null {
  const schema = parsedText(text, SCHEMA_DEPTH);
  if (!isJsonObject(schema)) return null;
  // The dialect of the keywords that are checked is the same.
  const plain = plainFromJson(
    changed(new Map([...schema].filter(([keyword]) => keyword !== '$schema' && keyword !== '$id'))),
  );
  try {
    return boundedSchema(plain, 'a schema of a tool');
  } catch {
    return null;
  }
}
