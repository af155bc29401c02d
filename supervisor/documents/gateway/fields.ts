import {
  boolean,
  defaulted,
  integer,
  list,
  map,
  object,
  oneOfValues,
  optional,
  required,
  text,
  type Decoded,
} from '../fields/shape.ts';
import { DIGEST, GATEWAY_TOOL, NAME, ONE_LINE, SNAPSHOT_PIN } from '../fields/patterns.ts';
import { schemaId } from '../fields/json-schema.ts';

const path = text(1024, ONE_LINE);

/** Name and version of the published schema, which a gateway document may only name exactly (documents.md §8). */
export const GATEWAY_SCHEMA = { name: 'gateway', major: 1 } as const;

const digest = text(71, DIGEST);
const PIN_MAPS_MAX = 128;

const PINS = {
  expected_application_content_digest: required(digest),
  installation_config_pins: required(map(NAME, digest, PIN_MAPS_MAX)),
  provider_snapshot_pins: required(map(SNAPSHOT_PIN, digest, PIN_MAPS_MAX)),
};
/** Pins that nothing has. */
const ABSENT_PINS = {
  expected_application_content_digest: defaulted(digest, `sha256:${'0'.repeat(64)}`),
  installation_config_pins: defaulted(map(NAME, digest, PIN_MAPS_MAX), new Map()),
  provider_snapshot_pins: defaulted(map(SNAPSHOT_PIN, digest, PIN_MAPS_MAX), new Map()),
};

/** interface.md §2.2; strings hold no NUL, CR or LF: documents.md §8. */
const gatewayWith = (pins: typeof PINS | typeof ABSENT_PINS) =>
  object({
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
          expected_application_content_digest: pins.expected_application_content_digest,
          installation_config_pins: pins.installation_config_pins,
          provider_snapshot_pins: pins.provider_snapshot_pins,
          allow_write: defaulted(boolean, false),
        }),
        128,
        { minimum: 1 },
      ),
    ),
  });

/** The gateway document. */
export const GATEWAY = gatewayWith(PINS);

/** The same before its author has its pins, which the program prints. */
export const GATEWAY_TO_BE_PINNED = gatewayWith(ABSENT_PINS);

export type GatewayDocument = Decoded<typeof GATEWAY>;
