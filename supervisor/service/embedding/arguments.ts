import { APPROVAL_SCOPES, type ApprovalAnswer } from '../../../contract/approval.ts';
import {
  aFunction,
  aSignal,
  anything,
  bytes,
  count,
  fits,
  flag,
  functionOr,
  listOf,
  mapOf,
  maybe,
  objectWith,
  membersBy,
  numberBetween,
  orNull,
  recordOf,
  nonEmptyText,
  withFunctions,
  wordOf,
  type Members,
} from '../../platform/arguments/checks.ts';
import {
  LONGEST_DEADLINE_MS,
  anyText,
  limitOverrides,
  principalName,
  runInput,
  wantedArtifacts,
} from '../../platform/arguments/run-members.ts';
import type { RunLimits, TenantPolicy } from '../../platform/tenant.ts';
import type { CustomTelemetry } from '../../evidence/telemetry/own-tracer.ts';
import type {
  AcquisitionRequest,
  ApplicationPins,
  ApplicationReference,
  ApprovalOptions,
  ApprovalSelection,
  AuthorisationRequest,
  RunRequest,
  SupervisorOptions,
  SupervisorStores,
} from './types.ts';

/**
 * What the members of every call of `@svc-lisp/svc/supervisor` are (gateway.md §16): a member that is added to a type
 * is asked for here.
 */

/** Sandbox processes at least: one for workflows, one for missions, one that begins. */
const HOSTS_LEAST = 3;
const WEIGHT_MAX = 100;

const artifactStore = withFunctions('reserve', 'write', 'commit', 'abort', 'read', 'list', 'uri', 'remove');
const runJournal = withFunctions('create', 'cas', 'get', 'scan');
const isolation = wordOf('process', 'process-per-run');
/** One that is no name of a tenant is answered as `tenant_unknown`. */
const tenant = anyText;

const RUN_LIMITS: Members<RunLimits> = {
  maxRuns: maybe(count(1)),
  maxQueued: maybe(count(0)),
  maxQueuedBytes: maybe(count(0)),
  maxProviderCalls: maybe(count(1)),
  maxWaitingCalls: maybe(count(0)),
  maxSessions: maybe(count(0)),
};

const STORES: Members<SupervisorStores> = {
  artifacts: maybe(artifactStore),
  journal: maybe(runJournal),
  grants: maybe(withFunctions('read', 'replace', 'remove')),
  approvals: maybe(withFunctions('put', 'decide', 'expire', 'get', 'list', 'watch', 'remove')),
  keys: maybe(withFunctions('tenantKeys')),
};

/** What questions are asked for with. */
export const approvalQuery = objectWith<ApprovalSelection>({
  tenant: maybe(tenant),
  state: maybe(wordOf('open', 'all')),
});
export const approvalId = nonEmptyText;
export const approvalAnswer = objectWith<ApprovalAnswer>({
  decision: wordOf('allow', 'deny'),
  scope: maybe(wordOf(...APPROVAL_SCOPES)),
  reason: maybe(anyText),
  principal: maybe(principalName),
});

const TELEMETRY: Members<CustomTelemetry> = {
  tracer: withFunctions('startSpan'),
  meter: maybe(withFunctions('createHistogram')),
};

const APPROVALS: Members<ApprovalOptions> = {
  onRequest: maybe(aFunction),
  timeoutMs: maybe(count(1000, 2_592_000_000)),
  holdMs: maybe(count(0, 3_600_000)),
  maxAsks: maybe(count(0, 1000)),
};

const OPTIONS: Members<SupervisorOptions> = {
  host: maybe(nonEmptyText),
  artifacts: maybe(functionOr(nonEmptyText, 'a directory or a function')),
  stores: maybe(objectWith<SupervisorStores>(STORES)),
  engine: maybe(withFunctions('enqueue', 'work', 'cancel', 'close')),
  limits: maybe(objectWith<RunLimits>(RUN_LIMITS)),
  tenant: maybe(aFunction),
  isolation: maybe(isolation),
  confinement: maybe(wordOf('auto', 'required', 'off')),
  memoryBytes: maybe(count(1)),
  variables: maybe(aFunction),
  secrets: maybe(withFunctions('resolve')),
  sharedSecrets: maybe(wordOf('refused', 'allowed')),
  isolatesPerHost: maybe(count(1)),
  hosts: maybe(count(HOSTS_LEAST)),
  onPoolEvent: maybe(aFunction),
  telemetry: maybe(objectWith<CustomTelemetry>(TELEMETRY)),
  approvals: maybe(objectWith<ApprovalOptions>(APPROVALS)),
  programDirectory: maybe(nonEmptyText),
};
export const supervisorOptions = objectWith<SupervisorOptions>(OPTIONS);

const POLICY: Members<TenantPolicy> = {
  weight: maybe(numberBetween(1, WEIGHT_MAX)),
  maxRuns: maybe(count(1)),
  maxQueued: maybe(count(0)),
  maxQueuedBytes: maybe(orNull(count(0))),
  maxProviderCalls: maybe(orNull(count(1))),
  startsPerMinute: maybe(orNull(count(1))),
  burst: maybe(count(1)),
  llmTokensPerDay: maybe(orNull(count(0))),
  costMicrousdPerDay: maybe(orNull(count(0))),
  artifactBytes: maybe(orNull(count(0))),
  isolation: maybe(isolation),
  suspended: maybe(flag),
};
/** What `tenant(id)` gave. */
export const tenantPolicy = orNull(objectWith<TenantPolicy>(POLICY));
/** What `artifacts(tenant)` and `variables(tenant)` gave. */
export const artifactRoot = fits('an absolute path', (value) => typeof value === 'string' && value.startsWith('/'));
export const variableValues = recordOf(maybe(anyText));

const PINS: Members<ApplicationPins> = {
  contentDigest: maybe(nonEmptyText),
  installationDigests: maybe(recordOf(nonEmptyText)),
};
const madeInstallation = fits(
  'what defineCustomInstallation gave',
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Reflect.get(value, 'source') === 'custom' &&
    typeof Reflect.get(value, 'checkConfig') === 'function',
);
const TERMS = {
  kind: anything,
  tenant: maybe(tenant),
  custom: maybe(listOf(madeInstallation)),
  host: maybe(nonEmptyText),
  pins: maybe(objectWith<ApplicationPins>(PINS)),
  declaredInput: maybe(wordOf('read', 'ignored')),
} as const;
type ReferenceOf<Kind extends ApplicationReference['kind']> = Extract<ApplicationReference, { readonly kind: Kind }>;
export const applicationReference = membersBy('kind', {
  directory: objectWith<ReferenceOf<'directory'>>({
    ...TERMS,
    manifest: nonEmptyText,
    workingDirectory: maybe(nonEmptyText),
  }),
  memory: objectWith<ReferenceOf<'memory'>>({
    ...TERMS,
    files: mapOf(nonEmptyText, bytes),
    manifest: maybe(nonEmptyText),
  }),
  digest: objectWith<ReferenceOf<'digest'>>({ kind: anything, tenant: maybe(tenant), contentDigest: nonEmptyText }),
});
/** Whether it is one of this supervisor, a run is answered with. */
export const application = fits(
  'what prepare gave',
  (value) => typeof value === 'object' && value !== null && typeof Reflect.get(value, 'contentDigest') === 'string',
);

const REQUEST: Members<RunRequest> = {
  input: maybe(runInput),
  inputClass: maybe(wordOf('normal', 'private')),
  tenant: maybe(tenant),
  principal: maybe(principalName),
  runRef: maybe(nonEmptyText),
  limits: maybe(limitOverrides),
  deadlineMs: maybe(count(1, LONGEST_DEADLINE_MS)),
  startWithinMs: maybe(count(0)),
  traceparent: maybe(nonEmptyText),
  attempt: maybe(count(1)),
  effectGate: maybe(aFunction),
  onApproval: maybe(aFunction),
  asker: maybe(withFunctions('ask')),
  outerPlace: maybe(withFunctions('leave', 'regain')),
  approval: maybe(wordOf('writes', 'always')),
  witness: maybe(withFunctions('begins', 'ended')),
  providers: maybe(withFunctions('close')),
  signal: maybe(aSignal),
  onEvent: maybe(aFunction),
  artifacts: maybe(wantedArtifacts),
};
export const runRequest = objectWith<RunRequest>(REQUEST);
export const resultCodec = aFunction;

export const acquisitionRequest = objectWith<AcquisitionRequest>({
  tenant: maybe(tenant),
  principal: maybe(principalName),
  signal: maybe(aSignal),
});
export const authorisationRequest = objectWith<AuthorisationRequest>({
  installation: nonEmptyText,
  redirectUri: nonEmptyText,
  tenant: maybe(tenant),
  principal: maybe(principalName),
});
export const drainOptions = objectWith<{ readonly graceMs: number }>({ graceMs: maybe(count(0)) });
