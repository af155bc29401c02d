import type { FileSystem } from '../../documents/file-system.ts';
import type { GatewayLog } from '../observation/log.ts';
import type { TlsFileNames } from './tls-files.ts';

/** Where a gateway listens, and what may be between it and its clients (first-day.md §5). */
export interface GatewayExposure {
  /** In place of the address of the document; null: that one. */
  readonly address: string | null;
  /** Null: it speaks no TLS. */
  readonly tls: TlsFileNames | null;
  /** Whether something in front ends TLS, and names whatever host its clients name. */
  readonly isBehindProxy: boolean;
}

/** `--code TOOL[:MISSION]` (code-mode.md §2). */
export interface CodeOffer {
  readonly tool: string;
  /** Null: the only one of its application, else `default`. */
  readonly mission: string | null;
}

/** What `svc gateway` is asked (gateway.md §1). */
export interface GatewayOptions {
  /** The configuration; relative to the working directory. */
  readonly document: string;
  /** Absolute. */
  readonly workingDirectory: string;
  /** Absolute; holds the built program. */
  readonly programDirectory: string;
  readonly documents: FileSystem;
  readonly exposure: GatewayExposure;
  /** Whether tools are served as they are, whatever their pins say: for work on them, on loopback alone. */
  readonly ignoresPins: boolean;
  /** Relative to the working directory; null without one. */
  readonly environmentFile: string | null;
  /** Of the process: what the environment file does not name. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly servesLegacy: boolean;
  /** Tools that are offered for programs (code-mode.md §2). */
  readonly code: readonly CodeOffer[];
  /** A program that takes longer is answered with what to ask for it with. */
  readonly answerWithinMs: number;
  /** Calls that wait for a place, two seconds at most, before they are refused; 0: none. */
  readonly maxWaitingCalls: number;
  /** Runs that wait for a person at once, their clients away. */
  readonly maxWaitingRuns: number;
  /** Of this program. */
  readonly version: string;
  readonly log: GatewayLog;
  /** Port of a listener for figures on loopback, 0 for any; null for none. */
  readonly metricsPort: number | null;
  /** Called when a tool, or all that may write, cannot be called any more until the next start. */
  readonly onFence: () => void;
  /** Called with exceptions behind a request. */
  readonly reportBug: (error: unknown) => void;
}

/** A gateway that listens. */
export interface RunningGateway {
  readonly address: string;
  readonly port: number;
  readonly tools: number;
  /** Null: nobody asked for figures. */
  readonly metricsPort: number | null;
  /** Ends it in order: `clean`, every call came to its own end. */
  readonly stop: () => Promise<{ readonly clean: boolean }>;
}
