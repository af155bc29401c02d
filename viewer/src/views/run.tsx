import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { configuration } from '../configuration.ts';
import type { RunRecord, TraceEvent } from '../data.ts';
import { exportFile } from '../export/file.ts';
import { save } from '../export/save.ts';
import { useKeys } from '../keys.ts';
import { errorsOf } from '../model/failure.ts';
import { inputNameOf } from '../model/part.ts';
import { flat, spansOf } from '../model/spans.ts';
import { WaitingBanner } from '../parts/approvals.tsx';
import { Badge } from '../parts/badge.tsx';
import { Program, Value } from '../parts/code.tsx';
import { Rows } from '../parts/rows.tsx';
import { TABS, replLink, runLink, type Route } from '../route.ts';
import { Refusal, type Source } from '../source.ts';
import { cost, count, duration, moment, shown, visible } from '../text.ts';
import { FailureCard } from './failure.tsx';
import { Problem } from './problem.tsx';
import { nameOf } from './runs.tsx';
import { Turns } from './turns.tsx';
import { Waterfall, spanLink } from './waterfall.tsx';

type RunRoute = Extract<Route, { readonly page: 'run' }>;

/** One run: the result, why, when, and what was said. */
export function RunView({ source, route }: { readonly source: Source; readonly route: RunRoute }) {
  const { runId } = route;
  const [loaded, setLoaded] = useState<RunRecord | Error | null>(null);
  useEffect(() => {
    let isWanted = true;
    setLoaded(null);
    const load = async (): Promise<void> => {
      const show = (soFar: RunRecord): boolean => {
        if (isWanted) setLoaded(soFar);
        return isWanted;
      };
      const read = async (): Promise<RunRecord | Error> =>
        source
          .record(runId, show)
          .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
      const first = await read();
      // What is shown was brought up to date in between: once more, of one moment.
      const found = first instanceof Refusal && first.code === 'source_changed' ? await read() : first;
      if (isWanted) setLoaded(found);
    };
    void load();
    return () => {
      isWanted = false;
    };
  }, [source, runId]);
  if (loaded instanceof Error) return <Problem fault={loaded} />;
  if (loaded === null) return <p class="quiet loading">Loading the run</p>;
  return <Loaded record={loaded} route={route} isFile={source.isFile} />;
}

interface LoadedProps {
  readonly record: RunRecord;
  readonly route: RunRoute;
  readonly isFile: boolean;
}

/** Parts of a run that the waterfall shows, as addresses name them. */
const SPANS: ReadonlySet<string> = new Set(['evaluation', 'capability', 'approval']);

function Loaded({ record, route, isFile }: LoadedProps) {
  const { run, events } = record;
  const { tab, at } = route;
  const spans = useMemo(() => spansOf(events), [events]);
  const all = useMemo(() => flat(spans), [spans]);
  const chosen = all.find(({ id }) => SPANS.has(at[0] ?? '') && id === at[1]) ?? null;
  const field = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState('');
  const step = (by: number): void => {
    const next = all[Math.min(all.length - 1, Math.max(0, (chosen === null ? -1 : all.indexOf(chosen)) + by))];
    if (next !== undefined) location.hash = spanLink(run.run_id, next);
  };
  const turnTab = (by: number): void => {
    location.hash = runLink(run.run_id, TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length] ?? 'waterfall');
  };
  useKeys({
    j: () => {
      step(1);
    },
    k: () => {
      step(-1);
    },
    '[': () => {
      turnTab(-1);
    },
    ']': () => {
      turnTab(1);
    },
    e: () => {
      const errors = errorsOf(spans);
      const next = errors.find(({ sequence }) => sequence > (chosen?.sequence ?? 0)) ?? errors[0];
      if (next !== undefined) location.hash = spanLink(run.run_id, next);
    },
    '/': () => {
      field.current?.focus();
    },
    Escape: () => {
      setWanted('');
      field.current?.blur();
    },
  });
  return (
    <>
      <header class="run-head">
        <p class="crumbs">
          <a href="#/">Runs</a>
        </p>
        <h1>
          {nameOf(run)} <Badge state={run.status ?? 'open'} />
        </h1>
        <dl class="inline facts">
          <div>
            <dt>Run</dt>
            <dd class="hash">{run.run_id}</dd>
          </div>
          {inputNameOf(record) === null ? null : (
            <div>
              <dt>Input</dt>
              <dd>{visible(inputNameOf(record) ?? '')}</dd>
            </div>
          )}
          <div>
            <dt>Started</dt>
            <dd>{moment(run.start_timestamp)}</dd>
          </div>
          <div>
            <dt>Duration</dt>
            <dd>{duration(run.duration_ms)}</dd>
          </div>
          <div>
            <dt>Evaluations</dt>
            <dd>
              {count(run.evaluations)}
              {run.failed_evaluations === 0 ? '' : `, ${count(run.failed_evaluations)} failed`}
            </dd>
          </div>
          <div>
            <dt>Model calls</dt>
            <dd>{count(run.llm_calls)}</dd>
          </div>
          <div>
            <dt>Tokens in, out</dt>
            <dd>
              {count(run.llm_spend?.input)}, {count(run.llm_spend?.output)}
            </dd>
          </div>
          <div>
            <dt>Cost</dt>
            <dd>{cost(run.llm_spend)}</dd>
          </div>
        </dl>
        <div class="actions">
          <label class="search">
            <span class="hidden">Search this run</span>
            <input
              ref={field}
              type="search"
              placeholder="search this run"
              value={wanted}
              onInput={({ currentTarget }) => {
                setWanted(currentTarget.value);
              }}
            />
          </label>
          {isFile ? null : <Downloads record={record} />}
          {isFile || !configuration().repl_enabled || run.source === 'private' ? null : (
            <a class="button" href={replLink(run.run_id)}>
              Ask in the REPL
            </a>
          )}
        </div>
      </header>
      {isFile || run.status !== null ? null : <WaitingBanner runId={run.run_id} />}
      <Quality record={record} />
      <FailureCard record={record} />
      {wanted.trim() === '' ? null : <Found record={record} wanted={wanted} />}
      <nav class="tabs" aria-label="Views of this run">
        {TABS.map((name) => (
          <a key={name} href={runLink(run.run_id, name)} aria-current={name === tab ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <div class="tab">
        {tab === 'waterfall' ? (
          <Waterfall record={record} spans={spans} total={run.duration_ms ?? 0} chosen={chosen} />
        ) : null}
        {tab === 'turns' ? <Turns record={record} at={at} /> : null}
        {tab === 'events' ? <Events record={record} at={at} /> : null}
        {tab === 'components' ? <Components record={record} /> : null}
        {tab === 'result' ? <Result record={record} /> : null}
      </div>
    </>
  );
}

/** Exactly one line on how much of the run is shown (evidence.md §11). */
function Quality({ record: { run, events, privacy } }: { readonly record: RunRecord }) {
  const dropped = events.find(({ type }) => type === 'events-dropped')?.data['counts'];
  if (dropped !== undefined)
    return (
      <p class="notice bad" role="status">
        Incomplete: events were dropped (
        {visible(
          Object.entries(dropped ?? {})
            .map(([type, n]) => `${type} ${String(n)}`)
            .join(', '),
        )}
        ). Raise normal_event_count or normal_event_bytes and run again.
      </p>
    );
  if (run.status === null)
    return (
      <p class="notice bad" role="status">
        Incomplete: this run has no end. It is still running, or it was killed.
      </p>
    );
  if (privacy.kind === 'closed')
    return (
      <p class="notice" role="status">
        Sanitized: times, names and numbers. {visible(privacy.message)}.
      </p>
    );
  const { conversation } = privacy;
  if ((conversation.next_cursor ?? null) !== null)
    return (
      <p class="notice" role="status">
        Private evidence: {count(conversation.omitted_count)} turns of the conversation are still to be read.
      </p>
    );
  if (!conversation['complete?'])
    return (
      <p class="notice bad" role="status">
        Incomplete conversation: {count(conversation.missing_exchange_count)} exchanges are missing,{' '}
        {count(conversation.ambiguity_count)} cannot be placed.
      </p>
    );
  return (
    <p class="notice good" role="status">
      Complete private evidence: keep what you see to yourself.
    </p>
  );
}

function Downloads({ record }: { readonly record: RunRecord }) {
  const { run, events, privacy } = record;
  const dialog = useRef<HTMLDialogElement>(null);
  const bare: RunRecord = {
    run,
    events,
    privacy: { kind: 'closed', code: 'not_exported', message: 'this file holds public evidence alone' },
  };
  const store = async (what: RunRecord, name: string): Promise<void> => {
    save(await exportFile(what), `${run.run_id}${name}.html`, 'text/html');
  };
  return (
    <>
      <button
        type="button"
        onClick={() => {
          void store(bare, '');
        }}
      >
        Export
      </button>
      {privacy.kind === 'closed' || !isThisMachine() ? null : (
        <button
          type="button"
          onClick={() => {
            dialog.current?.showModal();
          }}
        >
          Export with private evidence
        </button>
      )}
      <a
        class="button"
        href={`/api/kernel/runs/${encodeURIComponent(run.run_id)}/spans`}
        download={`${run.run_id}.otlp.json`}
      >
        OTLP
      </a>
      <dialog ref={dialog} aria-labelledby="export-title">
        <h2 id="export-title">Export private evidence?</h2>
        <p>The file will hold prompts, programs, values and errors of this run, readable by everybody who gets it.</p>
        <form method="dialog">
          <button
            type="button"
            class="danger"
            onClick={() => {
              dialog.current?.close();
              void store(record, '.private');
            }}
          >
            Export with private evidence
          </button>{' '}
          <button type="submit">Cancel</button>
        </form>
      </dialog>
    </>
  );
}

/** Private evidence becomes a file only where the viewer is read on its own machine (evidence.md §12). */
function isThisMachine(): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
}

/** Everything of a run that holds a text. */
function Found({ record: { run, events, privacy }, wanted }: { readonly record: RunRecord; readonly wanted: string }) {
  const needle = wanted.trim().toLowerCase();
  const holds = (value: unknown): boolean =>
    JSON.stringify(value).toLowerCase().includes(JSON.stringify(needle).slice(1, -1));
  const turns =
    privacy.kind === 'closed'
      ? []
      : privacy.conversation.streams
          .flatMap((stream) => stream.turns)
          .filter((turn) =>
            holds([turn.messages_added, turn.assistant, turn.system ?? '', turn.reasoning ?? '', turn.attempts ?? []]),
          );
  const hits = events.filter(({ type, data }) => holds([type, data]));
  return (
    <section class="found" aria-label="Found" aria-live="polite">
      <p>
        {count(turns.length)} turns and {count(hits.length)} events hold “{visible(wanted)}”.
        {turns.length + hits.length === 0 ? ' Search for less.' : ''}
      </p>
      <ul>
        {turns.slice(0, 50).map((turn) => (
          <li key={`${turn.stream_id} ${turn.turn}`}>
            <a href={runLink(run.run_id, 'turn', turn.stream_id, turn.turn)}>
              turn {turn.turn} of {visible(turn.stream_id)}
            </a>
          </li>
        ))}
        {hits.slice(0, 50).map(({ sequence, type }) => (
          <li key={sequence}>
            <a href={runLink(run.run_id, 'seq', sequence)}>
              {sequence} {visible(type)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Events({ record: { run, events }, at }: { readonly record: RunRecord; readonly at: readonly string[] }) {
  const index = at[0] === 'seq' ? events.findIndex(({ sequence }) => String(sequence) === at[1]) : -1;
  const event = events[index];
  return (
    <div class="split">
      <Rows
        label="Events"
        items={events}
        height={26}
        chosen={index}
        row={(one) => (
          <a class="event" href={runLink(run.run_id, 'seq', one.sequence)}>
            <span class="n">{one.sequence}</span>
            <span class="when">{one.timestamp.slice(11, 23)}</span>
            <span>{visible(one.type)}</span>
            <span class="quiet">{visible(gist(one))}</span>
          </a>
        )}
      />
      <aside class="details" aria-label="Chosen event">
        {event === undefined ? (
          <p class="quiet">Choose an event.</p>
        ) : (
          <>
            <h2>
              {visible(event.type)} {event.sequence}
            </h2>
            <pre class="code" tabIndex={0} role="region" aria-label="Event">
              {shown(event)}
            </pre>
          </>
        )}
      </aside>
    </div>
  );
}

const GIST = ['name', 'mission_name', 'status', 'reason', 'evaluation_id', 'annotation_type', 'outcome'];

function gist({ data }: TraceEvent): string {
  return GIST.flatMap((name) => (typeof data[name] === 'string' ? [data[name]] : [])).join(' · ');
}

/** Components in the order in which they were loaded, with what they depend on. */
function Components({ record: { run, privacy } }: { readonly record: RunRecord }) {
  const rooms = [
    ['workflow', run.workflow_prelude] as const,
    ...Object.entries(run.missions).map(([name, { prelude }]) => [name, prelude] as const),
  ];
  const sourceOf = (id: string, room: string): string | null =>
    privacy.kind === 'closed'
      ? null
      : (privacy.preludes.find((one) => one.component_id === id && (one.mission_name ?? 'workflow') === room)?.source ??
        null);
  return (
    <>
      {rooms.map(([room, { component_ids: ids, dependency_indices: edges, hash }]) => (
        <section key={room}>
          <h2>
            {visible(room)} <span class="hash quiet">{hash?.slice(0, 16) ?? 'no components'}</span>
          </h2>
          <ul class="plain">
            {ids.map((id, nth) => {
              const source = sourceOf(id, room);
              const needs = (edges[nth] ?? []).map((edge) => ids[edge] ?? '').join(', ');
              return (
                <li key={id}>
                  {source === null ? (
                    visible(id)
                  ) : (
                    <details>
                      <summary>{visible(id)}</summary>
                      <Program source={source} label={`Source of ${id}`} />
                    </details>
                  )}{' '}
                  {needs === '' ? null : <span class="quiet">needs {visible(needs)}</span>}
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </>
  );
}

function Result({ record: { run, privacy } }: { readonly record: RunRecord }) {
  return (
    <>
      <p>
        {run.result_hash === null ? (
          'This run has no result.'
        ) : (
          <>
            Result <span class="hash">{run.result_hash}</span>
          </>
        )}
      </p>
      {privacy.kind === 'closed' ? (
        <p class="quiet">{visible(privacy.message)}.</p>
      ) : (
        <>
          {privacy.result['available?'] ? <Value value={privacy.result.value} label="Result" /> : null}
          {privacy.prints.map(({ prints }, nth) => (
            <div key={nth}>
              <h2>Printed</h2>
              <Value value={prints.join('\n')} label="Printed" />
            </div>
          ))}
        </>
      )}
    </>
  );
}
