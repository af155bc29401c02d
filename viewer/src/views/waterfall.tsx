import { useEffect, useMemo, useState } from 'preact/hooks';
import type { RunRecord } from '../data.ts';
import { useKeys } from '../keys.ts';
import { ticksOf, zoomed, type View } from '../model/axis.ts';
import { callerOf, partOf } from '../model/part.ts';
import { concurrency, criticalPath, text, type Span } from '../model/spans.ts';
import { usageOf } from '../model/usage.ts';
import { Badge } from '../parts/badge.tsx';
import { Program, Value } from '../parts/code.tsx';
import { Rows } from '../parts/rows.tsx';
import { runLink } from '../route.ts';
import { count, duration, price, shown, visible } from '../text.ts';

export interface WaterfallProps {
  readonly record: RunRecord;
  readonly spans: readonly Span[];
  readonly total: number;
  readonly chosen: Span | null;
}

/** Evaluations and calls on the clock of the run; each bar with the time that is its own. */
export function Waterfall({ record, spans, total, chosen }: WaterfallProps) {
  const runId = record.run.run_id;
  const critical = useMemo(() => criticalPath(spans), [spans]);
  const whole = Math.max(total, ...spans.map(({ end }) => end), 1);
  const [view, setView] = useState<View>({ from: 0, to: whole });
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    setView({ from: 0, to: whole });
    setFolded(new Set());
  }, [runId, whole]);
  // What is chosen is shown, whatever is folded around it.
  const rows = useMemo(() => unfolded(spans, folded, chosen), [spans, folded, chosen]);
  const middle = (): number =>
    chosen !== null && chosen.end >= view.from && chosen.start <= view.to
      ? (Math.max(chosen.start, view.from) + Math.min(chosen.end, view.to)) / 2
      : (view.from + view.to) / 2;
  const zoom = (factor: number): void => {
    setView(zoomed(view, factor, { around: middle(), whole }));
  };
  const shift = (share: number): void => {
    const length = view.to - view.from;
    const from = Math.min(Math.max(0, view.from + share * length), whole - length);
    setView({ from, to: from + length });
  };
  const showAll = (): void => {
    setView({ from: 0, to: whole });
  };
  const fold = (id: string): void => {
    setFolded((before) =>
      before.has(id) ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id]),
    );
  };
  useKeys({
    '+': () => {
      zoom(1 / 2);
    },
    '-': () => {
      zoom(2);
    },
    '0': showAll,
    f: () => {
      if (chosen !== null && chosen.children.length > 0) fold(chosen.id);
    },
  });
  if (spans.length === 0) return <p class="empty">Nothing was evaluated in this run. The failure above says why.</p>;
  const isWhole = view.from === 0 && view.to === whole;
  return (
    <div class="split">
      <div class="chart">
        <p class="legend">
          <span class="bar-mark b-model" /> model <span class="bar-mark b-mission" /> mission{' '}
          <span class="bar-mark b-call" /> call <span class="bar-mark b-route" /> kernel{' '}
          <span class="bar-mark b-workflow" /> workflow <span class="bar-mark b-wait" /> waits for a person · solid
          part: own time · <span aria-hidden="true">◆</span> critical path
        </p>
        <div class="zoom" role="group" aria-label="Time that is shown">
          <Step label="Nearer" sign="+" act={() => zoom(1 / 2)} />
          <Step label="Farther" sign="−" act={() => zoom(2)} isIdle={isWhole} />
          <Step label="Earlier" sign="‹" act={() => shift(-1 / 2)} isIdle={view.from === 0} />
          <Step label="Later" sign="›" act={() => shift(1 / 2)} isIdle={view.to === whole} />
          <button type="button" disabled={isWhole} onClick={showAll}>
            All
          </button>
          {chosen === null || chosen.end <= chosen.start ? null : (
            <button
              type="button"
              onClick={() => {
                setView({ from: chosen.start, to: chosen.end });
              }}
            >
              Chosen bar
            </button>
          )}
          <span class="quiet" role="status">
            {duration(view.from)} to {duration(view.to)}
          </span>
        </div>
        <Strip spans={spans} view={view} />
        <Axis view={view} />
        <Rows
          label="Waterfall"
          items={rows}
          height={26}
          chosen={chosen === null ? -1 : rows.indexOf(chosen)}
          row={(span) => (
            <Bar
              runId={runId}
              span={span}
              view={view}
              isCritical={critical.has(span.id)}
              isFolded={folded.has(span.id)}
              fold={fold}
            />
          )}
        />
      </div>
      <Details record={record} spans={spans} span={chosen} isCritical={chosen !== null && critical.has(chosen.id)} />
    </div>
  );
}

interface StepProps {
  readonly label: string;
  readonly sign: string;
  readonly act: () => void;
  readonly isIdle?: boolean;
}

function Step({ label, sign, act, isIdle = false }: StepProps) {
  return (
    <button type="button" aria-label={label} disabled={isIdle} onClick={act}>
      {sign}
    </button>
  );
}

/** All spans but those within folded ones; what leads to the chosen one is open. */
function unfolded(spans: readonly Span[], folded: ReadonlySet<string>, chosen: Span | null): readonly Span[] {
  const holdsChosen = (span: Span): boolean =>
    chosen !== null && span.children.some((child) => child === chosen || holdsChosen(child));
  return spans.flatMap((span) => [
    span,
    ...(folded.has(span.id) && !holdsChosen(span) ? [] : unfolded(span.children, folded, chosen)),
  ]);
}

/** Round times over the lanes. */
function Axis({ view }: { readonly view: View }) {
  const length = view.to - view.from;
  return (
    <div class="axis" aria-hidden="true">
      <span class="ticks">
        {ticksOf(view, 5).map((at) => (
          <span key={at} class="tick" style={{ left: `${((at - view.from) / length) * 100}%` }}>
            {duration(at)}
          </span>
        ))}
      </span>
    </div>
  );
}

function place(span: Span): string {
  if (span.kind === 'wait') return 'approval';
  return span.kind === 'workflow' || span.kind === 'mission' ? 'evaluation' : 'capability';
}

export function spanLink(runId: string, span: Span): string {
  return runLink(runId, place(span), span.id);
}

interface BarProps {
  readonly runId: string;
  readonly span: Span;
  readonly view: View;
  readonly isCritical: boolean;
  readonly isFolded: boolean;
  readonly fold: (id: string) => void;
}

function Bar({ runId, span, view, isCritical, isFolded, fold }: BarProps) {
  const length = view.to - view.from;
  const [left, width] = [
    ((span.start - view.from) / length) * 100,
    Math.max(((span.end - span.start) / length) * 100, 0.15),
  ];
  const isSeen = span.end >= view.from && span.start <= view.to;
  const indent = Math.min(span.depth, 8) * 12;
  const own = span.end > span.start ? (span.own / (span.end - span.start)) * 100 : 100;
  return (
    <div class="bar-row">
      {span.children.length === 0 ? null : (
        <button
          type="button"
          class="fold"
          style={{ left: `${indent}px` }}
          aria-expanded={!isFolded}
          aria-label={`What is in ${visible(span.label)}`}
          onClick={() => {
            fold(span.id);
          }}
        >
          {isFolded ? '▸' : '▾'}
        </button>
      )}
      <a class="span" href={spanLink(runId, span)}>
        <span class="span-label" style={{ paddingLeft: `${indent + 22}px` }}>
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
          {isSeen ? (
            <span
              class={`bar-box b-${span.kind}${span.hasFailed ? ' failed' : ''}${span.isOpen ? ' open' : ''}`}
              style={{ left: `${left}%`, width: `${width}%` }}
            >
              <span class="own" style={{ width: `${own}%` }} />
            </span>
          ) : null}
        </span>
      </a>
    </div>
  );
}

/** How many calls were at work at once. */
function Strip({ spans, view }: { readonly spans: readonly Span[]; readonly view: View }) {
  const steps = useMemo(() => concurrency(spans), [spans]);
  const most = Math.max(1, ...steps.map(([, acquired]) => acquired));
  const across = (at: number): number => Math.min(1000, Math.max(0, ((at - view.from) / (view.to - view.from)) * 1000));
  const path = steps
    .map(([at, acquired]) => `H${across(at).toFixed(1)}V${(20 - (acquired / most) * 18).toFixed(1)}`)
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

interface DetailsProps {
  readonly record: RunRecord;
  readonly spans: readonly Span[];
  readonly span: Span | null;
  readonly isCritical: boolean;
}

function Details({ record, spans, span, isCritical }: DetailsProps) {
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
    ...(span.kind === 'wait' && span.stopped !== null ? decisionRows(span.stopped) : []),
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
      <Private record={record} span={span} caller={callerOf(spans, span)} />
      <details>
        <summary>Raw events</summary>
        <pre class="code" tabIndex={0} role="region" aria-label="Raw events">
          {shown([span.started, span.stopped])}
        </pre>
      </details>
    </aside>
  );
}

/** Who decided about a call, and for what else. */
function decisionRows(data: Span['started']): readonly (readonly [string, string])[] {
  const [by, scope] = [text(data, 'by'), text(data, 'scope')];
  return [
    ...(by === null ? [] : [['Decided by', by] as const]),
    ...(scope === null ? [] : [['Scope', scope] as const]),
  ];
}

interface PrivateProps {
  readonly record: RunRecord;
  readonly span: Span;
  readonly caller: Span | null;
}

/** What was asked, written and answered, where it may be seen. */
function Private({ record, span, caller }: PrivateProps) {
  const part = partOf(record, span, caller);
  if (part === null)
    return record.privacy.kind === 'closed' ? (
      <p class="quiet">Program, arguments and result are not shown: {visible(record.privacy.message)}.</p>
    ) : null;
  const { program, turn, prints } = part;
  const values = [
    ['Arguments', part.arguments],
    ['Error', part.error],
    ['Result', part.result],
    ['Printed', prints.length === 0 ? null : prints.join('\n')],
  ] as const;
  return (
    <>
      {turn === null ? null : (
        <p>
          <a href={runLink(record.run.run_id, 'turn', turn.stream_id, turn.turn)}>
            Turn {turn.turn} of {visible(turn.stream_id)}
          </a>
        </p>
      )}
      {program === null ? null : (
        <>
          <h3>Program{program.place === null ? '' : `, failed in line ${program.place.line}`}</h3>
          <Program source={program.source} label={`Program of ${span.id}`} place={program.place} />
        </>
      )}
      {values.map(([name, value]) =>
        value === null || value === undefined ? null : (
          <div key={name}>
            <h3>{name}</h3>
            <Value value={value} label={`${name} of ${span.id}`} />
          </div>
        ),
      )}
    </>
  );
}
