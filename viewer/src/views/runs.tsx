import { useEffect, useRef, useState } from 'preact/hooks';
import { configuration } from '../configuration.ts';
import type { ListedRun, Run, RunsPage } from '../data.ts';
import { useKeys } from '../keys.ts';
import { Badge } from '../parts/badge.tsx';
import { diffLink, runLink } from '../route.ts';
import { Refusal, type Source } from '../source.ts';
import { cost, count, duration, moment, visible } from '../text.ts';
import { Problem } from './problem.tsx';

/** The name of the project where it is the one that the run carries a fingerprint of, else the id. */
export function nameOf(run: Run): string {
  const { application } = configuration();
  return application !== undefined && run.name === application.fingerprint ? visible(application.name) : run.run_id;
}

/** A pause in typing after which the list is searched. */
const TYPING_MS = 150;

/** Runs of the project, newest first. */
export function RunsView({ source }: { readonly source: Source }) {
  const [page, setPage] = useState<RunsPage | null>(null);
  const [fault, setFault] = useState<Error | null>(null);
  const [wanted, setWanted] = useState('');
  const [status, setStatus] = useState('');
  const [chosen, setChosen] = useState(0);
  const [marked, setMarked] = useState<readonly string[]>([]);
  const field = useRef<HTMLInputElement>(null);
  /** Counts the questions, so that a late answer to an earlier one is not shown. */
  const requested = useRef(0);
  const load = async (cursor: string | null, before: readonly ListedRun[]): Promise<void> => {
    requested.current += 1;
    const question = requested.current;
    try {
      const next = await source.runs({ search: wanted, status }, cursor);
      if (question !== requested.current) return;
      setPage({ ...next, items: [...before, ...next.items] });
      setFault(null);
    } catch (error) {
      if (question !== requested.current) return;
      // The list is another one by now: it begins again.
      if (error instanceof Refusal && error.code === 'source_changed' && cursor !== null) await load(null, []);
      else setFault(error instanceof Error ? error : new Error(String(error)));
    }
  };
  useEffect(() => {
    const waiting = setTimeout(
      () => {
        void load(null, []);
      },
      wanted === '' ? 0 : TYPING_MS,
    );
    return () => {
      clearTimeout(waiting);
    };
  }, [source, wanted, status]);
  const found = page?.items ?? [];
  const refresh = async (): Promise<void> => {
    await source.refresh().catch((error: unknown) => {
      setFault(error instanceof Error ? error : new Error(String(error)));
    });
    await load(null, []);
  };
  useKeys({
    j: () => {
      setChosen((at) => Math.min(at + 1, found.length - 1));
    },
    k: () => {
      setChosen((at) => Math.max(at - 1, 0));
    },
    e: () => {
      setChosen((at) => (found.findIndex((run, nth) => nth > at && run.status === 'error') + 1 || at + 1) - 1);
    },
    Enter: () => {
      if (found[chosen] !== undefined) location.hash = runLink(found[chosen].run_id);
    },
    '/': () => {
      field.current?.focus();
    },
    Escape: () => {
      field.current?.blur();
    },
  });
  const mark = (runId: string): void => {
    setMarked((before) =>
      before.includes(runId) ? before.filter((id) => id !== runId) : [...before, runId].slice(-2),
    );
  };
  if (fault !== null && page === null) return <Problem fault={fault} />;
  const [left, right] = marked;
  return (
    <>
      <div class="bar">
        <h1>Runs</h1>
        <label class="search">
          <span class="hidden">Search runs</span>
          <input
            ref={field}
            type="search"
            placeholder="id, name, reason, tag"
            value={wanted}
            onInput={({ currentTarget }) => {
              setWanted(currentTarget.value);
              setChosen(0);
            }}
          />
        </label>
        <label>
          <span class="hidden">Status</span>
          <select
            value={status}
            onChange={({ currentTarget }) => {
              setStatus(currentTarget.value);
            }}
          >
            <option value="">every status</option>
            <option value="ok">ok</option>
            <option value="error">error</option>
            <option value="open">not ended</option>
          </select>
        </label>
        <button
          type="button"
          onClick={() => {
            void refresh();
          }}
        >
          Refresh
        </button>
        {left !== undefined && right !== undefined ? (
          <a class="button" href={diffLink(right, left)}>
            Compare the two
          </a>
        ) : (
          <span class="quiet">mark two runs to compare them</span>
        )}
      </div>
      {fault === null ? null : (
        <p class="notice bad" role="alert">
          {visible(fault.message)}
        </p>
      )}
      <Aside page={page} />
      {page === null ? (
        <p class="quiet loading">Loading runs</p>
      ) : (
        <RunsTable
          runs={found}
          chosen={chosen}
          marked={marked}
          mark={mark}
          isFiltered={wanted !== '' || status !== ''}
        />
      )}
      {page === null || page.next_cursor === null ? null : (
        <button
          type="button"
          onClick={() => {
            void load(page.next_cursor, page.items);
          }}
        >
          Load more ({count(page.omitted_count)} left)
        </button>
      )}
    </>
  );
}

/** What the list does not hold, and why. */
function Aside({ page }: { readonly page: RunsPage | null }) {
  const hidden = page?.excluded_private_trace_files ?? 0;
  const aside = page?.isolation?.source_count ?? 0;
  const unread = page?.unread_trace_files ?? 0;
  return (
    <>
      {unread === 0 ? null : (
        <p class="notice" role="status">
          {count(unread)} older traces are still being read: refresh to see their runs.
        </p>
      )}
      {hidden === 0 ? null : (
        <p class="notice">{count(hidden)} private runs are not shown: set viewer.private in the project.</p>
      )}
      {aside === 0 ? null : (
        <p class="notice bad">
          {count(aside)} files were set aside, since they are damaged or contradict each other (
          {visible(JSON.stringify(page?.isolation?.reasons ?? null))}). Nothing of them is shown.
        </p>
      )}
    </>
  );
}

interface TableProps {
  readonly runs: readonly ListedRun[];
  readonly chosen: number;
  readonly marked: readonly string[];
  readonly mark: (runId: string) => void;
  readonly isFiltered: boolean;
}

function RunsTable({ runs, chosen, marked, mark, isFiltered }: TableProps) {
  if (runs.length === 0) {
    return isFiltered ? (
      <p class="empty">No run fits. Search for less.</p>
    ) : (
      <div class="empty">
        <p>There is no run yet.</p>
        <p>Start one in a terminal, then refresh:</p>
        <pre class="code">svc run svc-project.json</pre>
      </div>
    );
  }
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Runs">
      <table class="runs">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">Compare</span>
            </th>
            <th scope="col">Status</th>
            <th scope="col">Run</th>
            <th scope="col">Started</th>
            <th scope="col" class="n">
              Duration
            </th>
            <th scope="col" class="n">
              Evaluations
            </th>
            <th scope="col" class="n">
              Model calls
            </th>
            <th scope="col" class="n">
              Tokens
            </th>
            <th scope="col" class="n">
              Cost
            </th>
            <th scope="col">Tags</th>
            <th scope="col">Bundle</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, nth) => (
            <tr
              key={run.run_id}
              class={nth === chosen ? 'chosen' : ''}
              aria-current={nth === chosen ? 'true' : undefined}
            >
              <td>
                <input
                  type="checkbox"
                  aria-label={`compare ${run.run_id}`}
                  checked={marked.includes(run.run_id)}
                  onChange={() => {
                    mark(run.run_id);
                  }}
                />
              </td>
              <td>
                <Badge state={run.status ?? 'open'} />
              </td>
              <td>
                <a href={runLink(run.run_id)}>{nameOf(run)}</a>
                {nameOf(run) === run.run_id ? null : <div class="hash quiet">{run.run_id}</div>}
                {run.input_name === undefined ? null : <div class="quiet">{visible(run.input_name)}</div>}
                {run.terminal_reason === null ? null : <div class="reason">{visible(run.terminal_reason)}</div>}
              </td>
              <td class="when" data-label="Started">
                {moment(run.start_timestamp)}
              </td>
              <td class="n" data-label="Duration">
                {duration(run.duration_ms)}
              </td>
              <td class="n" data-label="Evaluations">
                {count(run.evaluations)}
              </td>
              <td class="n" data-label="Model calls">
                {count(run.llm_calls)}
              </td>
              <td class="n" data-label="Tokens">
                {tokens(run)}
              </td>
              <td class="n" data-label="Cost">
                {cost(run.llm_spend)}
              </td>
              <td>
                {Object.entries(run.tags).map(([tag, value]) => (
                  <span key={tag} class="tag">
                    {visible(`${tag}=${value}`)}
                  </span>
                ))}
              </td>
              <td class="hash" data-label="Bundle">
                {run.workflow_prelude.hash?.slice(0, 8) ?? '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function tokens({ llm_spend: spend }: Run): string {
  return spend?.input === undefined ? '–' : count(spend.input + (spend.output ?? 0));
}
