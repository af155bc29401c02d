import type { Success } from '../../../contract/outcome.ts';
import type { Destination } from '../../../contract/diagnostics/diagnostic.ts';
import type { Effect } from '../../../contract/effect.ts';
import type { DataClass } from '../../../contract/envelope/results.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import type { GrantKey, GrantStore } from '../../../contract/provider-protocol/grant-store.ts';
import type { Credentials, Secret } from '../../../contract/provider-protocol/credentials.ts';
import type { LocalFinding, ProbeAnswer } from '../../../contract/provider-protocol/checks.ts';
import type {
  AcquisitionRefusal,
  SharingRun,
  ProviderSession,
  SnapshotFacts,
} from '../../../contract/provider-protocol/session.ts';
import type { Capability } from '../../calls/broker/capability.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { ApprovalOf } from './approval.ts';
import type { CallAdmission } from './call-admission.ts';
import type { NormalisedSelection, SelectionCheck } from './selection.ts';

/**
 * One installation as every step of a command sees it, whatever its source is. A row of the table of sources
 * (providers/table.ts) makes it; nobody else asks what source something is of.
 */
export interface InstalledProvider {
  /** Word of the source, for digests and snapshots. */
  readonly source: string;
  readonly revision: string;
  readonly policy: DataPolicy;
  readonly authorization: 'none' | 'oauth';
  /** Names of the credentials that it is given, of those that the host document declares. */
  readonly credentials: readonly string[];
  /** Whether it is reached by `llm-request` or `decision-request` and its calls are counted by alias. */
  readonly isModel: boolean;
  /** What selections of other sources may need, and what this one needs exactly one of (providers.md §1). */
  readonly provides: Service | null;
  readonly requires: Service | null;
  /** What its configuration digest is taken of: everything but revision and secrets (documents.md §10). */
  identity(): JsonObject;
  /** Whether a manifest may select it there, with this `config` (documents.md §3). */
  isPlaceable(destination: Destination, config: JsonObject): boolean;
  /** Checks the `config` of a selection that may be there. */
  select(destination: Destination, config: JsonObject, limits: EffectiveLimits): SelectionCheck;
  /** Which of its calls a person is asked about, as its host says; absent: of those of this source nobody is asked. */
  readonly approvalOf?: ApprovalOf;
  /** Capabilities that are known before it is acquired, under the alias that it is installed as. */
  offers(selection: NormalisedSelection, alias: string): readonly Offer[];
  /** How `doctor --connect` learns that it can be reached (providers.md §12). */
  readonly connectivity: 'none' | 'acquisition' | 'probe';
  /** An audited check of stage 4; null: the source has none. */
  readonly localCheck: LocalCheck | null;
  /**
   * One short request that shows whether it answers; null where connectivity is no probe, and where there is no
   * adapter.
   */
  readonly probe: Probe | null;
  /** Of a language model that is asked live: what is known of it without asking anybody. Null for everything else. */
  readonly describeModel: (() => Promise<ModelDescription>) | null;
  /** Null where nobody has to authorise it. */
  readonly authorisable: Authorisable | null;
  /** Stage 6; null: there is no adapter for the source. */
  readonly acquire: Acquire | null;
  /** Whether others that say so too may be opened at the same time: none of it is this process's own code. */
  readonly opensBeside: boolean;
  /** Whether a selection that is open may serve more runs than one, and so be opened before any of them. */
  isShareable(selection: NormalisedSelection): boolean;
  /** How a gateway serves a selection that is there (gateway.md §1). */
  servedThere(destination: Destination): GatewayUse;
  /**
   * Of a server of tools: asks what it offers, and closes it; null for everything else, and where there is no adapter.
   */
  readonly catalogue: ListCatalogue | null;
}

/**
 * Opened once, at the start of the gateway, and lent to calls; or captured again by each call, from a directory that
 * starts from that of the host document; or not served: what wants the consent of a person, what each run asks for by
 * itself, and what is private.
 */
export type GatewayUse = 'opened-once' | 'not-served' | { readonly directory: string };

/** What a person has to allow (providers.md §9). Its functions never throw. */
export interface Authorisable {
  /** The name of somebody's grant in a store. Rejects nothing and asks nobody. */
  keyOf(owner: { readonly tenant: string; readonly principal: string }): Promise<GrantKey>;
  /** Stage 5a, where the calling program keeps grants: whether somebody granted it before. */
  isGranted(tools: Granting): Promise<GrantState>;
  /**
   * Has a person authorise it, who comes back to this machine: for one run (stage 5b, `--authorize-mcp`), or for the
   * user (`svc auth login`). `release` is called once a run has opened what it selects, or will not.
   */
  authorise(
    tools: AuthorisationTools,
  ): Promise<{ readonly ok: true; readonly release: () => void } | AuthorisationRefusal>;
  /** Has a person authorise it who comes back to `redirectUri`, of the calling program. */
  begin(
    tools: Granting & { readonly alias: string; readonly credentials: Credentials; readonly redirectUri: string },
  ): Promise<StartedAuthorisation | AuthorisationRefusal>;
}

/** `problem`: what is wrong with the store, in words of its own for people; null where it says nothing. */
export type GrantState =
  | { readonly state: 'granted' | 'none' }
  | { readonly state: 'unavailable'; readonly problem: string | null };

/** Who grants, and where it is kept. */
export interface Granting {
  readonly tenant: string;
  readonly grants: GrantUse;
}

/** Where the calling program keeps grants, and whose are used. */
export interface GrantUse {
  readonly store: GrantStore;
  /** A person, as the calling program names them. */
  readonly principal: string;
}

export interface AuthorisationTools {
  readonly tenant: string;
  /** Whose grant it becomes: that of one run, which is kept in memory, or that of a person in a store. */
  readonly owner: { readonly runRef: string } | GrantUse;
  readonly alias: string;
  /** Those that the installation names. */
  readonly credentials: Credentials;
  /** Called once with the address where the person has to go. */
  readonly notify: (url: string) => void;
  readonly signal: AbortSignal;
}

export interface StartedAuthorisation {
  readonly ok: true;
  /** Where the person goes. */
  readonly url: string;
  /** Once: with the whole address that the person came back to. */
  finish(arrivedAt: string): Promise<{ readonly ok: true } | AuthorisationRefusal>;
}

export interface AuthorisationRefusal {
  readonly ok: false;
  readonly code: AuthorisationCode;
}

export type AuthorisationCode =
  | 'authorization_required'
  | 'authorization_rejected'
  | 'authentication_rejected'
  | 'authorization_unavailable'
  | 'connectivity_unavailable'
  | 'connectivity_rejected'
  | 'connectivity_protocol_error';

/**
 * Opens one installed server, mapped or not, asks what it offers, and closes it (providers.md §13, catalog). Never
 * throws.
 */
export type ListCatalogue = (
  occurrence: Occurrence,
  tools: AcquisitionTools,
) => Promise<
  | { readonly ok: true; readonly catalogue: ToolCatalogue }
  | { readonly ok: false; readonly refusal: AcquisitionRefusal }
>;

export interface ToolCatalogue {
  /** In byte order of their names. */
  readonly tools: readonly {
    readonly name: string;
    /** Null where the server gives none. */
    readonly description: string | null;
    readonly inputSchema: JsonValue;
    /** Null where the server gives none. */
    readonly outputSchema: JsonValue | null;
    /** The server says that it changes nothing. */
    readonly isReadOnly: boolean;
    /** False of one that cannot be mapped, whose description says why. */
    readonly isCallable: boolean;
  }[];
  readonly pages: number;
  /** False where the end of the server could not be proved. */
  readonly isReleased: boolean;
}

/** What a selector resolves to, by the bundled tables alone (providers.md §5.1, §5.7). */
export interface ModelDescription {
  /** Null where it may not be shown. */
  readonly selector: string | null;
  /** Null where no route serves it. */
  readonly route: ModelRoute | null;
  /** The operator's own, which win over the catalogue's (world.md §1.8): as in `ModelRoute`; null without any. */
  readonly ownPrices: ModelRatesByName | null;
}

/** Dollars per million tokens, or per thousand requests, as decimal texts; by what is counted. */
export type ModelRatesByName = Readonly<
  Partial<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'reasoning' | 'request', string>>
>;

export interface ModelRoute {
  /** What the catalogue has under exactly this id; null where it has nothing. */
  readonly entry: {
    readonly contextTokens: number | null;
    readonly outputTokens: number | null;
    readonly prices: ModelRatesByName;
  } | null;
  /** The day of the list of models and prices, `YYYY-MM-DD`. */
  readonly catalogueDate: string;
  /** What the route passes on: structured output in these modes, reasoning effort, caching. */
  readonly schemaModes: readonly string[];
  readonly takesReasoningEffort: boolean;
  readonly caches: boolean;
}

/** Its own class, and those of the runs that may send it data; in byte order (documents.md §7). */
export interface DataPolicy {
  readonly dataClass: DataClass;
  readonly acceptsData: readonly DataClass[];
}

export type Service = 'trace';

export interface Offer {
  /** `*`: capabilities that only the opened provider can name. */
  readonly name: string;
  readonly effect: Effect;
}

/** One selected provider: a place in the manifest and what is installed under its name. */
export interface Occurrence {
  readonly destination: Destination;
  /** Position in the manifest's list, 0..31. */
  readonly index: number;
  readonly alias: string;
  readonly provider: InstalledProvider;
  readonly selection: NormalisedSelection;
  /** `selection` as digests and snapshots see it. */
  readonly config: JsonObject;
  /** Which of its calls need a person's yes; absent: none. */
  readonly approvalOf?: ApprovalOf;
}

/** Shipped code that reads files and configuration only: no credential, no process, no network (providers.md §1). */
export interface LocalCheck {
  /** Whether it reads only what the declaration names, so that `validate` runs it too. */
  readonly reads: 'declaration' | 'environment';
  run(tools: LocalCheckTools): Promise<LocalFinding | 'passed' | 'expired'>;
}

/** What all checks of a command may use together: their own processor time (`local_preflight_timeout_ms`). */
export interface CheckBudget {
  readonly isSpent: () => boolean;
  /** Adds what a check used in another thread, milliseconds. */
  readonly spend: (ms: number) => void;
  /** Adds what `stretch` uses in this thread; it may ask on its way whether the budget is spent. */
  readonly measure: <T>(stretch: (isSpent: () => boolean) => T) => T;
}

export interface LocalCheckTools {
  readonly reader: DocumentReader;
  /** Canonical directory of the host document. */
  readonly hostDirectory: string;
  readonly limits: EffectiveLimits;
  readonly tenant: string;
  /** The gate of the process; null where there is none. */
  readonly admission: CallAdmission | null;
  /** A variable of the process. */
  readonly variable: (name: string) => string | undefined;
  readonly budget: CheckBudget;
  /** Aborted when nobody waits for the check any more. */
  readonly signal: AbortSignal;
}

/**
 * Asks one selected model whether it answers; `AcquisitionTools.signal` ends it. A rejection is a bug of its adapter.
 */
export type Probe = (occurrence: Occurrence, tools: AcquisitionTools) => Promise<ProbeAnswer>;

/** Opens one occurrence. Never throws; `stopped`: the run was ended meanwhile. */
export type Acquire = (
  occurrence: Occurrence,
  tools: AcquisitionTools,
) => Promise<
  | Success<AcquiredProvider>
  /** What was opened on the way is closed again. */
  | { readonly ok: false; readonly refusal: AcquisitionRefusal | 'stopped' }
>;

export interface AcquisitionTools {
  /** Of this provider alone. */
  readonly credentials: Credentials;
  readonly limits: EffectiveLimits;
  /** Whose run it is: threads and caches are apart by tenant. */
  readonly tenant: string;
  /** Where live calls take their places; null where only the run's own bounds hold. */
  readonly admission: CallAdmission | null;
  /** Null: what was granted for this run alone. */
  readonly grants: GrantUse | null;
  readonly runRef: string;
  readonly traceId: string;
  /** Aborted when the run stops. */
  readonly signal: AbortSignal;
  readonly reader: DocumentReader;
  /** Canonical directory of the host document; null without one. */
  readonly hostDirectory: string | null;
  /** A variable that is no secret, of the environment file or of the process; undefined where neither has it. */
  readonly variable: (name: string) => string | undefined;
  /** Shows people what changed where a replayed request has no answer; not on private runs. */
  readonly missed: (missed: MissedRequest) => void;
  /** What was acquired of the service that the provider requires. */
  readonly required: readonly AcquiredProvider[];
}

/**
 * A request that no fixture answers, and the recorded one that is nearest to it. For people alone: it shows a part of
 * both.
 */
export interface MissedRequest {
  /** `sha256:` and 64 hex digits, of both. */
  readonly requestHash: string;
  readonly nearestHash: string;
  /** Where they first differ: `messages[1].content`. */
  readonly place: string;
  /** At most 80 characters of each side; null where it has nothing there. */
  readonly asked: string | null;
  readonly recorded: string | null;
}

/** An opened provider: what it supplies, what is reported about it, and what closes it. */
export interface AcquiredProvider {
  /** Those of a model have one capability, which its aliases share (providers.md §5.3). */
  readonly capabilities: readonly Capability[];
  readonly snapshot: SnapshotFacts<JsonObject>;
  /** What others that require it read; null for one that is not opened through an adapter. */
  readonly session: ProviderSession | null;
  /** Whether provider-facing work was attempted to open it. */
  readonly hasActivity: boolean;
  /**
   * The same for one of the runs that share it, which did nothing to open it and does not close it; null where there is
   * none.
   */
  readonly share: ((run: SharingRun) => AcquiredProvider | null) | null;
  /** Null: there is nothing to close. */
  readonly close: (() => Promise<void>) | null;
  /** What it was opened with, which no answer of the run may repeat; absent: nothing. */
  readonly secrets?: readonly Secret[];
}
