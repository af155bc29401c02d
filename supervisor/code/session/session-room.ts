import type { RunnableApplication } from '../../run/application.ts';
import type { OpenEnvironments } from '../../run/environments.ts';

/** What the programs of a session see now: one mission. */
export interface SessionRoom {
  readonly application: RunnableApplication;
  readonly mission: string;
  /** Compiled bundle of its components; null without any. */
  readonly code: string | null;
  /** JSON texts by name, as `data/<name>`. */
  readonly data: Readonly<Record<string, string>>;
  readonly openEnvironments: OpenEnvironments;
}
