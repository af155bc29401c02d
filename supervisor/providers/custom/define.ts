import { APPROVAL_WORDS, type ApprovalWord } from '../../../contract/approval.ts';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { SelectionRule } from '../../../contract/diagnostics/messages/programs.ts';
import { plainFromJson } from '../../../contract/json/plain.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { DECISION_CAPABILITY } from '../../../contract/provider-protocol/decision.ts';
import { MODEL_CAPABILITY } from '../../../contract/provider-protocol/model.ts';
import { isReservedName } from '../../../contract/routes.ts';
import { anything, checkArguments, objectWith, type Members } from '../../platform/arguments/checks.ts';
import type { SelectionFault } from '../source/selection.ts';
import type { CustomCapability, CustomFunction, CustomInstallation, CustomOpen } from './installation.ts';
import { boundedSchema, type JsonSchema } from '../schemas/bounded-schema.ts';
import { AJV_OPTIONS } from '../schemas/schema-options.ts';

/** One function that programs may call as `(tool/<name> {...})`. */
export interface CustomCapabilitySpec {
  /** `^[a-z][a-z0-9._/-]{0,127}$`, and none of the kernel's own names. */
  readonly name: string;
  /** 1 to 4096 bytes, for models and people. */
  readonly description: string;
  /** Of the argument object, with keys as the function sees them: `-` of a program has become `_`. */
  readonly inputSchema: JsonSchema;
  /** Left out: any JSON. */
  readonly outputSchema?: JsonSchema;
  /** `write` if a second call may change what the first did; a failed write is never tried again by itself. */
  readonly effect: 'read' | 'write';
  /** Which of its calls a person is asked about (approvals.md §1); left out: none. */
  readonly approval?: ApprovalWord;
  /** Whether models see it; false by default. Decides nothing about who may call. */
  readonly modelVisible?: boolean;
  /** 1 to 300,000; 5000 by default. */
  readonly timeoutMs?: number;
  readonly call: CustomFunction;
  /** Asked after the schema; false is `invalid_arguments`. Throwing is, too. */
  readonly accepts?: (input: Readonly<Record<string, unknown>>) => boolean;
}

/** One installation of the source `custom` (providers.md §1). */
export interface CustomInstallationSpec {
  /** Name that a manifest selects, `^[a-z][a-z0-9._-]{0,127}$`; none that the host file has. */
  readonly alias: string;
  /** Changed whenever behaviour or authority changes. */
  readonly revision: string;
  /** Where manifests may select it. */
  readonly destinations: readonly ('workflow' | 'mission')[];
  /** `private_inspection` makes every run that selects it private; `normal` by default. */
  readonly dataClass?: 'normal' | 'private_inspection';
  /** Classes of runs that may send it data; only `normal` by default. */
  readonly acceptsData?: readonly ('normal' | 'private_inspection')[];
  /** Of the manifest's `config`; left out, there is none to give. */
  readonly configSchema?: JsonSchema;
  readonly capabilities: readonly CustomCapabilitySpec[];
  /** Names of credentials that the host document declares; `open` is given their values. At most 128, each once. */
  readonly credentials?: readonly string[];
  /** Called once a run that selects it, before its workflow. */
  readonly open?: CustomOpen;
  /** 1 to 300,000; 5000 by default. */
  readonly openTimeoutMs?: number;
}

const NAME = /^[a-z][a-z0-9._-]{0,127}$/;
const CAPABILITY_NAME = /^[a-z][a-z0-9._/-]{0,127}$/;
/** As tools of a server (documents.md §7). */
const DESCRIPTION_BYTES = 4096;
const TIMEOUT_MAX_MS = 300_000;
const TIMEOUT_MS = 5000;
const CAPABILITIES_MAX = 128;
const CREDENTIALS_MAX = 128;
const CLASSES = ['normal', 'private_inspection'] as const;
const DESTINATIONS = ['workflow', 'mission'] as const;

/** What each member is, is said below by its rule; here, that there are no others. */
const SPEC: Members<CustomInstallationSpec> = {
  alias: anything,
  revision: anything,
  destinations: anything,
  dataClass: anything,
  acceptsData: anything,
  configSchema: anything,
  capabilities: anything,
  credentials: anything,
  open: anything,
  openTimeoutMs: anything,
};
const CAPABILITY: Members<CustomCapabilitySpec> = {
  name: anything,
  description: anything,
  inputSchema: anything,
  outputSchema: anything,
  effect: anything,
  approval: anything,
  modelVisible: anything,
  timeoutMs: anything,
  call: anything,
  accepts: anything,
};

/**
 * Makes an installation of functions of the calling program. Throws TypeError, naming the rule, for a specification
 * that breaks one: it is code, and wrong code does not reach a run.
 */
export function defineCustomInstallation(spec: CustomInstallationSpec): CustomInstallation {
  checkArguments('defineCustomInstallation', { spec: [spec, objectWith<CustomInstallationSpec>(SPEC)] });
  const {
    alias,
    revision,
    dataClass = 'normal',
    acceptsData = ['normal'],
    destinations,
    credentials = [],
    open = null,
  } = spec;
  requireMember(NAME.test(alias), `an alias matches ${NAME.source}`);
  requireMember(NAME.test(revision), `the revision of ${alias} matches ${NAME.source}`);
  requireMember(CLASSES.includes(dataClass), `the data class of ${alias} is normal or private_inspection`);
  requireMember(isUniqueOf(acceptsData, CLASSES), `acceptsData of ${alias} lists one or both data classes`);
  requireMember(isUniqueOf(destinations, DESTINATIONS), `destinations of ${alias} lists workflow, mission or both`);
  requireMember(open === null || typeof open === 'function', `open of ${alias} is a function`);
  requireMember(
    isCredentialList(credentials),
    `credentials of ${alias} lists at most ${CREDENTIALS_MAX} names, each once`,
  );
  requireMember(credentials.length === 0 || open !== null, `${alias} has credentials and no open that is given them`);
  const openTimeoutMs = milliseconds(spec.openTimeoutMs, `openTimeoutMs of ${alias}`);
  const { capabilities: listed } = spec;
  requireMember(
    Array.isArray(listed) && listed.length >= 1 && listed.length <= CAPABILITIES_MAX,
    `${alias} has 1 to ${CAPABILITIES_MAX} capabilities`,
  );
  const capabilities = listed
    .map((capability) => defineCapability(alias, capability))
    .toSorted((left, right) => compareUtf8(left.name, right.name));
  requireMember(
    new Set(capabilities.map(({ name }) => name)).size === capabilities.length,
    `no two capabilities of ${alias} have one name`,
  );
  const config = spec.configSchema === undefined ? null : boundedSchema(spec.configSchema, `configSchema of ${alias}`);
  return Object.freeze({
    source: 'custom',
    alias,
    installation_revision: revision,
    data_class: dataClass,
    accepts_data: acceptsData.toSorted(compareUtf8),
    destinations: new Set(destinations),
    credentials: credentials.toSorted(compareUtf8),
    capabilities: new Map(capabilities.map((capability) => [capability.name, capability])),
    checkConfig: configChecker(config === null ? null : plainFromJson(config.json)),
    open,
    openTimeoutMs,
    identity: new Map<string, JsonValue>([
      ['source', 'custom'],
      ['data_class', dataClass],
      ['accepts_data', acceptsData.toSorted(compareUtf8)],
      ['destinations', destinations.toSorted(compareUtf8)],
      ['config_schema', config === null ? null : config.json],
      ['open_timeout_ms', openTimeoutMs],
      ...(credentials.length === 0 ? [] : [['credentials', credentials.toSorted(compareUtf8)] as const]),
      ['capabilities', capabilities.map(capabilityIdentity)],
    ]),
  });
}

function defineCapability(alias: string, spec: CustomCapabilitySpec): CustomCapability {
  checkArguments('defineCustomInstallation', {
    [`a capability of ${alias}`]: [spec, objectWith<CustomCapabilitySpec>(CAPABILITY)],
  });
  const { name, description, effect, approval, modelVisible = false, call, accepts = null } = spec;
  const role = `capability ${JSON.stringify(name)} of ${alias}`;
  requireMember(
    typeof name === 'string' && CAPABILITY_NAME.test(name),
    `the name of ${role} matches ${CAPABILITY_NAME.source}`,
  );
  requireMember(
    !isReservedName(name) && name !== MODEL_CAPABILITY && name !== DECISION_CAPABILITY,
    `${role} has a reserved name`,
  );
  const bytes = typeof description === 'string' && description.isWellFormed() ? Buffer.byteLength(description) : 0;
  requireMember(
    bytes >= 1 && bytes <= DESCRIPTION_BYTES,
    `the description of ${role} has 1 to ${DESCRIPTION_BYTES} bytes`,
  );
  requireMember(effect === 'read' || effect === 'write', `the effect of ${role} is read or write`);
  requireMember(
    approval === undefined || APPROVAL_WORDS.includes(approval),
    `approval of ${role} is one of ${APPROVAL_WORDS.join(', ')}`,
  );
  requireMember(typeof modelVisible === 'boolean', `modelVisible of ${role} is a boolean`);
  requireMember(typeof call === 'function', `call of ${role} is a function`);
  requireMember(accepts === null || typeof accepts === 'function', `accepts of ${role} is a function`);
  return Object.freeze({
    name,
    description,
    inputSchema: boundedSchema(spec.inputSchema, `the input schema of ${role}`),
    outputSchema: boundedSchema(spec.outputSchema ?? true, `the output schema of ${role}`),
    effect,
    ...(approval === undefined ? {} : { approval }),
    modelVisible,
    timeoutMs: milliseconds(spec.timeoutMs, `timeoutMs of ${role}`),
    call,
    accepts,
  });
}

function capabilityIdentity({
  name,
  description,
  inputSchema,
  outputSchema,
  effect,
  approval,
  modelVisible,
  timeoutMs,
}: CustomCapability): JsonValue {
  return new Map<string, JsonValue>([
    ['name', name],
    ['description', description],
    ['input_schema', inputSchema.json],
    ['output_schema', outputSchema.json],
    ['effect', effect],
    ...(approval === undefined ? [] : [['approval', approval] as const]),
    ['model_visible', modelVisible],
    ['timeout_ms', timeoutMs],
  ]);
}

function milliseconds(input: number | undefined, role: string): number {
  const value = input ?? TIMEOUT_MS;
  requireMember(
    Number.isInteger(value) && value >= 1 && value <= TIMEOUT_MAX_MS,
    `${role} is an integer from 1 to ${TIMEOUT_MAX_MS}`,
  );
  return value;
}

function isUniqueOf(input: readonly string[], known: readonly string[]): boolean {
  return (
    Array.isArray(input) &&
    input.length >= 1 &&
    new Set(input).size === input.length &&
    input.every((item) => known.includes(item))
  );
}

function isCredentialList(input: readonly string[]): boolean {
  return (
    Array.isArray(input) &&
    input.length <= CREDENTIALS_MAX &&
    new Set(input).size === input.length &&
    input.every((name) => typeof name === 'string' && NAME.test(name))
  );
}

function requireMember(holds: boolean, rule: string): void {
  if (!holds) throw new TypeError(rule);
}

/** Rules of a selection that a schema's keyword expresses (documents.md §3). */
const RULES: Readonly<Record<string, SelectionRule>> = {
  type: 'type',
  required: 'required',
  enum: 'enum',
  const: 'enum',
  minimum: 'minimum',
  exclusiveMinimum: 'minimum',
  maximum: 'ceiling',
  exclusiveMaximum: 'ceiling',
  uniqueItems: 'unique_items',
};
const FIELD = /^[a-z][a-z_]{0,63}$/;

function configChecker(schema: unknown): CustomInstallation['checkConfig'] {
  if (schema === null) return (config: JsonObject) => (config.size === 0 ? null : 'unknown_property');
  const validate = new Ajv2020(AJV_OPTIONS).compile(Object(schema));
  return (config) => (validate(plainFromJson(config)) ? null : selectionFault(validate.errors?.[0]));
}

/** The first fault, by the field of the configuration that it is in: a name that the schema knows, or none. */
function selectionFault(error: ErrorObject | undefined): SelectionFault {
  const { keyword = '', instancePath = '', params = {} }: Partial<ErrorObject> = error ?? {};
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return 'unknown_property';
  const { missingProperty }: Readonly<Record<string, unknown>> = params;
  const [, top] = instancePath.split('/');
  const field = top ?? missingProperty;
  return { field: typeof field === 'string' && FIELD.test(field) ? field : 'config', rule: RULES[keyword] ?? 'type' };
}
