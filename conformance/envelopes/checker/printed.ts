/**
 * The printed entries of interface.md §2.5: code, phase, retryable, provider activity, subjects, text. A subject is
 * OPERATION:OCCURRENCE, where the occurrence is an object, null or either; `-` is no subject.
 */
export type Activity = boolean | 'any';
export type PrintedRow = readonly [code: string, phase: string, retryable: boolean, activity: Activity, subjects: string, text: string];

export const PRINTED_ROWS: readonly PrintedRow[] = [
  ['environment_unavailable', 'local_preflight', false, 'any', 'local:object', 'a required local environment is unavailable'],
  ['environment_file_not_found', 'local_preflight', false, false, '-', 'the named environment file does not exist'],
  ['environment_file_not_regular', 'local_preflight', false, false, '-', 'the named environment file is not a regular file'],
  ['environment_file_unreadable', 'local_preflight', false, false, '-', 'the named environment file cannot be read safely'],
  ['environment_file_too_large', 'local_preflight', false, false, '-', 'the named environment file exceeds the 1 MB limit'],
  ['environment_file_invalid_utf8', 'local_preflight', false, false, '-', 'the named environment file is not valid UTF-8'],
  ['authorization_target_unknown', 'local_preflight', false, false, 'local:null', '--authorize-mcp must name an installed provider the application selects'],
  ['authorization_not_applicable', 'local_preflight', false, false, 'local:null', '--authorize-mcp applies only to an installation that declares OAuth'],
  ['command_not_found', 'local_preflight', false, 'any', 'local:object', 'a required provider command could not be found'],
  ['executable_unavailable', 'local_preflight', false, 'any', 'local:object', 'a required provider executable is unusable'],
  ['fixtures_unreadable', 'local_preflight', false, 'any', 'local:object', 'provider fixtures could not be read'],
  ['adapter_unavailable', 'local_preflight', false, 'any', 'local:object', 'a required provider adapter is unavailable'],
  ['launcher_unavailable', 'local_preflight', false, 'any', 'local:object', 'a required provider launcher is unavailable'],
  ['local_check_timeout', 'local_preflight', false, 'any', 'local:object', 'a local provider check timed out'],
  ['provider_application_unavailable', 'active_preflight', false, 'any', 'application:null', 'a required provider application is unavailable'],
  ['selection_rejected', 'active_preflight', false, 'any', 'selection:object', 'the provider rejected the normalized selection'],
  ['selection_validation_failed', 'active_preflight', false, 'any', 'selection:object', 'active provider selection validation failed'],
  ['selection_validation_timeout', 'active_preflight', false, 'any', 'selection:object', 'active provider selection validation timed out'],
  ['credential_unavailable', 'active_preflight', false, 'any', 'credentials:null authorization:null', 'a required provider credential is unavailable'],
  ['authorization_required', 'active_preflight', false, 'any', 'authorization:either', 'explicit provider authorization is required'],
  ['authorization_rejected', 'active_preflight', false, 'any', 'authorization:either', 'explicit provider authorization was rejected'],
  ['authentication_rejected', 'active_preflight', false, 'any', 'authorization:either connectivity:object acquisition:object', 'provider authentication was rejected'],
  ['connectivity_rejected', 'active_preflight', false, 'any', 'authorization:either connectivity:object', 'the provider rejected the connectivity operation'],
  ['connectivity_protocol_error', 'active_preflight', false, 'any', 'authorization:either connectivity:object', 'the provider returned an invalid connectivity response'],
  ['connectivity_unsupported', 'active_preflight', false, 'any', 'connectivity:object', 'the provider does not implement the declared connectivity check'],
  ['connectivity_outcome_unknown', 'active_preflight', false, 'any', 'connectivity:object', 'the connectivity outcome could not be committed safely'],
  ['connectivity_timeout', 'active_preflight', false, 'any', '-', 'the connectivity operation exceeded its budget'],
  ['authorization_unavailable', 'active_preflight', true, 'any', 'authorization:either', 'the authorization service is temporarily unavailable'],
  ['connectivity_unavailable', 'active_preflight', true, 'any', 'authorization:either connectivity:object', 'the provider connectivity operation is temporarily unavailable'],
  ['connectivity_rate_limited', 'active_preflight', true, 'any', 'connectivity:object', 'the provider connectivity operation is rate limited'],
  ['provider_unavailable', 'provider_acquisition', false, true, 'acquisition:object', 'the selected provider could not be acquired'],
  ['provider_endpoint_connection_refused', 'provider_acquisition', true, true, 'acquisition:object', 'the installed endpoint refused the connection'],
  ['provider_endpoint_name_unresolved', 'provider_acquisition', false, true, 'acquisition:object', 'the installed endpoint hostname could not be resolved'],
  ['provider_endpoint_tls_failed', 'provider_acquisition', false, true, 'acquisition:object', 'the installed endpoint did not complete a TLS handshake'],
  ['provider_protocol_error', 'provider_acquisition', false, true, 'acquisition:object', 'the selected provider returned an invalid acquisition response'],
  ['provider_protocol_version_unsupported', 'provider_acquisition', false, true, 'acquisition:object', 'the installed endpoint does not support MCP protocol 2026-07-28'],
  ['provider_tool_missing', 'provider_acquisition', false, true, 'acquisition:object', 'the installed endpoint does not expose a declared tool'],
  ['provider_policy_changed', 'provider_acquisition', false, true, 'acquisition:object', 'the selected provider policy changed during acquisition'],
  ['capability_requirement_missing', 'provider_acquisition', false, 'any', '-', 'a component requires a capability that the selected providers did not supply'],
  ['provider_failed', 'execution', false, true, 'execution:object', 'a provider failed during execution'],
];

/** Entries of phase execution with the two forms, source null or runtime: code, retryable, text. */
export const EXECUTION_ROWS: readonly (readonly [code: string, retryable: boolean, text: string])[] = [
  ['workflow_failed', false, 'the workflow failed'],
  ['llm_authentication_failed', false, 'the LLM provider rejected authentication; check the installed credential'],
  ['llm_payment_required', false, 'the LLM provider rejected the request for billing or credit reasons'],
  ['llm_rate_limited', true, 'the LLM provider rate limited the request'],
  ['llm_model_not_found', false, 'the LLM provider could not find the configured model'],
  ['llm_tool_calling_unsupported', false, 'the configured model does not support tool calling'],
  ['llm_request_invalid', false, 'the LLM provider rejected the configured request'],
  ['llm_access_denied', false, 'the LLM provider denied access to the configured model'],
  ['llm_timeout', true, 'the LLM provider request timed out'],
  ['llm_provider_unavailable', true, 'the LLM provider is unavailable'],
  ['llm_provider_failed', false, 'the LLM provider request failed'],
  ['mission_failed', false, 'a subordinate mission failed'],
  ['run_timeout', false, 'the run duration limit was exceeded'],
];
