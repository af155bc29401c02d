import { useMemo } from 'preact/hooks';
import { concurrency, criticalPath, flat, type Span } from '../model/spans.ts';
import { usageOf } from '../model/usage.ts';
import { Badge } from '../parts/badge.tsx';
import { Rows } from '../parts/rows.tsx';
import { runLink } from '../route.ts';
import { count, duration, price, shown, visible } from '../text.ts';

export interface WaterfallProps {
  readonly runId: string;
  readonly spans: readonly Span[];
  readonly total: number;
  readonly chosen: Span | null;
}

/** Evaluations and calls on the clock of the run; each bar with the time that is its own. */
export function Waterfall({ runId, spans, total, chosen }: WaterfallProps) {
  const all = useMemo(() => flat(spans), [spans]);
  const critical = useMemo(() => criticalPath(spans), [spans]);
  const whole = Math.max(total, ...spans.map(({ end }) => end), 1);
  if (all.length === 0) return <p class="empty">Nothing was evaluated in this run. The failure above says why.</p>;
  return (
    <div class="split">
      <div class="chart">
        <p class="legend">
          <span class="bar-mark b-model" /> model <span class="bar-mark b-mission" /> mission{' '}
          <span class="bar-mark b-call" /> call <span class="bar-mark b-route" /> kernel{' '}
          <span class="bar-mark b-workflow" /> workflow · solid part: own time · <span aria-hidden="true">◆</span>{' '}
          critical path
        </p>
        <Strip spans={spans} whole={whole} />
        <Rows
          label="Waterfall"
          items={all}
          height={26}
          chosen={chosen === null ? -1 : all.indexOf(chosen)}
          row={(span) => <Bar runId={runId} span={span} whole={whole} isCritical={critical.has(span.id)} />}
        />
      </div>
      <Details span={chosen} isCritical={chosen !== null && critical.has(chosen.id)} />
    </div>
  );
}

function place(span: Span): string {
  return span.started['evaluation_id'] === undefined ? 'capability' : 'evaluation';
}

export function spanLink(runId: string, span: Span): string {
  return runLink(runId, place(span), span.id);
}

interface BarProps {
  readonly runId: string;
  readonly span: Span;
  readonly whole: number;
  readonly isCritical: boolean;
}

function Bar({ runId, span, whole, isCritical }: BarProps) {
  const [left, width] = [(span.start / whole) * 100, Math.max(((span.end - span.start) / whole) * 100, 0.15)];
  const own = span.end > span.start ? (span.own / (span.end - span.start)) * 100 : 100;
  return (
    <a class="span" href={spanLink(runId, span)}>
      <span class="span-label" style={{ paddingLeft: `${Math.min(span.depth, 8) * 12}px` }}>
        {span.hasFailed ? (
          <span class="fail" aria-hidden="true">
            ✗{' '}
          </span>
        ) : null}
        {isCritical ? (
          <span class="critical" aria-hidden="true">
            ◆{' '}
          </span>
        ) : null}
        {visible(span.label)}
        <span class="hidden">
          {span.hasFailed ? ', failed' : ''}
          {span.isOpen ? ', not ended' : ''}
          {isCritical ? ', on the critical path' : ''}
        </span>
      </span>
      <span class="n span-time">{duration(span.end - span.start)}</span>
      <span class="lane" aria-hidden="true">
        <span
          class={`bar-box b-${span.kind}${span.hasFailed ? ' failed' : ''}${span.isOpen ? ' open' : ''}`}
          style={{ left: `${left}%`, width: `${width}%` }}
        >
          <span class="own" style={{ width: `${own}%` }} />
        </span>
      </span>
    </a>
  );
}

/** How many calls were at work at once. */
function Strip({ spans, whole }: { readonly spans: readonly Span[]; readonly whole: number }) {
  const steps = useMemo(() => concurrency(spans), [spans]);
  const most = Math.max(1, ...steps.map(([, held]) => held));
  const path = steps
    .map(([at, held]) => `H${((at / whole) * 1000).toFixed(1)}V${(20 - (held / most) * 18).toFixed(1)}`)
    .join('');
  return (
    <div class="strip">
      <span class="quiet">at once: up to {count(steps.length === 0 ? 0 : most)}</span>
      <svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">
        <path d={`M0 20${path}H1000V20Z`} />
      </svg>
    </div>
  );
}

function Details({ span, isCritical }: { readonly span: Span | null; readonly isCritical: boolean }) {
  if (span === null)
    return (
      <aside class="details">
        <p class="quiet">Choose a bar, or press j and k.</p>
      </aside>
    );
  const { reason, kind } = span.stopped ?? {};
  const usage = usageOf(span.stopped);
  const rows: readonly (readonly [string, string])[] = [
    ['Id', span.id],
    ['Started', `+${duration(span.start)}`],
    ['Duration', duration(span.end - span.start)],
    ['Own time', duration(span.own)],
    ['Critical path', isCritical ? 'yes' : 'no'],
    ...(kind === undefined
      ? []
      : [
          [
            'Failure',
            [kind, reason]
              .filter((part) => part !== undefined)
              .map(String)
              .join(' / '),
          ] as const,
        ]),
    ...(span.kind === 'model'
      ? ([
          ['Tokens in, out', `${count(usage.input)}, ${count(usage.output)}`],
          ['Cost', price(usage.total_cost)],
        ] as const)
      : []),
  ];
  return (
    <aside class="details" aria-label="Chosen part">
      <h2>
        {visible(span.label)} <Badge state={span.status} />
      </h2>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{visible(value)}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>Raw events</summary>
        <pre class="code" tabIndex={0} role="region" aria-label="Raw events">
          {shown([span.started, span.stopped])}
        </pre>
      </details>
    </aside>
  );
}
