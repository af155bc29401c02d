type Arguments = Readonly<Record<string, unknown>>;

/** One call of a tool, by the name that the server uses. */
export interface PlannedCall {
  readonly tool: string;
  readonly arguments: Arguments;
}

/** What the client does in one scenario, and what it comes to. */
export interface Plan {
  /** Calls of one mission, in order; `context`: those that the scenario hands its client. */
  readonly calls: readonly PlannedCall[] | 'context';
  /** Absent: the server asks nobody who they are. */
  readonly oauth?: PlannedAuthorisation;
  /** How each call ended, or the code that ended the run. */
  readonly ends: string;
}

export interface PlannedAuthorisation {
  /** What follows the origin of the issuer. */
  readonly path?: string;
  /** The client in the host document, `context` for that of the scenario; absent: it registers itself. */
  readonly client?: Arguments | 'context';
  readonly wantsRefresh?: boolean;
  /** A refused call is authorised anew with what it needs, and made again. */
  readonly stepsUp?: boolean;
}

const one = (tool: string, input: Arguments = {}): readonly PlannedCall[] => [{ tool, arguments: input }];
const authorised = (oauth: PlannedAuthorisation = {}, ends = 'ok'): Plan => ({ calls: one('test-tool'), oauth, ends });
const INVALID_TOOLS = [
  'empty_header',
  'object_header',
  'array_header',
  'null_header',
  'duplicate_same_case',
  'duplicate_diff_case',
  'space_in_name',
  'colon_in_name',
  'non_ascii_name',
  'control_char_name',
].map((name) => `invalid_${name}`);

/** By scenario of the runner: every one of a revision, in its order. Several plans are run one after the other. */
export const PLANS: Readonly<Record<string, readonly Plan[]>> = {
  // Its server has no tools at all.
  initialize: [{ calls: one('any'), ends: 'provider_protocol_error' }],
  tools_call: [{ calls: one('add_numbers', { a: 2, b: 3 }), ends: 'ok' }],
  'elicitation-sep1034-client-defaults': [{ calls: one('test_client_elicitation_defaults'), ends: 'ok' }],
  'sse-retry': [{ calls: one('test_reconnection'), ends: 'ok' }],
  'request-metadata': [{ calls: one('any'), ends: 'provider_protocol_version_unsupported' }],
  'auth/metadata-default': [authorised()],
  'auth/metadata-var1': [authorised()],
  'auth/metadata-var2': [authorised({ path: '/tenant1' })],
  'auth/metadata-var3': [authorised({ path: '/tenant1' })],
  'auth/basic-cimd': [
    authorised({
      client: {
        registration: 'client_id_metadata_document',
        auth_method: 'none',
        client_id: 'https://conformance-test.local/client-metadata.json',
        loopback_redirect: { host: '127.0.0.1', path: '/back' },
      },
    }),
  ],
  'auth/scope-from-www-authenticate': [authorised()],
  'auth/scope-from-scopes-supported': [authorised()],
  'auth/scope-omitted-when-undefined': [authorised()],
  'auth/scope-step-up': [authorised({ stepsUp: true }, 'mcp_authorization_required ok')],
  'auth/scope-retry-limit': [authorised({}, 'authorization_required')],
  'auth/token-endpoint-auth-basic': [authorised()],
  'auth/token-endpoint-auth-post': [authorised()],
  'auth/token-endpoint-auth-none': [authorised()],
  'auth/pre-registration': [authorised({ client: 'context' })],
  'auth/resource-mismatch': [authorised({}, 'connectivity_protocol_error')],
  'auth/offline-access-scope': [authorised({ wantsRefresh: true })],
  'auth/offline-access-not-supported': [authorised({ wantsRefresh: true })],
  'auth/authorization-server-migration': [authorised({}, 'authorization_required')],
  'auth/iss-supported': [authorised()],
  'auth/iss-not-advertised': [authorised()],
  'auth/iss-supported-missing': [authorised({}, 'authorization_rejected')],
  'auth/iss-wrong-issuer': [authorised({}, 'authorization_rejected')],
  'auth/iss-unexpected': [authorised({}, 'authorization_rejected')],
  'auth/iss-normalized': [authorised({}, 'authorization_rejected')],
  'auth/metadata-issuer-mismatch': [authorised({}, 'connectivity_protocol_error')],
  'sep-2322-client-request-state': [
    {
      calls: ['test_mrtr_echo_state', 'test_mrtr_no_state', 'test_mrtr_unrelated', 'test_mrtr_no_result_type'].flatMap(
        (tool) => one(tool),
      ),
      ends: 'mcp_capability_negotiation_error mcp_capability_negotiation_error ok mcp_protocol_error',
    },
  ],
  'http-standard-headers': [{ calls: [...one('test_headers'), ...one('my-hyphenated-tool')], ends: 'ok ok' }],
  'http-custom-headers': [{ calls: 'context', ends: 'ok ok' }],
  'http-invalid-tool-headers': [
    ...INVALID_TOOLS.map((tool): Plan => ({ calls: one(tool, { value: 'v' }), ends: 'provider_protocol_error' })),
    { calls: one('valid_tool', { region: 'north' }), ends: 'ok' },
  ],
  'json-schema-ref-no-deref': [{ calls: one('lookup_user', { id: 'a', profile: {} }), ends: 'mcp_remote_error' }],
  'json-schema-2020-12-preservation': [
    { calls: one('json_schema_echo', { schema: { $listed: 'json_schema_2020_12_tool' } }), ends: 'ok' },
  ],
};
