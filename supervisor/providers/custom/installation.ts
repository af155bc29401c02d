import type { ApprovalWord } from '../../../contract/approval.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { Credentials } from '../../../contract/provider-protocol/credentials.ts';
import type { SelectionFault } from '../source/selection.ts';
import type { AcquisitionFailure } from './outcome.ts';
import type { BoundedSchema } from '../schemas/bounded-schema.ts';

/** What a function may know of its call. */
export interface CustomCall {
  /** Aborted at the deadline, when the evaluation that called has ended, and when the run is over. */
  readonly signal: AbortSignal;
  /** Milliseconds that were left when the call began. */
  readonly deadlineMs: number;
  /** Name of the call in trace and inspection. */
  readonly capabilityId: string;
}

/**
 * Plain JSON data, or what `providerError` or `notDispatched` gives. What it throws is `provider_error/exception`; what
 * it answers after its deadline is discarded.
 */
export type CustomFunction = (input: Readonly<Record<string, unknown>>, call: CustomCall) => unknown;

export interface CustomOpening {
  /** The manifest's `config` for this selection. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly destination: 'workflow' | 'mission';
  /** Values of the credentials that the installation names, and of no other. */
  readonly credentials: Credentials;
  /** Aborted when the run stops before it has started, and when `openTimeoutMs` have passed. */
  readonly signal: AbortSignal;
}

/** What `open` gives: functions by name that replace the declared ones for this run, and what closes them. */
export interface CustomSession {
  readonly calls?: Readonly<Record<string, CustomFunction>>;
  /** Called once, after the run's last call has ended. Throwing is `provider_cleanup_failed`. */
  readonly close?: () => void | Promise<void>;
}

/** Opens a session for one run; undefined: it needs none. */
export type CustomOpen = (
  opening: CustomOpening,
) => CustomSession | AcquisitionFailure | undefined | Promise<CustomSession | AcquisitionFailure | undefined>;

export interface CustomCapability {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: BoundedSchema;
  readonly outputSchema: BoundedSchema;
  readonly effect: 'read' | 'write';
  /** Absent: nobody is asked. */
  readonly approval?: ApprovalWord;
  /** Whether this very call is asked about as well; what it throws counts as yes. Absent: `approval` says all. */
  readonly asks?: (input: Readonly<Record<string, unknown>>) => Promise<boolean>;
  readonly modelVisible: boolean;
  readonly timeoutMs: number;
  readonly call: CustomFunction;
  /** What no schema says of its arguments. */
  readonly accepts: ((input: Readonly<Record<string, unknown>>) => boolean) | null;
}

/** Functions of the embedding program under one alias, checked and frozen; made by `defineCustomInstallation`. */
export interface CustomInstallation {
  readonly source: 'custom';
  readonly alias: string;
  readonly installation_revision: string;
  readonly data_class: 'normal' | 'private_inspection';
  /** In byte order. */
  readonly accepts_data: readonly ('normal' | 'private_inspection')[];
  readonly destinations: ReadonlySet<'workflow' | 'mission'>;
  /** Names in the `credentials` of the host document, in byte order. */
  readonly credentials: readonly string[];
  /** By name, in byte order. */
  readonly capabilities: ReadonlyMap<string, CustomCapability>;
  /** What the manifest's `config` breaks; null where it is right. */
  readonly checkConfig: (config: JsonObject) => SelectionFault | null;
  readonly open: CustomOpen | null;
  readonly openTimeoutMs: number;
  /** What digests see: everything but alias, revision and code. */
  readonly identity: JsonObject;
  /** What a trace says about its tools where they are too many to be named: 64 hex digits. Absent: their names. */
  readonly toolsHash?: string;
}
