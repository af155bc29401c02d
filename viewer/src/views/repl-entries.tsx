import type { EditorPlace } from '../editor/editor.ts';
import { Badge } from '../parts/badge.tsx';
import { Program, Value } from '../parts/code.tsx';
import type { Entry, FormProblem } from '../repl/answers.ts';
import { laidOut } from '../repl/printed.ts';
import { effectOf, remedyOf } from '../repl/remedies.ts';
import { count, duration, visible } from '../text.ts';

/** Characters that are shown in colours; more of them would make the page slow. */
const COLOURED_MOST = 8000;

export interface EntriesProps {
  readonly entries: readonly Entry[];
  readonly omitted: number;
  /** Puts a form into the editor, with the cursor at a place. */
  readonly again: (source: string, place?: EditorPlace | null) => void;
}

/** What was evaluated, the newest first. */
export function Entries({ entries, omitted, again }: EntriesProps) {
  const last = entries.at(-1);
  return (
    <section class="entries" aria-label="Transcript">
      <p class="hidden" role="status">
        {last === undefined
          ? ''
          : `Form ${omitted + entries.length}: ${last.evaluation.status === 'ok' ? 'evaluated' : `failed, ${last.evaluation.error?.kind ?? ''}`}`}
      </p>
      {entries.length === 0 ? (
        <p class="empty">Nothing was evaluated yet. Take an example, or write a form above.</p>
      ) : null}
      {entries
        .map((entry, nth) => (
          <One key={entry.evaluation.evaluation_id} entry={entry} number={omitted + nth + 1} again={again} />
        ))
        .toReversed()}
      {omitted === 0 ? null : <p class="quiet">{count(omitted)} older forms are not shown: a transcript is bounded.</p>}
    </section>
  );
}

function One({
  entry: { source, 'source_truncated?': isCut, evaluation },
  number,
  again,
}: {
  readonly entry: Entry;
  readonly number: number;
  readonly again: EntriesProps['again'];
}) {
  const { status, duration_ms: took, prints, formatted, error } = evaluation;
  const effect = effectOf(evaluation);
  return (
    <article class="entry" aria-label={`Form ${number}`}>
      <div class="entry-head">
        <Badge state={status} /> <span class="n quiet">{duration(took)}</span>
        {isCut ? null : (
          <button
            type="button"
            onClick={() => {
              again(source);
            }}
          >
            Edit again
          </button>
        )}
      </div>
      <Text text={source} label={`Form ${number}`} isCut={isCut} />
      {prints === '' ? null : (
        <>
          <h3>Printed</h3>
          <Value value={prints} label={`Printed by form ${number}`} />
          {evaluation['prints_truncated?'] ? <Cut /> : null}
        </>
      )}
      {formatted === undefined ? null : (
        <>
          <h3>Value</h3>
          <Text
            text={laidOut(formatted)}
            label={`Value of form ${number}`}
            isCut={evaluation['formatted_truncated?'] ?? false}
          />
        </>
      )}
      {error === undefined ? null : <Failure error={error} source={isCut ? null : source} again={again} />}
      {effect === null ? null : <p class="quiet">{effect}</p>}
    </article>
  );
}

function Failure({
  error,
  source,
  again,
}: {
  readonly error: FormProblem;
  readonly source: string | null;
  readonly again: EntriesProps['again'];
}) {
  const { kind, message, line, column } = error;
  return (
    <div class="notice bad">
      <p>
        <strong>{visible(kind)}</strong>: {visible(message)}
      </p>
      {line === undefined || column === undefined || source === null ? null : (
        <p>
          <button
            type="button"
            onClick={() => {
              again(source, { line, column });
            }}
          >
            Go to line {line}, column {column}
          </button>
        </p>
      )}
      <p class="remedy">{remedyOf(error)}</p>
    </div>
  );
}

function Text({ text, label, isCut }: { readonly text: string; readonly label: string; readonly isCut: boolean }) {
  return (
    <>
      {text.length <= COLOURED_MOST ? <Program source={text} label={label} /> : <Value value={text} label={label} />}
      {isCut ? <Cut /> : null}
    </>
  );
}

function Cut() {
  return <p class="quiet">Cut: the rest is longer than a page can show. Ask for less.</p>;
}
