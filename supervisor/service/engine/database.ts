/** One row as the database gives it; parsed where it is used. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs statements, each by itself or those of one transaction. Rejects with what the database reports. */
export interface Sql {
  query(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** A PostgreSQL database, or the embedded one: the source of truth of runs (gateway.md §19). */
export interface Database extends Sql {
  readonly backend: 'postgres' | 'pglite';
  /** All or nothing; what `work` throws undoes it. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Does the work while nobody else on this database does any that way, in whatever process. Of a connection of its
   * own, so that the work may use as many transactions as it wants; a process that dies gives its turn up.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Calls back on notifications until the answer is called. Notifications may stop: a listener also looks by itself.
   */
  listen(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>;
  /** Ends what this object opened. */
  close(): Promise<void>;
}

/** What a statement gave, also one of several that were sent together. */
export function rowsOf(
  result: { readonly rows: readonly Row[] } | readonly { readonly rows: readonly Row[] }[],
): readonly Row[] {
  return 'rows' in result ? result.rows : result.flatMap(({ rows }) => rows);
}
