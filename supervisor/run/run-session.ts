/** A session of programs that see each other's definitions, each in a run of its own. */
export interface RunSession {
  readonly id: string;
  readonly index: number;
  /** No person is asked before a tool may write (code-mode.md §1). */
  readonly approvals?: 'off';
}
