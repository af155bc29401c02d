import type { ApprovalAnswer, ApprovalCallback } from '../../../contract/approval.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { Effect, EffectGate } from '../../../contract/effect.ts';
import type { GrantStore } from '../../../contract/provider-protocol/grant-store.ts';
import type { RunFailure, RunSuccess } from '../../../contract/envelope/types.ts';
import type { EffectiveLimits, WrittenLimits } from '../../../contract/limits/effective.ts';
import type { PoolEvent } from '../../../sandbox/pool/pool-event.ts';
import type { CustomInstallation } from '../../providers/custom/installation.ts';
import type { JobEngine } from '../engine/interface.ts';
import type { ProviderAdmissionCounts } from '../../providers/admission/provider-admission.ts';
import type { RunEvent, RunEventListener } from '../../evidence/run-events/run-events.ts';
import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import type { RunPlace } from '../../calls/approvals/leased-place.ts';
import type { ApprovalStore, DecisionOutcome, StoredApproval } from '../stores/approval-store.ts';
import type { ArtifactStore, RunJournal, SecretProvider } from '../stores/interface.ts';
import type { CustomTelemetry } from '../../evidence/telemetry/own-tracer.ts';
import type {
  CodeRoom,
  CodeSession,
  CodeSessionOptions,
  RestoreOptions,
  SealingKeys,
} from '../../code/embedded/types.ts';
import type { Isolation, RunLimits, TenantPolicy } from '../../platform/tenant.ts';
import type { RefusalCode, RetryAdvice, RunArtifact, RunEffects } from '../../run/reported-end.ts';

export type { RefusalCode, RetryAdvice, RunArtifact, RunEffects } from '../../run/reported-end.ts';

/** What a supervisor is made with (gateway.md §16). */
export interface SupervisorOptions {
  /**
   * Host document of every application that is prepared without one of its own; a path, from the working directory
   * unless absolute.
   */
  readonly host?: string;
  /**
   * Directory below which artifacts of runs are left, a folder for each tenant; made when it is absent, and of this
   * user alone. A function: the directory of each tenant itself, absolute, which several may share. Without either a
   * run that asks for artifacts is refused, and a private run cannot leave its result anywhere.
   */
  readonly artifacts?: string | ((tenant: string) => string);
  /** Where what runs leave, and what people grant, is kept. */
  readonly stores?: SupervisorStores;
  /**
   * Delivers runs, to this supervisor or to others on the same record, which `stores.journal` has to be; this one
   * performs those of applications that it has prepared. A run has no `effectGate`, `attempt`, `startWithinMs`,
   * `witness` or `providers` of its own then.
   */
  readonly engine?: JobEngine;
  /**
   * Over all tenants: 32 runs, 1,000 that wait with 64 MB of input, 64 calls of models and 256 that wait, 64 sessions,
   * by default.
   */
  readonly limits?: Partial<RunLimits>;
  /**
   * What one tenant may have, asked at each run; null: there is no such tenant. What it leaves out is 4 runs, 100 that
   * wait, weight 1 and no other bound. By default the tenant of runs that name none has all.
   */
  readonly tenant?: (id: string) => Partial<TenantPolicy> | null;
  /** Which runs may share a process, where their tenant's policy does not say it; `process` by default. */
  readonly isolation?: Isolation;
  /**
   * Whether host processes are confined: as far as the system allows it (`auto`, by default), else not at all
   * (`required`: the supervisor does not start there), or never (`off`).
   */
  readonly confinement?: 'auto' | 'required' | 'off';
  /**
   * What there is for this process and its hosts; the machine's memory, or what this process is held to, by default.
   */
  readonly memoryBytes?: number;
  /**
   * Variables from which the host documents' credentials are taken, by tenant; by default those of the process, for all
   * alike.
   */
  readonly variables?: (tenant: string) => Readonly<Record<string, string | undefined>>;
  /**
   * Asked for every credential that a host document declares, when a run acquires what needs it; a variable, file or
   * literal of the document is not looked at then. What it does not answer within 5 s, or rejects, is
   * `credential_unavailable`.
   */
  readonly secrets?: SecretProvider;
  /**
   * Whether one value of `secrets` may be that of two tenants, who then reach the same data upstream; by default the
   * second one's run is refused as `credential_unavailable`.
   */
  readonly sharedSecrets?: 'refused' | 'allowed';
  /** Isolates that one host process holds at most; 64 by default. */
  readonly isolatesPerHost?: number;
  /**
   * Host processes at most, 3 or more; 64 by default. Half of them at most hold workflows. One that nobody uses gives
   * way to anyone who needs one, and no tenant can hold all of them.
   */
  readonly hosts?: number;
  /** Called with what happens to the processes, after it has. What it throws is dropped. */
  readonly onPoolEvent?: (event: PoolEvent) => void;
  /**
   * Tracer and meter of the calling program, of OpenTelemetry, which spans and metrics of its runs are written with
   * when each has ended; what they throw is dropped. Without it, the collector that the variables of OTLP name, where
   * `SVC_OTEL=1` is set.
   */
  readonly telemetry?: CustomTelemetry;
  /** Who is asked about calls that need a person's yes; by default nobody can be (approvals.md §7). */
  readonly approvals?: ApprovalOptions;
  /** Folder of the built program, where it is not the one that this file is in. */
  readonly programDirectory?: string;
}

/** Whose questions; by default those of runs that name no tenant. */
export interface ApprovalSelection {
  readonly tenant?: string;
  /** `open`: those that can still be decided; by default all that are kept. */
  readonly state?: 'open' | 'all';
}

/** The questions that wait in `stores.approvals`. All reject with `StoreError`. */
export interface SupervisorApprovals {
  /** In the order in which they were asked. */
  list(query?: ApprovalSelection): Promise<readonly StoredApproval[]>;
  /** Null: the tenant has none of this id. */
  get(id: string, query?: Pick<ApprovalSelection, 'tenant'>): Promise<StoredApproval | null>;
  /** The first decision counts; the answer to a later one is `already`. */
  decide(id: string, answer: ApprovalAnswer, query?: Pick<ApprovalSelection, 'tenant'>): Promise<DecisionOutcome>;
}

/** How the runs of a supervisor ask. */
export interface ApprovalOptions {
  readonly onRequest?: ApprovalCallback;
  /** Milliseconds until a question expires, 1000 to 2,592,000,000; that of the host document by default. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds that a run keeps its place among those that go on at once while it waits, 0 to 3,600,000; that of the
   * host document by default. Afterwards another run may begin, and it comes back before runs that are new.
   */
  readonly holdMs?: number;
  /** Questions of one run, 0 to 1000; those of the host document by default. */
  readonly maxAsks?: number;
}

/** Stores of a supervisor (gateway.md §16); the caller closes what they hold after the supervisor. */
export interface SupervisorStores {
  /**
   * In place of `artifacts`: `trace.jsonl`, `inspection.svcins` and `result.json` of a run under its tenant, name and
   * attempt. A run whose places cannot be taken is refused as `unavailable`; what cannot be written at its end is
   * reported as a publication that failed.
   */
  readonly artifacts?: ArtifactStore;
  /**
   * Has each run from when it begins, under a name that is taken once. While it is away nothing begins, no call that
   * may write leaves, and what goes on comes to an end that is written as soon as it can be.
   */
  readonly journal?: RunJournal;
  /**
   * Where grants of people are kept (OAuth): a run uses those of its tenant and principal. One that does not answer
   * within 5 s, or rejects, is `authorization_unavailable`. Without one nobody can have granted anything.
   */
  readonly grants?: GrantStore;
  /** Where questions wait for who decides later (approvals.md §7). Without it they are asked at once, or not at all. */
  readonly approvals?: ApprovalStore;
  /** Keys that sessions are saved with, by tenant. Without them each `save` and `restoreSession` is given its key. */
  readonly keys?: SealingKeys;
}

interface ReferenceOwner {
  /**
   * Whose documents they are: what is compiled is kept for this tenant alone, so that no other learns from the time
   * that
   * `prepare` takes whether anybody has the same. By default that of the embedding program itself.
   */
  readonly tenant?: string;
}

/** What every way of naming an application has in common. */
interface ReferenceTerms extends ReferenceOwner {
  /** Functions that the application may select. */
  readonly custom?: readonly CustomInstallation[];
  /** Host document in place of the supervisor's and of a project's; a path. */
  readonly host?: string;
  /** What was seen when the application was accepted: it is refused as `pin_mismatch` when anything is different. */
  readonly pins?: ApplicationPins;
  /**
   * `ignored`: a declared input file is not opened, and each run brings its input. By default it is read once, with the
   * rest.
   */
  readonly declaredInput?: 'read' | 'ignored';
}

/** Digests that an application must still have. */
export interface ApplicationPins {
  readonly contentDigest?: string;
  /** Exactly the installations that the application selects. */
  readonly installationDigests?: Readonly<Record<string, string>>;
}

/**
 * An application by its files on this machine, by its files as bytes, or by the digest of one that this supervisor
 * still has.
 */
export type ApplicationReference =
  /**
   * `manifest`: manifest or project document, from `workingDirectory` (that of the process by default) unless absolute.
   */
  | (ReferenceTerms & { readonly kind: 'directory'; readonly manifest: string; readonly workingDirectory?: string })
  /** By logical name; `manifest` is `svc.json` by default. Nothing of the machine is read but a host document. */
  | (ReferenceTerms & {
      readonly kind: 'memory';
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly manifest?: string;
    })
  | (ReferenceOwner & { readonly kind: 'digest'; readonly contentDigest: string });

/** JSON Schema as plain data. */
export type ContractSchema = Readonly<Record<string, unknown>>;

/** An application that is read, checked and compiled: immutable, with no secret and nothing of a tenant in it. */
export interface PreparedApplication {
  readonly contentDigest: string;
  readonly effectiveDigest: string;
  /** Of every selected installation of the host document, by alias. */
  readonly installationDigests: Readonly<Record<string, string>>;
  /** What a run may do to the world, as far as that is known before anything is acquired. */
  readonly effect: Effect;
  /** Whether a run may ask a person about a call, as far as that is known before anything is acquired. */
  readonly asks: boolean;
  /** In normalised form, header annotations kept; null where the manifest declares none. */
  readonly contracts: { readonly input: ContractSchema | null; readonly result: ContractSchema | null };
  /** What a run enforces; null is off. */
  readonly limits: EffectiveLimits;
}

/** What is asked of one run. */
export interface RunRequest {
  /**
   * Plain JSON data, an object; or the bytes of a JSON document, which keep every number as it is. The manifest's own
   * by default.
   */
  readonly input?: Readonly<Record<string, unknown>> | Uint8Array;
  /** `private` makes the run private; `normal` by default. */
  readonly inputClass?: 'normal' | 'private';
  /** 1 to 128 letters, digits, dots, dashes and underscores; by default all runs are of one. */
  readonly tenant?: string;
  /**
   * Whose grants the run uses: a person, as the caller names them in 1 to 256 characters. By default the tenant's own.
   */
  readonly principal?: string;
  /** A name that the caller chose, of the form of `createRunRef()`; by default a new one. */
  readonly runRef?: string;
  /** Lower values than the application has; wider ones throw RangeError. */
  readonly limits?: WrittenLimits;
  /** Milliseconds from now until the run has to be over, also while it waits; whole, 1 or more. */
  readonly deadlineMs?: number;
  /**
   * Milliseconds that it waits for its place at most, whole, 0 or more; later it is refused as `queue_full`. By default
   * until its deadline.
   */
  readonly startWithinMs?: number;
  /** Place of the caller in its own trace (W3C Trace Context, version 00); the trace of the run names it. */
  readonly traceparent?: string;
  /** Which attempt at a run of this name, from 1; a name is asked for once with each. 1 by default. */
  readonly attempt?: number;
  /**
   * Asked before a call of a capability leaves, with what it may do and what the run has committed of its budgets; it
   * does not leave where the answer is false or none. For anyone who has to know of an effect before it can happen.
   */
  readonly effectGate?: EffectGate;
  /** Who is asked about calls that need a person's yes; wins over that of the supervisor. */
  readonly onApproval?: ApprovalCallback;
  /** Who asks in place of all callbacks and stores: for anyone who serves runs to clients of another protocol. */
  readonly asker?: ApprovalAsker;
  /** A place that it holds elsewhere, given up and taken again with the one here: for those who have runs delivered. */
  readonly outerPlace?: RunPlace;
  /** Asks about calls that write, or about all, in addition to those that the documents name. */
  readonly approval?: 'writes' | 'always';
  /** Has the run on record elsewhere, before it begins and before its place is free. */
  readonly witness?: RunWitness;
  /**
   * What was opened for the application, its tenant and its principal before; by default the run opens everything
   * itself.
   */
  readonly providers?: OpenedProviders;
  /** Aborted to cancel the run, for any reason. */
  readonly signal?: AbortSignal;
  /** Called with every event in order. */
  readonly onEvent?: RunEventListener;
  /** What the run leaves below the supervisor's `artifacts`; by default what a project asks for, where it asks. */
  readonly artifacts?: { readonly trace?: boolean; readonly inspection?: boolean; readonly result?: boolean };
}

/** What is opened before any run, and for whom. */
export interface AcquisitionRequest {
  /** Whose runs may have it; as of a run. */
  readonly tenant?: string;
  readonly principal?: string;
  /** Aborted when nobody wants it any more. */
  readonly signal?: AbortSignal;
}

/** What became of it: a code of the catalogue, or `prepared_stale`, `tenant_unknown`, `draining`. */
export type AcquisitionAnswer =
  | { readonly kind: 'acquired'; readonly providers: OpenedProviders }
  | { readonly kind: 'refused'; readonly code: string; readonly diagnostic: Diagnostic | null };

/**
 * Models and servers of tools that an application selects, open for any number of its runs (gateway.md §10). Snapshots
 * of evidence and functions of the program are opened by each run itself.
 */
export interface OpenedProviders {
  /** `sha256:` and 64 hex digits of what each was found to be, by `destination/alias`. */
  readonly identities: Readonly<Record<string, string>>;
  /**
   * Settles when one of them is lost, or is not to be used any more: from then on runs that are lent it are refused it.
   */
  readonly lost: Promise<void>;
  /** Closes them, also under runs that have them; false: the end of one could not be proved. */
  close(): Promise<boolean>;
}

/** Anyone who must know of a run before anything of it happens. */
export interface RunWitness {
  /**
   * When the run has its place, and none of it has started; where the answer is false, or none, it is refused as
   * `unavailable`.
   */
  begins(): Promise<boolean>;
  /** What became of a run that was to begin, of which nobody else was reported yet. A rejection changes nothing. */
  ended(end: RunResult): Promise<void>;
}

/** Makes a typed value of a run's result; what it throws rejects `result`. */
export type ResultCodec<T> = (value: unknown) => T;

/** Nothing was done for the run, and there is no envelope. */
export interface RunRefused {
  readonly kind: 'refused';
  readonly runRef: string;
  readonly code: RefusalCode;
  /** When to come again, milliseconds from now; null: it is refused again. */
  readonly retryAfterMs: number | null;
  /** Of `input_invalid`: the rule that the input breaks. */
  readonly diagnostic: Diagnostic | null;
}

/** The run came to an end of its own, good or bad. */
export interface RunFinished<T> {
  readonly kind: 'finished';
  readonly runRef: string;
  /** Version 5, without the value of a success, which is next to it. */
  readonly envelope: RunSuccess | RunFailure;
  /** The whole envelope as canonical JSON; every number in it is exact. */
  readonly envelopeText: string;
  /** Of a normal run that succeeded; absent otherwise. */
  readonly value?: T;
  /** The same as canonical JSON. */
  readonly valueText: string | null;
  readonly artifacts: readonly RunArtifact[];
  readonly effects: RunEffects;
  readonly retry: RetryAdvice;
  /**
   * It ended because its caller wanted it to (`cancel`, `signal`): the envelope then says `internal_error`. Not of a
   * deadline or a drained supervisor.
   */
  readonly cancelled: boolean;
  /** From 1. */
  readonly attempt: number;
  /** What the command line would have exited with (cli.md §5). */
  readonly exitStatus: number;
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
}

/** What became of a run. */
export type RunResult<T = unknown> = RunRefused | RunFinished<T>;

/** A run that was asked for. */
export interface RunHandle<T = unknown> {
  readonly runRef: string;
  /** For one consumer, who may come late: 256 events or 1 MiB are held, of more the oldest progress is dropped. */
  readonly events: AsyncIterable<RunEvent>;
  /** Never rejects for what the run, its tenant or the machine does; only for what a codec throws. */
  readonly result: Promise<RunResult<T>>;
  /**
   * Stops the run in its order, at any moment from the call of `run` on; resolves when none of it is alive. Does
   * nothing a second time, and nothing to a run that has ended.
   */
  cancel(reason?: string): Promise<void>;
}

/** What a person is asked to allow (providers.md §9). */
export interface AuthorisationRequest {
  /** Alias of a server of tools that the application selects. */
  readonly installation: string;
  /**
   * Where the person comes back to: an address of the calling program, one of those that the host document registers.
   */
  readonly redirectUri: string;
  /** Whose runs may use the grant; as of a run. */
  readonly tenant?: string;
  readonly principal?: string;
}

/** Where the person goes, or why nobody is asked. */
export type AuthorisationAnswer =
  | {
      readonly kind: 'begun';
      /** Where the person has to go. */
      readonly url: string;
      /** Once, with the whole address that the person came back to; a code is good for one try. Never rejects. */
      finish(arrivedAt: string): Promise<{ readonly kind: 'granted' } | AuthorisationRefused>;
    }
  | AuthorisationRefused;

/** Nothing is granted: a code of the catalogue, or `prepared_stale`, `tenant_unknown`, `draining`. */
export interface AuthorisationRefused {
  readonly kind: 'refused';
  readonly code: string;
}

/** How a supervisor was drained. */
export interface Drained {
  /** Every run came to its own end. */
  readonly clean: boolean;
  /** Runs that had to be stopped. */
  readonly forced: number;
}

/** Counts, and no content. */
export interface SupervisorSnapshot {
  readonly state: 'ready' | 'draining' | 'closed';
  /** `waiting`: runs that gave their place up while they wait for a person (approvals.md §9). */
  readonly runs: { readonly running: number; readonly queued: number; readonly waiting: number };
  /** Sessions that are open. */
  readonly sessions: number;
  /** Of tenants that have or want something. */
  readonly tenants: Readonly<Record<string, { readonly running: number; readonly queued: number }>>;
  readonly providerCalls: ProviderAdmissionCounts;
  /** Of this process and its hosts. */
  readonly memory: { readonly residentBytes: number; readonly isPressed: boolean };
  readonly applications: { readonly applications: number; readonly bytes: number };
  /** Whether host processes are confined. */
  readonly confinement: 'confined' | 'unconfined';
  /** What they are kept from: the network, files but those they are made of, processes but their own. */
  readonly confinedFrom: readonly ('network' | 'files' | 'processes')[];
}

/** Runs applications of many tenants inside another program (gateway.md §16). */
export interface Supervisor {
  /** Rejects with `PreparationError`. Callers that ask for the same at the same time share one build. */
  prepare(reference: ApplicationReference): Promise<PreparedApplication>;
  /** Throws TypeError and RangeError for a request that no tenant could mean. */
  run(application: PreparedApplication, request?: RunRequest): RunHandle;
  run<T>(application: PreparedApplication, request: RunRequest, codec: ResultCodec<T>): RunHandle<T>;
  /**
   * Has a person authorise a server of tools, whose grant is kept in `stores.grants`. Rejects with
   * TypeError where there is none.
   */
  authorise(application: PreparedApplication, request: AuthorisationRequest): Promise<AuthorisationAnswer>;
  /** Opens what an application selects, once for many runs. */
  acquire(application: PreparedApplication, request?: AcquisitionRequest): Promise<AcquisitionAnswer>;
  /**
   * Opens a sandbox for programs over a mission of an application, or over a room of tools and data (code-mode.md §6).
   * Rejects with `SessionNotOpened`, with `PreparationError` for a room whose documents are refused, and with TypeError
   * for what is no room.
   */
  openSession(room: PreparedApplication | CodeRoom, options?: CodeSessionOptions): Promise<CodeSession>;
  /**
   * Opens a session that was saved, over the same room. Rejects as `openSession` does, and with `SessionNotRestored`
   * for bytes that were not saved there.
   */
  restoreSession(
    bytes: Uint8Array,
    room: PreparedApplication | CodeRoom,
    options?: RestoreOptions,
  ): Promise<CodeSession>;
  /** Questions that wait for a person, where `stores.approvals` keeps them. */
  readonly approvals: SupervisorApprovals;
  snapshot(): SupervisorSnapshot;
  /**
   * Refuses what comes and what waits, and lets what goes on come to its end; what has not within `graceMs` (10,000 by
   * default) is stopped.
   */
  drain(options?: { readonly graceMs?: number }): Promise<Drained>;
  /** Stops what goes on and ends every process of it. */
  close(): Promise<void>;
}
