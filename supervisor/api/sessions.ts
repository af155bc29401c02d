/** Sessions of `svc repl`: over nothing, over an application, over evidence (cli.md §11). */
export { openApplicationSession, type ApplicationSession, type SessionMissionFacts } from '../session/named-session.ts';
export type { RunApprovals } from '../run/run-approvals.ts';
export {
  PROFILE_SOURCE_BYTES,
  openAnalysisSession,
  type AnalysisSession,
  type AnalysisSessionOptions,
  type ClosedAnalysis,
  type SessionCode,
  type SetupRefusal,
} from '../session/analysis-session.ts';
export { TRACE_HINTS, openSessionTrace, type SessionTrace } from '../session/session-trace.ts';
export { profileDescription } from '../session/profiles/described-profile.ts';
export {
  openScratchSession,
  systemClock,
  type FormEnd,
  type FormError,
  type Session,
} from '../session/scratch-session.ts';
