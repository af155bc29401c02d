import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';

/** What a program that embeds the supervisor is refused. */
abstract class Refused extends Error {
  readonly code: string;
  /** Null where no document is at fault. */
  readonly diagnostic: Diagnostic | null;

  constructor(code: string, diagnostic: Diagnostic | null = null) {
    super(diagnostic?.message ?? code);
    this.code = code;
    this.diagnostic = diagnostic;
  }
}

/**
 * An application could not be prepared: why, as `svc validate` would have reported it. `code` is of the catalogue, or
 * `pin_mismatch`, `application_unknown`, `draining`.
 */
export class PreparationError extends Refused {
  override readonly name = 'PreparationError';
}

/** A supervisor could not be started; `code` is one that a gateway would have ended with (documents.md §8). */
export class SupervisorStartError extends Refused {
  override readonly name = 'SupervisorStartError';
}
