import type { FormError, RunApprovals, Session, SessionTrace } from '../../../supervisor/api/sessions.ts';

/** What every kind of session is opened with. */
export interface SessionTerms {
  /** Whether people type the forms, or they were all given with the command. */
  readonly input: 'given' | 'line-loop';
  /** Whether both streams are one. */
  readonly isTerminal: boolean;
  readonly previewCharacters: number;
  readonly showCode: boolean;
  /** Who is asked about calls that need a person's yes. */
  readonly approvals: RunApprovals;
}

/** A session that is open, and what its face shows of it. */
export interface OpenedRepl {
  readonly session: Session;
  /** What the line loop greets with: a line or more. */
  readonly banner: string;
  /** What `:context` shows; null where there is none. */
  readonly context: string | null;
  /** Whether what is typed is there again in the next session. */
  readonly keepsHistory: boolean;
  /** Where its events go; null: nowhere. */
  readonly trace: SessionTrace | null;
  /** A line that leads from an error to where its author may have wanted to be; empty without. */
  readonly pointer: (error: FormError, source: string) => string;
}

export const SCRATCH_BANNER = 'svc repl: scratch session, core language only\n';
