import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';

/** An application could not be prepared: why, as `svc validate` would have told it. */
export class PreparationRefused extends Error {
  override readonly name = 'PreparationRefused';
  /** A code of the catalogue, or `pin_mismatch`, `application_unknown`, `draining`. */
  readonly code: string;
  /** Null where the documents are not at fault. */
  readonly diagnostic: Diagnostic | null;

  constructor(code: string, diagnostic: Diagnostic | null = null) {
    super(diagnostic?.message ?? code);
    this.code = code;
    this.diagnostic = diagnostic;
  }
}

/** A supervisor could not be started; `code` is one that a gateway would have ended with (documents.md §8). */
export class SupervisorNotStarted extends Error {
  override readonly name = 'SupervisorNotStarted';
  readonly code: string;
  /** Null where no document is at fault. */
  readonly diagnostic: Diagnostic | null;

  constructor(code: string, diagnostic: Diagnostic | null = null) {
    super(diagnostic?.message ?? code);
    this.code = code;
    this.diagnostic = diagnostic;
  }
}
