/** All codes by phase, written down from runtime.md §13. */
export const CODES_BY_PHASE: Readonly<Record<string, readonly string[]>> = {
  arguments: words(`
    invalid_command invalid_arguments conflicting_arguments project_host_undeclared
    envelope_destination_exists docs_page_unknown example_unknown
  `),
  project: words(`
    project_schema_invalid
  `),
  host: words(`
    host_unavailable host_invalid host_schema_invalid installed_limit_invalid installation_revision_missing
    installation_endpoint_invalid installation_endpoint_insecure_loopback_required
    installation_endpoint_literal_loopback_required installation_endpoint_insecure_loopback_forbidden
    installation_endpoint_credentials_require_https
  `),
  application: words(`
    schema_validation_unavailable application_not_found application_unavailable invalid_json
    duplicate_property schema_violation required_property_missing unknown_mission_provider
    duplicate_mission_provider installed_limit_exceeded limit_unavailable limit_configuration_invalid
    limit_capacity_invalid declared_read_effect_invalid reference_missing document_limit_exceeded
    contract_invalid contract_projection_limit_exceeded input_invalid input_contract_failed override_invalid
    event_identity_conflict
  `),
  bundle: words(`
    bundle_invalid bundle_limit_exceeded compile_failed syntax_invalid undefined_variable
    duplicate_definition unknown_namespace entry_invalid mission_undeclared mission_capability_ungranted
  `),
  provider_declaration: words(`
    provider_unknown selection_invalid selection_unverifiable placement_denied data_policy_denied
    dependency_invalid
  `),
  destination: words(`
    invalid_destination invalid_trace_destination invalid_inspection_destination invalid_result_destination
    trace_directory_missing inspection_directory_missing result_directory_missing
    trace_destination_unavailable inspection_destination_unavailable result_destination_unavailable
    trace_destination_unsafe inspection_destination_unsafe result_destination_unsafe destination_exists
    private_destination_required recovery_reservation_failed envelope_destination_unavailable
    prune_unsafe_directory prune_unavailable prune_delete_failed
  `),
  local_preflight: words(`
    environment_unavailable command_not_found executable_unavailable fixtures_unreadable adapter_unavailable
    launcher_unavailable local_check_timeout environment_file_not_found environment_file_not_regular
    environment_file_unreadable environment_file_too_large environment_file_invalid_utf8
    authorization_target_unknown authorization_not_applicable environment_file_invalid
    provider_admission_unavailable model_contract_unsupported
  `),
  active_preflight: words(`
    provider_application_unavailable selection_rejected selection_validation_failed
    selection_validation_timeout credential_unavailable authorization_required authorization_rejected
    authentication_rejected connectivity_rejected connectivity_protocol_error connectivity_unsupported
    connectivity_outcome_unknown connectivity_timeout authorization_unavailable connectivity_unavailable
    connectivity_rate_limited
  `),
  provider_acquisition: words(`
    provider_unavailable provider_endpoint_connection_refused provider_endpoint_name_unresolved
    provider_endpoint_tls_failed provider_protocol_error provider_protocol_version_unsupported
    provider_tool_missing provider_policy_changed provider_acquisition_timeout
    capability_requirement_missing
  `),
  execution: words(`
    workflow_failed mission_failed provider_failed llm_authentication_failed llm_payment_required
    llm_rate_limited llm_model_not_found llm_tool_calling_unsupported llm_request_invalid llm_access_denied
    llm_timeout llm_provider_unavailable llm_provider_failed run_timeout runtime_limit_exceeded
    explicit_failure evaluation_failed invalid_agent_config phase_return_contract_failed
    llm_usage_unavailable capability_quota_exceeded turn_limit_exceeded model_output_truncated
    replay_fixture_missing event_capture_limit_exceeded event_sink_unavailable
    inspection_capture_limit_exceeded inspection_sink_unavailable
  `),
  result_cleanup: words(`
    result_invalid result_contract_failed result_limit_exceeded provider_cleanup_failed
    provider_cleanup_timeout
  `),
  publication: words(`
    trace_publication_failed inspection_publication_failed result_publication_failed recovery_cleanup_failed
    destination_collision initialization_target_exists initialization_parent_missing
    initialization_parent_unusable initialization_failed source_out_destination_exists
    source_out_parent_missing source_out_parent_unusable source_out_parent_unsafe source_out_failed
    source_out_cleanup_failed candidate_refused candidate_destination_exists invalid_candidate_destination
    candidate_destination_parent_missing candidate_destination_parent_unsafe candidate_publication_failed
    candidate_cleanup_failed candidate_source_too_large unreadable_candidate_source descriptor_too_large
    result_artifact_too_large unreadable_result_artifact result_artifact_invalid result_pointer_invalid
    selected_component_missing
  `),
  internal: words(`
    internal_error
  `),
};

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
