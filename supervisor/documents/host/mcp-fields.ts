import { APPROVAL_WORDS } from '../../../contract/approval.ts';
import {
  boolean,
  choice,
  defaulted,
  EMPTY_OBJECT,
  integer,
  list,
  map,
  object,
  oneOfValues,
  optional,
  required,
  text,
} from '../fields/shape.ts';
import { ENVIRONMENT_NAME, HEADER_NAME, LOOPBACK_PATH, NAME, NO_NUL, SCOPE, TOOL_NAME } from '../fields/patterns.ts';

const name = text(128, NAME);

const tool = {
  as: optional(name),
  description: optional(text(4096)),
  /** Which of its calls a person is asked about (approvals.md §1); wins over that of the installation. */
  approval: optional(oneOfValues(...APPROVAL_WORDS)),
  error_feedback: defaulted(oneOfValues('closed', 'bounded'), 'closed'),
  model_visible: defaulted(boolean, false),
  /** Absent: `described`. Without a default, so that what was mapped before keeps its digest. */
  content: optional(oneOfValues('described', 'inline')),
} as const;

/** Keys are the names that the server itself uses (documents.md §7), or `*` for every other tool (world.md §2.3). */
export const MCP_TOOLS = map(
  TOOL_NAME,
  choice(
    'effect',
    object({
      ...tool,
      effect: required(oneOfValues('read')),
      inspection_capture: defaulted(oneOfValues('full', 'digest_results'), 'full'),
    }),
    // What a write did is never reduced to a digest, nor what may have been one.
    object({
      ...tool,
      effect: required(oneOfValues('write', 'annotations')),
      inspection_capture: defaulted(oneOfValues('full'), 'full'),
    }),
  ),
  128,
  1,
);

const stdio = object({
  type: required(oneOfValues('stdio')),
  command: required(text(4096, NO_NUL)),
  args: defaulted(list(text(131072, NO_NUL), 256), []),
  cwd: defaulted(text(4096, NO_NUL), '.'),
  env: defaulted(map(ENVIRONMENT_NAME, object({ binding: required(name) }), 249), EMPTY_OBJECT),
  inherit_environment: defaulted(boolean, true),
  grace_ms: defaulted(integer(1, 5000), 250),
  stderr_bytes: defaulted(integer(0, 1048576), 65536),
  start_timeout_ms: defaulted(integer(1, 60000), 5000),
});

const origins = list(text(2048), 32, { unique: 'checked', set: true });

const loopback = object({
  host: required(oneOfValues('127.0.0.1', '::1')),
  path: required(text(1024, LOOPBACK_PATH)),
});
const redirects = list(text(2048), 16, { minimum: 1, unique: 'checked', set: true });
const grants = list(oneOfValues('authorization_code', 'refresh_token'), 2, {
  minimum: 1,
  unique: 'checked',
  set: true,
});

const confidential = {
  client_id: required(text(2048)),
  client_secret_binding: required(name),
  grant_types: required(grants),
  loopback_redirect: optional(loopback),
  redirect_uris: optional(redirects),
};

const client = choice(
  'registration',
  object({
    registration: required(oneOfValues('pre_registered')),
    auth_method: required(oneOfValues('none')),
    client_id: required(text(2048)),
    grant_types: required(grants),
    /** One of the two redirect forms: checked with the other rules of OAuth. */
    loopback_redirect: optional(loopback),
    redirect_uris: optional(redirects),
  }),
  object({
    registration: required(oneOfValues('pre_registered')),
    auth_method: required(oneOfValues('client_secret_basic')),
    ...confidential,
  }),
  object({
    registration: required(oneOfValues('pre_registered')),
    auth_method: required(oneOfValues('client_secret_post')),
    ...confidential,
  }),
  object({
    registration: required(oneOfValues('client_id_metadata_document')),
    auth_method: required(oneOfValues('none')),
    client_id: required(text(2048)),
    loopback_redirect: optional(loopback),
    redirect_uris: optional(redirects),
  }),
  // svc registers itself (RFC 7591, world.md §2.5); without a redirect, on a port of this machine.
  object({
    registration: required(oneOfValues('dynamic')),
    loopback_redirect: optional(loopback),
    redirect_uris: optional(redirects),
  }),
);

const scopes = list(text(256, SCOPE), 64, { unique: 'checked', set: true });

/** The OAuth block of a streamable HTTP installation (documents.md §7). */
export const OAUTH = object({
  installation_id: required(text(256)),
  issuer: required(text(4096)),
  resource: optional(text(4096)),
  scope_ceiling: required(scopes),
  default_scopes: defaulted(scopes, []),
  refresh_access: defaulted(oneOfValues('none', 'when_supported'), 'none'),
  authorization_timeout_ms: defaulted(integer(1, 900000), 300000),
  unknown_expiry_ttl_ms: defaulted(integer(1, 86400000), 300000),
  network: defaulted(
    object({ additional_origins: defaulted(origins, []), private_network_origins: defaulted(origins, []) }),
    EMPTY_OBJECT,
  ),
  client: required(client),
});

/** Where a server over HTTP is, and what authorises its requests. */
export const HTTP_ADDRESS = {
  endpoint: required(text(4096)),
  allow_insecure_loopback: defaulted(boolean, false),
  auth: defaulted(
    list(
      choice(
        'scheme',
        object({ scheme: required(oneOfValues('bearer', 'basic')), binding: required(name) }),
        object({
          scheme: required(oneOfValues('api_key')),
          binding: required(name),
          header: required(text(256, HEADER_NAME)),
        }),
      ),
      8,
    ),
    [],
  ),
  oauth: optional(OAUTH),
} as const;

const streamableHttp = object({ type: required(oneOfValues('streamable_http')), ...HTTP_ADDRESS });

export const MCP_TRANSPORT = choice('type', stdio, streamableHttp);
