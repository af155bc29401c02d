import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';

/** Why a session could not be opened, or went on from nothing (code-mode.md §6). */
export type NotOpenedCode = 'session_limit' | 'tenant_unknown' | 'prepared_stale' | 'draining' | 'room_invalid';

/**
 * No session was opened. `room_invalid`: the application cannot be used as it was asked for, and `diagnostic` says why.
 */
export class SessionNotOpened extends Error {
  override readonly name = 'SessionNotOpened';
  readonly code: NotOpenedCode;
  readonly diagnostic: Diagnostic | null;

  constructor(code: NotOpenedCode, diagnostic: Diagnostic | null = null) {
    super(diagnostic?.message ?? MESSAGES[code]);
    this.code = code;
    this.diagnostic = diagnostic;
  }
}

const MESSAGES: Readonly<Record<NotOpenedCode, string>> = {
  session_limit: 'as many sessions are open as may be (limits.maxSessions)',
  tenant_unknown: 'there is no such tenant',
  prepared_stale: 'the application is not one of this supervisor',
  draining: 'the supervisor takes nothing new',
  room_invalid: 'the application cannot be used so',
};

/** Why a session was not saved. */
export type NotSavedCode = 'session_busy' | 'session_closed' | 'too_large' | 'key_unavailable';

/** Nothing was saved, and the session is as it was. */
export class SessionNotSaved extends Error {
  override readonly name = 'SessionNotSaved';
  readonly code: NotSavedCode;

  constructor(code: NotSavedCode) {
    super(NOT_SAVED[code]);
    this.code = code;
  }
}

const NOT_SAVED: Readonly<Record<NotSavedCode, string>> = {
  session_busy: 'a program is being evaluated, or waits: save between programs',
  session_closed: 'the session is closed',
  too_large: 'a saved session has at most 64,000,000 bytes',
  key_unavailable: 'the tenant has no key to seal with, or its keys cannot be asked for',
};

/** Why a saved session was not opened again. */
export type NotRestoredCode =
  | 'damaged'
  | 'other_tenant'
  | 'application_changed'
  | 'revision_changed'
  | 'key_unavailable';

/** The bytes were not used, and nothing was opened. */
export class SessionNotRestored extends Error {
  override readonly name = 'SessionNotRestored';
  readonly code: NotRestoredCode;

  constructor(code: NotRestoredCode) {
    super(NOT_RESTORED[code]);
    this.code = code;
  }
}

const NOT_RESTORED: Readonly<Record<NotRestoredCode, string>> = {
  damaged: 'the bytes are no saved session, or were changed, or were sealed with another key',
  other_tenant: 'the session is of another tenant',
  application_changed: 'the session was saved in another room: other tools, data, components, limits or mission',
  revision_changed: 'the session was saved by a revision of svc whose values this one does not read',
  key_unavailable: 'the key that it was sealed with is not there',
};
