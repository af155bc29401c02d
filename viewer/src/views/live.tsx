import { useEffect, useState } from 'preact/hooks';
import { configuration } from '../configuration.ts';
import type { Frame } from '../data.ts';
import { liveBars, withActs } from '../model/live-bars.ts';
import { WaitingNotice } from '../parts/approvals.tsx';
import { Badge } from '../parts/badge.tsx';
import { runLink } from '../route.ts';
import { ask } from '../source.ts';
import { cost, count, duration, visible } from '../text.ts';
import { Launch } from './launch.tsx';

/** Runs that report their progress while they go on. */
export function LiveView() {
  const [frames, setFrames] = useState<ReadonlyMap<string, Frame>>(new Map());
  const [acts, setActs] = useState<ReadonlyMap<string, Frame['activity']>>(new Map());
  const [isConnected, setConnected] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    const stream = new EventSource('/api/live/stream');
    stream.addEventListener('open', () => {
      setConnected(true);
    });
    stream.addEventListener('error', () => {
      setConnected(false);
    });
    stream.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const frame: Frame = JSON.parse(data);
      setFrames((before) => new Map([...before, [frame.run_id, frame]]));
      setActs((before) => new Map([...before, [frame.run_id, withActs(before.get(frame.run_id) ?? [], frame)]]));
    });
    return () => {
      stream.close();
    };
  }, []);
  const changed = async (path: string, method: string): Promise<boolean> => {
    try {
      await ask(path, { method, headers: { 'X-Svc-Viewer-Live-Nonce': configuration().live_mutation_nonce ?? '' } });
      return true;
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
      return false;
    }
  };
  const inspect = async (runId: string): Promise<void> => {
    if (await changed(`/api/live/runs/${encodeURIComponent(runId)}/inspect`, 'POST')) location.hash = runLink(runId);
  };
  const removeRun = async (runId: string): Promise<void> => {
    if (await changed(`/api/live/runs/${encodeURIComponent(runId)}`, 'DELETE'))
      setFrames((before) => new Map([...before].filter(([id]) => id !== runId)));
  };
  const newest = [...frames.values()].toReversed();
  return (
    <>
      <div class="bar">
        <h1>Live</h1>
        <span class="quiet" role="status">
          {isConnected ? 'following' : 'connecting'}
        </span>
      </div>
      {fault === null ? null : (
        <p class="notice bad" role="alert">
          {visible(fault)}
        </p>
      )}
      <Launch />
      {newest.length > 0 ? null : (
        <div class="empty">
          <p>No run is reporting.</p>
          <p>Start one above, or in another terminal with the address of this viewer:</p>
          <pre class="code">SVC_VIEWER_URL={location.origin} svc run svc-project.json</pre>
        </div>
      )}
      <div class="cards">
        {newest.map((frame) => (
          <Card
            key={frame.run_id}
            frame={frame}
            acts={acts.get(frame.run_id) ?? []}
            inspect={() => {
              void inspect(frame.run_id);
            }}
            remove={() => {
              void removeRun(frame.run_id);
            }}
          />
        ))}
      </div>
    </>
  );
}

interface CardProps {
  readonly frame: Frame;
  readonly acts: Frame['activity'];
  readonly inspect: () => void;
  readonly remove: () => void;
}

function Card({ frame, acts, inspect, remove }: CardProps) {
  const {
    run_id: id,
    label,
    entry,
    phase,
    elapsed_ms: elapsed,
    remaining_ms: remaining,
    usage,
    limits,
    heap,
    parallel,
    agents,
    programs,
    activity,
    outcome_reason: reason,
  } = frame;
  return (
    <article class="card" aria-label={`Run ${visible(id)}`}>
      <h2>
        {visible(label ?? id)} <Badge state={phase} />
      </h2>
      <p class="hash quiet">
        {visible(id)}
        {entry === undefined || entry === null || entry === '' ? '' : ` · ${visible(entry)}`}
      </p>
      <dl class="inline">
        <div>
          <dt>Elapsed</dt>
          <dd>{duration(elapsed)}</dd>
        </div>
        {remaining === undefined || remaining === null ? null : (
          <div>
            <dt>Left</dt>
            <dd>{duration(remaining)}</dd>
          </div>
        )}
        <div>
          <dt>Evaluations</dt>
          <dd>
            {count(usage?.subordinate_evaluations)}
            {limits?.['subordinate_evaluations'] === undefined ? '' : ` of ${count(limits['subordinate_evaluations'])}`}
          </dd>
        </div>
        <div>
          <dt>Calls</dt>
          <dd>
            {count(usage?.capability_calls)}
            {limits?.['workflow_capability_calls'] === undefined
              ? ''
              : ` of ${count(limits['workflow_capability_calls'])}`}
          </dd>
        </div>
        {(usage?.protocol_errors ?? 0) === 0 ? null : (
          <div>
            <dt>Answers not taken</dt>
            <dd>{count(usage?.protocol_errors)}</dd>
          </div>
        )}
        {(usage?.model_calls ?? 0) === 0 ? null : (
          <div>
            <dt>Model calls</dt>
            <dd>{count(usage?.model_calls)}</dd>
          </div>
        )}
        {usage?.tokens === undefined || usage.tokens === null ? null : (
          <div>
            <dt>Tokens</dt>
            <dd>{count(usage.tokens)}</dd>
          </div>
        )}
        <div>
          <dt>Cost</dt>
          <dd>{cost(usage?.llm_spend)}</dd>
        </div>
        {heap === undefined || heap === null ? null : (
          <div>
            <dt>Heap</dt>
            <dd>
              {count(heap.observed_words)} of {count(heap.ceiling_words)} words
            </dd>
          </div>
        )}
        {parallel === undefined || parallel === null ? null : (
          <div>
            <dt>Workers</dt>
            <dd>
              {count(parallel.held)} of {count(parallel.capacity)}
            </dd>
          </div>
        )}
      </dl>
      {reason === undefined || reason === null ? null : <p class="reason">{visible(reason)}</p>}
      <WaitingNotice waiting={(frame.waiting ?? []).length} />
      <Agents agents={agents ?? []} programs={programs ?? []} />
      <LiveWaterfall acts={acts} elapsed={elapsed} isRunning={phase === 'running'} />
      <ol class="activity" aria-label="Newest activity">
        {activity.slice(0, 8).map(({ t, name, status, duration_ms: took }, nth) => (
          <li key={nth}>
            <span class="n">{duration(t)}</span> {visible(name)}{' '}
            <span class="quiet">
              {visible(status)}
              {took === undefined ? '' : ` ${duration(took)}`}
            </span>
          </li>
        ))}
      </ol>
      <p>
        {phase === 'running' ? null : (
          <button type="button" onClick={inspect}>
            View result
          </button>
        )}{' '}
        <button type="button" onClick={remove}>
          Forget
        </button>
      </p>
    </article>
  );
}

interface AgentsProps {
  readonly agents: NonNullable<Frame['agents']>;
  readonly programs: NonNullable<Frame['programs']>;
}

/** At which turn agents are, and what their programs came to. */
function Agents({ agents, programs }: AgentsProps) {
  return (
    <>
      {agents.length === 0 ? null : (
        <ul class="activity" aria-label="Agents">
          {agents.map(({ id, turn, max_turns: most, kind }) => (
            <li key={id}>
              turn {count(turn)}
              {most === null ? '' : ` of ${count(most)}`}{' '}
              <span class="quiet">
                {visible(kind)} {visible(id)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {programs.length === 0 ? null : (
        <ol class="activity" aria-label="Newest programs">
          {programs.map(({ line, outcome }, nth) => (
            <li key={nth}>
              <code>{visible(line)}</code> <span class="quiet">{visible(outcome ?? 'running')}</span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

interface LiveWaterfallProps {
  readonly acts: Frame['activity'];
  readonly elapsed: number;
  readonly isRunning: boolean;
}

/** Bars that a card shows: the newest. */
const MOST_BARS = 24;

/** Calls and evaluations on the clock of the run, while it goes on. */
function LiveWaterfall({ acts, elapsed, isRunning }: LiveWaterfallProps) {
  const bars = liveBars(acts, elapsed, isRunning).slice(-MOST_BARS);
  if (bars.length === 0) return null;
  const whole = Math.max(elapsed, ...bars.map(({ end }) => end), 1);
  return (
    <div
      class="live-bars"
      role="img"
      aria-label={`${count(bars.length)} calls and evaluations over ${duration(whole)}`}
    >
      {bars.map(({ name, kind, start, end, isOpen, hasFailed }, nth) => (
        <div key={nth} class="live-bar">
          <span class="span-label">{visible(name)}</span>
          <span class="lane">
            <span
              class={`bar-box ${kind === 'evaluation' ? 'b-workflow' : name === 'llm-request' ? 'b-model' : 'b-call'}${hasFailed ? ' failed' : ''}${isOpen ? ' open' : ''}`}
              style={{ left: `${(start / whole) * 100}%`, width: `${Math.max(((end - start) / whole) * 100, 0.5)}%` }}
            >
              <span class="own" style={{ width: '100%' }} />
            </span>
          </span>
        </div>
      ))}
    </div>
  );
}
