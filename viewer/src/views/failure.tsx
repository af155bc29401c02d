import type { RunRecord } from '../data.ts';
import { failureOf, providerWordsOf } from '../model/failure.ts';
import { failedProgram } from '../model/part.ts';
import { Badge } from '../parts/badge.tsx';
import { Program, Value } from '../parts/code.tsx';
import { runLink } from '../route.ts';
import { duration, visible } from '../text.ts';
import { spanLink } from './waterfall.tsx';

/** Why a run failed, before anything else of it. */
export function FailureCard({ record }: { readonly record: RunRecord }) {
  const failure = failureOf(record);
  if (failure === null) return null;
  const words = providerWordsOf(record);
  const program = failedProgram(record);
  const { runId, privacy } = { runId: record.run.run_id, privacy: record.privacy };
  return (
    <section class="failure" aria-labelledby="why">
      <h2 id="why">Why it failed: {visible(failure.reason.replaceAll('_', ' '))}</h2>
      {failure.facts.length === 0 ? null : (
        <dl class="inline">
          {failure.facts.map(([name, value]) => (
            <div key={name}>
              <dt>{visible(name.replaceAll('_', ' '))}</dt>
              <dd>{visible(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <p class="remedy">
        <strong>What to do:</strong> {failure.remedy}
      </p>
      {program === null ? null : (
        <>
          <h3>
            The {visible(program.title)}
            {program.place === null ? '' : `, line ${program.place.line}`}
          </h3>
          <Program source={program.source} label="Program that failed" place={program.place} />
        </>
      )}
      {failure.chain.length === 0 ? null : (
        <ol class="chain" aria-label="Where it failed">
          {failure.chain.map((span) => (
            <li key={span.id}>
              <a href={spanLink(runId, span)}>{visible(span.label)}</a> <Badge state={span.status} />{' '}
              <span class="quiet">{duration(span.end - span.start)}</span>
            </li>
          ))}
        </ol>
      )}
      {privacy.kind === 'closed' ? (
        <p class="quiet">Programs and error texts are not shown: {visible(privacy.message)}.</p>
      ) : (
        <>
          {words === null ? null : (
            <>
              <h3>
                Words of the provider{' '}
                <a href={runLink(runId, 'capability', words.capabilityId)}>{visible(words.alias)}</a>
              </h3>
              <Value value={words.said} label="What the provider said" />
            </>
          )}
          {privacy.errors.map((error) => (
            <div key={error.evaluation_id}>
              <h3>
                {visible(error.kind)} / {visible(error.reason)}
              </h3>
              {error.details === undefined ? null : <Value value={error.details} label="Error" />}
              <ul class="chain" aria-label="What it is related to">
                {error.relationships.map(({ rel, semantics, state, filters }, nth) => {
                  const id = filters?.['evaluation_id'] ?? filters?.['parent_evaluation_id'];
                  return (
                    <li key={nth}>
                      {visible(rel.replaceAll('_', ' '))} <span class="quiet">({visible(semantics)})</span>{' '}
                      <Badge state={state} />{' '}
                      {id === undefined ? null : <a href={runLink(runId, 'evaluation', id)}>{visible(id)}</a>}{' '}
                      <span class="quiet">{STATES[state] ?? ''}</span>
                    </li>
                  );
                })}
              </ul>
            </div>
          ))}
          {privacy.failureValues.map(({ value }, nth) => (
            <div key={nth}>
              <h3>Value given to fail</h3>
              <Value value={value} label="Value given to fail" />
            </div>
          ))}
        </>
      )}
    </section>
  );
}

/** What to make of a relationship that is not proved. */
const STATES: Readonly<Record<string, string>> = {
  incomplete: 'the evidence cannot tell: details were cut or not recorded',
  unavailable: 'searched for, and there is none',
  ambiguous: 'several fit; each is listed',
};
