import { useMemo } from 'preact/hooks';
import type { Attempt, Conversation, GeneratedSource, Message, RunRecord, TraceEvent, Turn } from '../data.ts';
import { text } from '../model/spans.ts';
import { usageOf } from '../model/usage.ts';
import { Badge } from '../parts/badge.tsx';
import { Program, Value } from '../parts/code.tsx';
import { runLink } from '../route.ts';
import { count, duration, price, visible } from '../text.ts';

/** What the model saw, what it wrote and the result, side by side. */
export function Turns({ record, at }: { readonly record: RunRecord; readonly at: readonly string[] }) {
  const { run, events, privacy } = record;
  return (
    <>
      <ModelCalls events={events} />
      {privacy.kind === 'closed' ? (
        <p class="empty">
          {run.llm_calls === 0 ? 'No model was asked in this run.' : `What was said is not shown: ${privacy.message}.`}
        </p>
      ) : (
        <Streams
          runId={run.run_id}
          conversation={privacy.conversation}
          sources={privacy.sources}
          events={events}
          at={at}
        />
      )}
    </>
  );
}

/** Tokens and cost of each call, and of each alias. */
function ModelCalls({ events }: { readonly events: readonly TraceEvent[] }) {
  const calls = useMemo(
    () =>
      events
        .filter(({ type, data }) => type === 'capability-stopped' && data['name'] === 'llm-request')
        .map(({ data }) => data),
    [events],
  );
  if (calls.length === 0) return null;
  const aliases = Map.groupBy(calls, (data) => text(data, 'alias') ?? 'unknown');
  const sum = (of: readonly TraceEvent['data'][], name: 'input' | 'output'): number =>
    of.reduce((all, data) => all + (usageOf(data)[name] ?? 0), 0);
  return (
    <details>
      <summary>
        Tokens and cost: {count(calls.length)} calls, {count(sum(calls, 'input'))} in, {count(sum(calls, 'output'))} out
      </summary>
      <div class="scroll" tabIndex={0} role="region" aria-label="Tokens and cost">
        <table>
          <thead>
            <tr>
              <th scope="col">Alias</th>
              <th scope="col">Call</th>
              <th scope="col">Status</th>
              <th scope="col">Finish</th>
              <th scope="col" class="n">
                Attempts
              </th>
              <th scope="col" class="n">
                In
              </th>
              <th scope="col" class="n">
                Out
              </th>
              <th scope="col" class="n">
                Duration
              </th>
              <th scope="col" class="n">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {[...aliases].flatMap(([alias, of]) => [
              <tr key={alias} class="sum">
                <th scope="row">{visible(alias)}</th>
                <td>{count(of.length)} calls</td>
                <td />
                <td />
                <td class="n">{count(attemptsIn(of))}</td>
                <td class="n">{count(sum(of, 'input'))}</td>
                <td class="n">{count(sum(of, 'output'))}</td>
                <td />
                <td />
              </tr>,
              ...of.map((data) => (
                <tr key={text(data, 'capability_id')}>
                  <td />
                  <td>{visible(text(data, 'capability_id') ?? '')}</td>
                  <td>
                    <Badge state={text(data, 'status') ?? 'unknown'} />
                  </td>
                  <td>{visible(text(data, 'finish_reason') ?? text(data, 'reason') ?? '–')}</td>
                  <td class="n">
                    {count(attemptsIn([data]))}
                    {waited(data) === 0 ? null : <span class="quiet"> waited {duration(waited(data))}</span>}
                  </td>
                  <td class="n">{count(sum([data], 'input'))}</td>
                  <td class="n">{count(sum([data], 'output'))}</td>
                  <td class="n">{duration(Number(data['duration_ms'] ?? 0))}</td>
                  <td class="n">{price(usageOf(data).total_cost)}</td>
                </tr>
              )),
            ])}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function attemptsIn(calls: readonly TraceEvent['data'][]): number {
  return calls.reduce((all, { attempts }) => all + (typeof attempts === 'number' ? attempts : 1), 0);
}

/** Milliseconds before all further attempts of a call. */
function waited({ waits_ms: waits }: TraceEvent['data']): number {
  return Array.isArray(waits) ? waits.reduce((all: number, ms: unknown) => all + Number(ms), 0) : 0;
}

interface StreamsProps {
  readonly runId: string;
  readonly conversation: Conversation;
  readonly sources: readonly GeneratedSource[];
  readonly events: readonly TraceEvent[];
  readonly at: readonly string[];
}

function Streams({ runId, conversation, sources, events, at }: StreamsProps) {
  const { streams } = conversation;
  const ends = useMemo(() => endsOf(events), [events]);
  if (streams.length === 0) return <p class="empty">No exchange with a model is on record for this run.</p>;
  const wanted = at[0] === 'turn' ? at[1] : undefined;
  const stream = streams.find(({ stream_id: id }) => id === wanted) ?? streams[0];
  if (stream === undefined) return null;
  const chosen = stream.turns.findIndex(({ turn }) => String(turn) === at[2]);
  const shownAt = Math.max(0, chosen);
  const turn = stream.turns[shownAt];
  return (
    <>
      {streams.length === 1 ? null : (
        <nav class="chips" aria-label="Conversations">
          {streams.map(({ stream_id: id, turns }) => (
            <a
              key={id}
              href={runLink(runId, 'turn', id, 1)}
              aria-current={id === stream.stream_id ? 'true' : undefined}
            >
              {visible(id)} · {count(turns.length)}
            </a>
          ))}
        </nav>
      )}
      <nav class="chips" aria-label="Turns">
        {stream.turns.map((one, nth) => (
          <a
            key={one.turn}
            href={runLink(runId, 'turn', stream.stream_id, one.turn)}
            aria-current={nth === shownAt ? 'true' : undefined}
          >
            {one.turn}
            <Ends turn={one} ends={ends} />
          </a>
        ))}
      </nav>
      {turn === undefined ? null : (
        <TurnView
          key={`${turn.stream_id} ${turn.turn}`}
          turn={turn}
          next={stream.turns[shownAt + 1] ?? null}
          sources={sources}
          ends={ends}
          system={stream.turns.slice(0, shownAt + 1).findLast(({ system }) => system !== undefined)?.system ?? null}
        />
      )}
    </>
  );
}

/** How evaluations ended, by their ids. */
type Ended = ReadonlyMap<unknown, TraceEvent['data']>;

function endsOf(events: readonly TraceEvent[]): Ended {
  return new Map(
    events.filter(({ type }) => type === 'evaluation-stopped').map(({ data }) => [data['evaluation_id'], data]),
  );
}

/** A turn whose program failed is marked where turns are chosen. */
function Ends({ turn, ends }: { readonly turn: Turn; readonly ends: Ended }) {
  const failed = turn.generated.some(
    ({ evaluation_id: id }) => !['returned', 'continued'].includes(String(ends.get(id)?.['status'])),
  );
  return failed ? (
    <span class="fail">
      {' '}
      ✗<span class="hidden"> failed</span>
    </span>
  ) : null;
}

interface TurnProps {
  readonly turn: Turn;
  readonly next: Turn | null;
  readonly sources: readonly GeneratedSource[];
  readonly ends: Ended;
  readonly system: string | null;
}

function TurnView({ turn, next, sources, ends, system }: TurnProps) {
  return (
    <article class="turn" aria-label={`Turn ${turn.turn}`}>
      <section aria-label="Messages">
        <h2>
          Messages <span class="quiet">{count(turn.tokens?.input)} tokens in</span>
        </h2>
        {system === null ? null : (
          <details>
            <summary>
              system{turn.system === undefined ? ', unchanged' : turn.turn === 1 ? '' : ', changed here'}
            </summary>
            <Value value={system} label="System prompt" />
          </details>
        )}
        {turn.messages_added.map((message, nth) => (
          <MessageView key={nth} message={message} />
        ))}
      </section>
      <section aria-label="Program">
        <h2>
          Answer <span class="quiet">{count(turn.tokens?.output)} tokens out</span>
        </h2>
        {turn.attempts === undefined ? null : <Attempts attempts={turn.attempts} />}
        {turn.reasoning === undefined ? null : (
          <details>
            <summary>
              Reasoning <span class="quiet">{count(turn.reasoning.length)} characters, no part of the answer</span>
            </summary>
            <Value value={turn.reasoning} label="Reasoning" />
          </details>
        )}
        {turn.assistant === null || (turn.assistant.content ?? null) === null ? null : (
          <Value value={turn.assistant.content} label="Text of the answer" />
        )}
        {turn.generated.map(({ evaluation_id: id, mission_name: mission }) => {
          const source = sources.find((one) => one.evaluation_id === id);
          return (
            <div key={id}>
              <h3>
                {visible(mission ?? 'program')} <span class="quiet">{visible(id)}</span>
              </h3>
              {source === undefined ? null : <Program source={source.source} label={`Program of ${id}`} />}
              {source === undefined || source.prelude_calls.length === 0 ? null : (
                <p class="quiet">calls {source.prelude_calls.map(({ ref }) => visible(ref)).join(', ')}</p>
              )}
            </div>
          );
        })}
        {turn.generated.length > 0
          ? null
          : (turn.assistant?.tool_calls ?? []).map(({ name, args }, nth) => (
              <div key={nth}>
                <h3>{visible(name)}</h3>
                <Value value={args} label={`Arguments of ${name}`} />
              </div>
            ))}
      </section>
      <section aria-label="Result">
        <h2>Result</h2>
        {turn.generated.map(({ evaluation_id: id }) => {
          const end = ends.get(id) ?? null;
          return (
            <p key={id}>
              <Badge state={(end === null ? null : text(end, 'status')) ?? 'open'} />{' '}
              <span class="quiet">{duration(Number(end?.['duration_ms'] ?? 0))}</span>
            </p>
          );
        })}
        {next === null ? (
          <p class="quiet">The conversation ends here.</p>
        ) : (
          next.feedback.map((message, nth) => <Value key={nth} value={message.content} label="Feedback to the model" />)
        )}
      </section>
    </article>
  );
}

/** How often a model was asked, what was waited for, and what each attempt came to. */
function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const waited = attempts.reduce((sum, { waited_ms: ms }) => sum + ms, 0);
  return (
    <section aria-label="Attempts">
      <h3>
        {count(attempts.length)} {attempts.length === 1 ? 'attempt' : 'attempts'}
        {waited === 0 ? null : <span class="quiet"> waited {duration(waited)}</span>}
      </h3>
      <ol class="chain">
        {attempts.map(({ attempt, outcome, waited_ms: ms, http_status: status, said }) => (
          <li key={attempt}>
            <Badge state={outcome === 'ok' ? 'ok' : 'failed'} />{' '}
            {[
              ...(outcome === 'ok' ? [] : [visible(outcome.replaceAll('_', ' '))]),
              ...(status === undefined ? [] : [`HTTP ${status}`]),
            ].join(', ')}{' '}
            {ms === 0 ? null : <span class="quiet">after {duration(ms)}</span>}
            {said === undefined ? null : <div>{visible(said)}</div>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function MessageView({ message }: { readonly message: Message }) {
  return (
    <div>
      <h3>{visible(message.role)}</h3>
      <Value value={message.content ?? message} label={`Message of ${message.role}`} />
    </div>
  );
}
