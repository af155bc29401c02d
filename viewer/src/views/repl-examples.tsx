import { useEffect, useState } from 'preact/hooks';
import type { Run } from '../data.ts';
import type { ReplClient } from '../repl/client.ts';
import type { Source } from '../source.ts';
import { moment, visible } from '../text.ts';
import { nameOf } from './runs.tsx';

/** Forms to begin with; all of them can be evaluated as they are. */
const EXAMPLES: readonly (readonly [what: string, form: string])[] = [
  ['The newest runs', '(analysis/runs {"limit" 10})'],
  ['Runs that failed', '(analysis/runs {"status" "error" "limit" 10})'],
  ['Sums over all runs', '(analysis/counters {})'],
  [
    'Reasons, counted',
    '(->> (get (analysis/runs {"limit" 100}) "items")\n     (map #(get % "terminal_reason"))\n     frequencies)',
  ],
  [
    'The slowest run',
    '(->> (get (analysis/runs {"limit" 100}) "items")\n     (sort-by #(or (get % "duration_ms") 0))\n     last)',
  ],
  ['What there is to ask', '(dir analysis)'],
];

export interface ExamplesProps {
  readonly source: Source;
  /** The run that the page was opened for; null: none. */
  readonly runId: string | null;
  readonly client: ReplClient;
  readonly write: (form: string) => void;
  readonly refuse: (fault: Error) => void;
}

/** What can be put into the editor; nothing here evaluates anything. */
export function Examples({ source, runId, client, write, refuse }: ExamplesProps) {
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const [chosen, setChosen] = useState(runId ?? '');
  useEffect(() => {
    void (async () => {
      const page = await source.runs({ search: '', status: '' }, null).catch(() => null);
      setRuns(page?.items ?? []);
      setChosen((before) => (before === '' ? (page?.items[0]?.run_id ?? '') : before));
    })();
  }, [source]);
  const insert = (kind: 'run' | 'turns') => async (): Promise<void> => {
    try {
      write(await client.template(kind, chosen));
    } catch (error) {
      refuse(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return (
    <aside class="details" aria-label="Examples">
      <h2>Examples</h2>
      <ul class="plain">
        {EXAMPLES.map(([what, form]) => (
          <li key={what}>
            <button
              type="button"
              class="example"
              onClick={() => {
                write(form);
              }}
            >
              {what}
            </button>
          </li>
        ))}
      </ul>
      <h2>About one run</h2>
      {chosen === '' ? (
        <p class="quiet">There is no run yet.</p>
      ) : (
        <>
          <label>
            <span class="hidden">Run</span>
            <select
              class="wide"
              value={chosen}
              onChange={({ currentTarget }) => {
                setChosen(currentTarget.value);
              }}
            >
              {runs.some(({ run_id: id }) => id === chosen) ? null : <option value={chosen}>{visible(chosen)}</option>}
              {runs.map((run) => (
                <option key={run.run_id} value={run.run_id}>
                  {visible(`${moment(run.start_timestamp)} · ${run.status ?? 'open'} · ${nameOf(run)}`)}
                </option>
              ))}
            </select>
          </label>
          <p class="actions">
            <button
              type="button"
              onClick={() => {
                void insert('run')();
              }}
            >
              Write what it is
            </button>{' '}
            <button
              type="button"
              onClick={() => {
                void insert('turns')();
              }}
            >
              Write its events
            </button>
          </p>
        </>
      )}
      <h2>Keys</h2>
      <dl class="keys">
        <div>
          <dt>
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </dt>
          <dd>
            evaluate; <kbd>Cmd</kbd> on a Mac
          </dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>interrupt, else leave the editor</dd>
        </div>
        <div>
          <dt>
            <kbd>↑</kbd> <kbd>↓</kbd>
          </dt>
          <dd>earlier forms, from the first or last line</dd>
        </div>
        <div>
          <dt>
            <kbd>Ctrl</kbd> <kbd>Space</kbd>
          </dt>
          <dd>complete a name</dd>
        </div>
      </dl>
      <p class="quiet">A session reads public traces as they were when it was opened, and changes none.</p>
    </aside>
  );
}
