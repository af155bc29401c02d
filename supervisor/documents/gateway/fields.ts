import { boolean, defaulted, integer, list, map, object, oneOfValues, optional, required, text } from '../fields/shape.ts';
import type { Decoded } from '../fields/shape.ts';
import { DIGEST, GATEWAY_TOOL, NAME, ONE_LINE, SNAPSHOT_PIN } from '../fields/patterns.ts';
import { schemaId } from '../fields/json-schema.ts';

const path = text(1024, ONE_LINE);
const digest = text(71, DIGEST);

/** Name and version of the published schema, which a gateway document may only name exactly (documents.md §8). */
export const GATEWAY_SCHEMA = { name: 'gateway', major: 1 } as const;

/** The gateway document (interface-2.md; strings hold no NUL, CR or LF: documents.md §8). */
export const GATEWAY = object({
  $schema: optional(oneOfValues(schemaId(GATEWAY_SCHEMA))),
  version: required(oneOfValues(1)),
  listen: required(
    object({
      address: required(oneOfValues('127.0.0.1', '::1')),
      port: required(integer(1, 65535)),
      path: required(oneOfValues('/mcp')),
      allowed_origins: defaulted(list(text(2048, ONE_LINE), 128, { unique: 'checked', set: true }), []),
    }),
  ),
  authentication: required(object({ bearer: required(object({ binding: required(text(128, NAME)) })) })),
  host: required(object({ path: required(path) })),
  admission: required(
    object({
      max_inflight_requests: required(integer(1, 65535)),
      max_concurrent_runs: required(integer(1, 65535)),
      max_active_provider_calls: required(integer(1, 65535)),
      max_waiting_provider_calls: required(integer(0, 65535)),
    }),
  ),
  artifacts: optional(
    object({ root: required(path), inspection: defaulted(boolean, false), trace: defaulted(boolean, false) }),
  ),
  private_audit: optional(
    object({
      directory: required(path),
      max_file_bytes: required(integer(1024, 67108864)),
      max_retained_files: required(integer(2, 128)),
    }),
  ),
  tools: required(
    list(
      object({
        name: required(text(128, GATEWAY_TOOL)),
        title: required(text(256, ONE_LINE)),
        description: required(text(4096, ONE_LINE)),
        application: required(object({ manifest: required(path) })),
        expected_application_content_digest: required(digest),
        installation_config_pins: required(map(NAME, digest, 128)),
        provider_snapshot_pins: required(map(SNAPSHOT_PIN, digest, 128)),
        allow_write: defaulted(boolean, false),
      }),
      128,
      { minimum: 1 },
    ),
  ),
});

export type GatewayDocument = Decoded<typeof GATEWAY>;
