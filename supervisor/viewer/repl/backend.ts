import type { Success } from '../../../contract/outcome.ts';
import type { Digest } from '../../documents/digest.ts';
import type { ResourceCount } from '../../session/profiles/capture.ts';
import type { Profile } from '../../session/profiles/contract.ts';
import type { SetupRefusal } from '../../session/profiles/refusal.ts';
import type { Session } from '../../session/session.ts';

/** A session over captured runs, as far as the page of a viewer asks it (evidence.md §8, §11). */
export interface ReplBackend {
  readonly session: Pick<Session, 'evaluate' | 'names' | 'wholeValue'>;
  readonly profile: Pick<Profile, 'id' | 'namespaces'>;
  readonly profileDigest: Digest;
  readonly counts: ReadonlyMap<string, ResourceCount>;
  /** Calls that were granted so far, by name. */
  calls(): Readonly<Record<string, number>>;
  /** Whether a run is among those that were captured. */
  hasRun(runId: string): Promise<boolean>;
  /** Ends it and writes its trace. Once. */
  close(value: null): Promise<{ readonly isTraceWritten: boolean; readonly tracePath: string }>;
}

/** `signal`: gives up the opening, later the session with everything that it evaluates. */
export type OpenBackend = (signal: AbortSignal) => Promise<Success<ReplBackend> | SetupRefusal>;
