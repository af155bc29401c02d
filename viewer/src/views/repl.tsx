import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Editor, EditorPlace } from '../editor/editor.ts';
import type { Bootstrap, Entry, ReplState } from '../repl/answers.ts';
import { candidatesOf } from '../repl/candidates.ts';
import { replClient, type ReplClient } from '../repl/client.ts';
import type { Source } from '../source.ts';
import { count, duration, visible } from '../text.ts';
import { useKeys } from '../keys.ts';
import { Problem } from './problem.tsx';
import { Entries } from './repl-entries.tsx';
import { Examples } from './repl-examples.tsx';

/** What was written and not evaluated yet, and what was evaluated: both outlast a look at another page. */
const stored: { draft: string; history: readonly string[] } = { draft: '', history: [] };
const HISTORY_MOST = 200;
const POLL_MS = 300;

/** A session over the public traces of the project, in the page. */
export function ReplView({ source, runId }: { readonly source: Source; readonly runId: string | null }) {
  const [state, setState] = useState<ReplState | null>(null);
  const [runs, setRuns] = useState<Bootstrap['runs'] | null>(null);
  const [fault, setFault] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const client = useMemo(() => replClient(setState), []);
  const running = useRef<AbortController | null>(null);
  const editor = useRef<Editor | null>(null);
  const read = async (): Promise<void> => {
    try {
      const answer = await client.read();
      if (stored.history.length === 0)
        stored.history = answer.transcript.flatMap((entry) => (entry['source_truncated?'] ? [] : [entry.source]));
      setRuns(answer.runs);
    } catch (error) {
      setFault(asError(error));
    }
  };
  useEffect(() => {
    void read();
    return () => {
      running.current?.abort();
    };
  }, []);
  // An interrupted form, or that of another page, has not ended yet: what becomes of it is looked for.
  const isElsewhere = !isBusy && (state?.lifecycle === 'evaluating' || state?.lifecycle === 'templating');
  useEffect(() => {
    if (!isElsewhere) return undefined;
    const timer = setInterval(() => {
      client.read().catch(() => undefined);
    }, POLL_MS);
    return () => {
      clearInterval(timer);
    };
  }, [isElsewhere]);
  const doing = async (work: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
    if (running.current !== null) return;
    const mine = new AbortController();
    running.current = mine;
    setBusy(true);
    setFault(null);
    try {
      await work(mine.signal);
    } catch (error) {
      // Interrupted: what the session made of it is reported by itself.
      if (mine.signal.aborted) await client.read().catch(() => undefined);
      else setFault(asError(error));
    } finally {
      running.current = null;
      setBusy(false);
    }
  };
  const write = (text: string, place: EditorPlace | null = null): void => {
    editor.current?.set(text, place);
    editor.current?.focus();
  };
  const evaluate = (): void => {
    const form = stored.draft;
    if (form.trim() === '') return;
    void doing(async (signal) => {
      stored.history = [...stored.history.filter((earlier) => earlier !== form), form].slice(-HISTORY_MOST);
      const { evaluation } = await client.evaluate(form, signal);
      // A form that failed stays, to be mended.
      if (evaluation.status === 'ok' && stored.draft === form) editor.current?.set('');
    });
  };
  const interrupt = (): void => {
    if (running.current === null) document.getElementById('main')?.focus();
    else running.current.abort();
  };
  useKeys({
    '/': () => {
      editor.current?.focus();
    },
    Escape: () => {
      running.current?.abort();
    },
  });
  if (state === null)
    return fault === null ? <p class="quiet loading">Reading the session</p> : <Problem fault={fault} />;
  return (
    <>
      <div class="bar">
        <h1>REPL</h1>
        <span role="status" class="quiet">
          {isBusy ? 'evaluating' : STATES[state.lifecycle]}
        </span>
      </div>
      <Nothing
        runs={runs}
        look={() => {
          void doing(async () => {
            await source.refresh();
            await read();
          });
        }}
      />
      {fault === null ? null : (
        <p class="notice bad" role="alert">
          {visible(fault.message)}
        </p>
      )}
      <div class="split repl">
        <div>
          <EditorPlace client={client} state={state} editor={editor} evaluate={evaluate} interrupt={interrupt} />
          <div class="actions">
            <button type="button" disabled={isBusy} onClick={evaluate}>
              Evaluate <kbd>Ctrl</kbd> <kbd>Enter</kbd>
            </button>
            <button type="button" disabled={!isBusy} onClick={interrupt}>
              Interrupt <kbd>Esc</kbd>
            </button>
            <button
              type="button"
              disabled={isBusy}
              onClick={() => {
                void doing(async () => client.reset());
              }}
            >
              Start again
            </button>
          </div>
          <Budget state={state} />
          <Entries entries={state.transcript} omitted={state.transcript_omitted_count} again={write} />
        </div>
        <Examples source={source} runId={runId} client={client} write={write} refuse={setFault} />
      </div>
    </>
  );
}

const STATES: Readonly<Record<ReplState['lifecycle'], string>> = {
  never_started: 'opens with the first form',
  open: 'open',
  evaluating: 'evaluating elsewhere',
  templating: 'writing a form',
  closed: 'ended: start it again',
  terminal: 'a limit ended it: start it again',
  terminal_unpersisted: 'a limit ended it, and its trace could not be written: start it again',
  persistence_failed: 'its trace could not be written: start it again',
  backend_failed: 'it broke: start it again',
};

interface PlaceProps {
  readonly client: ReplClient;
  readonly state: ReplState;
  readonly editor: { current: Editor | null };
  readonly evaluate: () => void;
  readonly interrupt: () => void;
}

/** The editor, which is loaded with this page alone. */
function EditorPlace({ client, state, editor, evaluate, interrupt }: PlaceProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef({ evaluate, interrupt, state });
  latest.current = { evaluate, interrupt, state };
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    let isHere = true;
    const names = knownNames(client, () => latest.current.state.transcript);
    const walk = historyWalk();
    void (async () => {
      const loaded = await import('../editor/editor.ts').catch(() => null);
      if (!isHere || host.current === null) return;
      if (loaded === null) {
        setLost(true);
        return;
      }
      editor.current = loaded.openEditor(host.current, 'Form', stored.draft, {
        onText: (text) => {
          stored.draft = text;
        },
        onSubmit: () => {
          latest.current.evaluate();
        },
        onEscape: () => {
          latest.current.interrupt();
        },
        onArrow: walk,
        candidates: async (word) => candidatesOf(await names(), word),
      });
      host.current.dataset['ready'] = 'true';
    })();
    return () => {
      isHere = false;
      editor.current?.close();
      editor.current = null;
    };
  }, []);
  return isLost ? (
    <p class="notice bad" role="alert">
      The editor could not be loaded: reload this page.
    </p>
  ) : (
    <div ref={host} class="editor" />
  );
}

/** Asked once for all that follows one form: each may define more. */
function knownNames(client: ReplClient, transcript: () => readonly Entry[]): () => Promise<readonly string[]> {
  let [known, after]: [Promise<readonly string[]> | null, string | undefined] = [null, undefined];
  return async () => {
    const last = transcript().at(-1)?.evaluation.evaluation_id;
    if (known === null || after !== last) [known, after] = [client.names().catch(() => []), last];
    return known;
  };
}

/** Up and down in what was evaluated; after the newest comes what was being written. */
function historyWalk(): (direction: 'up' | 'down', text: string) => string | null {
  let [back, draft] = [0, ''];
  return (direction, text) => {
    const { history } = stored;
    // Anyone who changed what was fetched writes something new.
    if (back > 0 && history.at(-back) !== text) back = 0;
    const next = back + (direction === 'up' ? 1 : -1);
    if (next < 0 || next > history.length) return null;
    if (back === 0) draft = text;
    back = next;
    return back === 0 ? draft : (history.at(-back) ?? null);
  };
}

function Budget({ state: { session, limits, last_trace_path: path } }: { readonly state: ReplState }) {
  const {
    evaluations = 0,
    capability_calls: calls = 0,
    remaining_ms: left = limits.duration_ms,
  } = session?.usage ?? {};
  const captured = session?.snapshot?.traces.run_count;
  return (
    <>
      <dl class="inline">
        <div>
          <dt>Forms</dt>
          <dd>
            {count(evaluations)} of {count(limits.evaluations)}
          </dd>
        </div>
        <div>
          <dt>Queries</dt>
          <dd>
            {count(calls)} of {count(limits.capability_calls)}
          </dd>
        </div>
        <div>
          <dt>Time left</dt>
          <dd>{duration(left)}</dd>
        </div>
        <div>
          <dt>Captured runs</dt>
          <dd>{captured === undefined ? 'none yet' : count(captured)}</dd>
        </div>
        {session?.terminal_reason === null || session === null ? null : (
          <div>
            <dt>Ended by</dt>
            <dd>{visible(session.terminal_reason)}</dd>
          </div>
        )}
      </dl>
      {path === null ? null : (
        <p class="quiet">
          Trace of the session before: <span class="hash">{visible(path)}</span>
        </p>
      )}
    </>
  );
}

/** Why there is nothing to ask about, and what to do. */
function Nothing({ runs, look }: { readonly runs: Bootstrap['runs'] | null; readonly look: () => void }) {
  if (runs === null || runs.public > 0) return null;
  return (
    <div class="notice">
      {runs.private === 0 ? (
        <p>
          There is no run to ask about yet. Start one in a terminal: <code>svc run svc-project.json</code>
        </p>
      ) : (
        <p>
          All {count(runs.private)} runs of this project are private, and the session of this page reads public traces
          alone. In a terminal:{' '}
          <code>svc repl --profile private-run-analysis-v2 --project svc-project.json --private-terminal</code>
        </p>
      )}
      <p>
        <button type="button" onClick={look}>
          Look again
        </button>
      </p>
    </div>
  );
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
