import { useEffect, useState } from 'preact/hooks';
import type { Run, RunRecord } from '../data.ts';
import { diffOf, partingOf, promptParting } from '../model/diff.ts';
import type { Span } from '../model/spans.ts';
import { Badge } from '../parts/badge.tsx';
import { Program } from '../parts/code.tsx';
import { runLink } from '../route.ts';
import type { Source } from '../source.ts';
import { cost, count, duration, moment, visible } from '../text.ts';
import { Problem } from './problem.tsx';
import { spanLink } from './waterfall.tsx';

/** Two runs beside each other, with where they first part. */
export function DiffView({
  source,
  left,
  right,
}: {
  readonly source: Source;
  readonly left: string;
  readonly right: string;
}) {
  const [loaded, setLoaded] = useState<readonly [RunRecord, RunRecord] | Error | null>(null);
  useEffect(() => {
    setLoaded(null);
    Promise.all([source.record(left), source.record(right)]).then(setLoaded, (error: unknown) => {
      setLoaded(error instanceof Error ? error : new Error(String(error)));
    });
  }, [source, left, right]);
  if (loaded instanceof Error) return <Problem fault={loaded} />;
  if (loaded === null) return <p class="quiet loading">Loading both runs</p>;
  return <Compared one={loaded[0]} other={loaded[1]} />;
}

const FACTS: readonly (readonly [name: string, of: (run: Run) => string])[] = [
  ['Status', (run) => run.status ?? 'open'],
  ['Reason', (run) => run.terminal_reason ?? '–'],
  ['Started', (run) => moment(run.start_timestamp)],
  ['Duration', (run) => duration(run.duration_ms)],
  ['Evaluations', (run) => count(run.evaluations)],
  ['Model calls', (run) => count(run.llm_calls)],
  ['Tokens in', (run) => count(run.llm_spend?.input)],
  ['Tokens out', (run) => count(run.llm_spend?.output)],
  ['Cost', (run) => cost(run.llm_spend)],
  ['Workflow bundle', (run) => run.workflow_prelude.hash?.slice(0, 16) ?? '–'],
  [
    'Missions',
    (run) =>
      Object.entries(run.missions)
        .map(([name, { prelude }]) => `${name} ${prelude.hash?.slice(0, 8) ?? '–'}`)
        .join(', ') || '–',
  ],
  ['Result', (run) => run.result_hash?.slice(7, 23) ?? '–'],
];

function Compared({ one, other }: { readonly one: RunRecord; readonly other: RunRecord }) {
  const rows = diffOf(one, other);
  const parting = partingOf(rows);
  return (
    <>
      <h1>Two runs</h1>
      <div class="scroll" tabIndex={0} role="region" aria-label="Facts of both runs">
        <table>
          <thead>
            <tr>
              <th scope="col">Fact</th>
              {[one, other].map(({ run }, nth) => (
                <th key={nth} scope="col">
                  <a href={runLink(run.run_id)}>{run.run_id}</a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {FACTS.map(([name, of]) => (
              <tr key={name} class={of(one.run) === of(other.run) ? '' : 'differs'}>
                <th scope="row">{name}</th>
                <td>{visible(of(one.run))}</td>
                <td>{visible(of(other.run))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>{parting === null ? 'Both runs did the same.' : `They part at ${visible(parting.key)}`}</h2>
      {parting === null ? null : <Programs one={one} other={other} left={parting.left} right={parting.right} />}
      <Prompts one={one} other={other} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Parts of both runs">
        <table>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col">First</th>
              <th scope="col" class="n">
                Time
              </th>
              <th scope="col">Second</th>
              <th scope="col" class="n">
                Time
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, left, right, isSame }) => (
              <tr key={key} class={isSame ? '' : 'differs'} aria-current={key === parting?.key ? 'true' : undefined}>
                <th scope="row">
                  {visible(key)}
                  {isSame ? null : <span class="quiet"> differs</span>}
                </th>
                <Cell runId={one.run.run_id} span={left} />
                <Cell runId={other.run.run_id} span={right} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Cell({ runId, span }: { readonly runId: string; readonly span: Span | null }) {
  if (span === null)
    return (
      <>
        <td class="quiet">absent</td>
        <td />
      </>
    );
  return (
    <>
      <td>
        <a href={spanLink(runId, span)}>
          <Badge state={span.status} />
        </a>
      </td>
      <td class="n">{duration(span.end - span.start)}</td>
    </>
  );
}

/** What was asked where the runs first asked something else, with the lines that only one of them has. */
function Prompts({ one, other }: { readonly one: RunRecord; readonly other: RunRecord }) {
  const parting = promptParting(one, other);
  if (parting === null) return null;
  const sides = [
    ['Prompt of the first', parting.left, parting.right],
    ['Prompt of the second', parting.right, parting.left],
  ] as const;
  return (
    <>
      <h2>Their prompts part at exchange {count(parting.exchange)}</h2>
      <div class="pair">
        {sides.map(([label, text, beside]) => {
          const known = new Set((beside ?? '').split('\n'));
          return (
            <div key={label}>
              {text === null ? (
                <p class="quiet">nothing more was asked</p>
              ) : (
                <pre class="code" tabIndex={0} role="region" aria-label={label}>
                  {text.split('\n').map((line, nth) => (
                    <span key={nth} class={known.has(line) ? undefined : 'line-differs'}>
                      {visible(line)}
                      {'\n'}
                    </span>
                  ))}
                </pre>
              )}
            </div>
          );
        })}
      </div>
    </>
  );
}

/** The programs at the parting, where they may be seen. */
function Programs({
  one,
  other,
  left,
  right,
}: {
  readonly one: RunRecord;
  readonly other: RunRecord;
  readonly left: Span | null;
  readonly right: Span | null;
}) {
  const sourceOf = ({ privacy }: RunRecord, span: Span | null): string | null =>
    privacy.kind === 'closed' || span === null
      ? null
      : (privacy.sources.find(({ evaluation_id: id }) => id === span.id)?.source ?? null);
  const sources = [sourceOf(one, left), sourceOf(other, right)];
  if (sources.every((source) => source === null)) return null;
  return (
    <div class="pair">
      {sources.map((source, nth) => (
        <div key={nth}>
          {source === null ? (
            <p class="quiet">no program</p>
          ) : (
            <Program source={source} label={nth === 0 ? 'Program of the first' : 'Program of the second'} />
          )}
        </div>
      ))}
    </div>
  );
}
