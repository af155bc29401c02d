import { useEffect, useState } from 'preact/hooks';
import { configuration } from '../configuration.ts';
import type { Approval, Approvals, CallPlace } from '../data.ts';
import { cutText } from '../model/cut-text.ts';
import { useApprovals } from '../parts/approvals.tsx';
import { ask, Refusal } from '../source.ts';
import { exactLines, exactText } from '../../../contract/visible-text.ts';
import { count, duration, visible } from '../text.ts';
import { Problem } from './problem.tsx';

const SCOPES = [
  ['once', 'this call'],
  ['tool', 'this tool, in this run'],
  ['run', 'everything asked in this run'],
] as const;

/** Calls that wait for a person's yes (approvals.md §8). */
export function ApprovalsView() {
  const { answer, fault, reload } = useApprovals();
  const [notice, setNotice] = useState<string | null>(null);
  if (answer === null)
    return fault === null ? <p class="quiet loading">Loading questions</p> : <Problem fault={fault} />;
  return (
    <>
      <div class="bar">
        <h1>Approvals</h1>
        <span class="quiet">{count(answer.total)} waiting</span>
      </div>
      {/* It stays when the question that it reports on is gone. */}
      <p class={notice === null ? 'hidden' : 'notice'} role="status">
        {notice}
      </p>
      {fault === null ? null : (
        <p class="notice bad" role="alert">
          {visible(fault.message)}
        </p>
      )}
      {answer.total > 0 ? null : (
        <div class="empty">
          <p>Nothing waits for a yes. Start a run that asks here:</p>
          <pre class="code">svc run svc-project.json --wait-for-approval</pre>
        </div>
      )}
      {answer.decides || answer.total === 0 ? null : <Undecided />}
      <div class="questions">
        {answer.approvals.map((approval) => (
          <Question
            key={approval.approval_id}
            approval={approval}
            answer={answer}
            decided={(text) => {
              setNotice(text);
              reload();
            }}
          />
        ))}
      </div>
      {answer.total > answer.approvals.length ? (
        <p class="quiet">{count(answer.total - answer.approvals.length)} more come when these are decided.</p>
      ) : null}
    </>
  );
}

function Undecided() {
  return (
    <p class="notice">
      Nothing is decided here. Set <code>viewer.private</code> and <code>viewer.approvals</code> in the project, or use
      the command <code>svc approvals</code>.
    </p>
  );
}

interface QuestionProps {
  readonly approval: Approval;
  readonly answer: Approvals;
  readonly decided: (text: string) => void;
}

function Question({ approval, answer, decided }: QuestionProps) {
  const { tool, effect, run_ref: run, mission, description, arguments: provided } = approval;
  return (
    <article class="card" aria-label={`Question about ${exactText(tool)}`}>
      <h2>
        {exactText(tool)} <span class="badge">{exactText(effect)}</span>
      </h2>
      <p class="hash quiet">
        {exactText(run)}
        {mission === undefined ? '' : ` · mission ${exactText(mission)}`} · <Left until={approval.expires_at} />
      </p>
      {provided === undefined ? (
        <p class="quiet">{count(approval.argument_bytes)} bytes of arguments</p>
      ) : (
        <Arguments text={provided} bytes={approval.argument_bytes} />
      )}
      <Where approval={approval} />
      {description === undefined || description === '' ? null : (
        <p>
          <span class="quiet">The server says:</span> {exactText(description)}
        </p>
      )}
      {approval.program === undefined ? null : <Program approval={approval} program={approval.program} />}
      <EarlierQuestions approval={approval} />
      {answer.decides && approval.arguments_hash !== undefined ? (
        <Decision approval={approval} hash={approval.arguments_hash} decided={decided} />
      ) : null}
    </article>
  );
}

function Left({ until }: { readonly until: string }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return <>answer within {duration(Math.max(0, Math.floor((Date.parse(until) - now) / 1000) * 1000))}</>;
}

function Arguments({ text, bytes }: { readonly text: string; readonly bytes: number }) {
  const [isWhole, setWhole] = useState(false);
  const cut = cutText(text);
  return (
    <div role="region" aria-label="Arguments">
      <pre class="code">{exactLines(isWhole || cut === null ? text : cut)}</pre>
      <p class="quiet">
        {count(bytes)} bytes{' '}
        {cut === null ? null : (
          <button
            type="button"
            onClick={() => {
              setWhole(!isWhole);
            }}
          >
            {isWhole ? 'Show less' : 'Show all'}
          </button>
        )}
      </p>
    </div>
  );
}

function Where({ approval: { place, branch } }: { readonly approval: Approval }) {
  if (place === undefined && branch === undefined) return null;
  return (
    <p>
      {place === undefined ? null : <Place place={place} />}
      {branch === undefined ? null : (
        <span class="quiet">
          {' '}
          branch {count(branch.index)} of {count(branch.of)}
        </span>
      )}
    </p>
  );
}

function Place({ place: { component, line, text } }: { readonly place: CallPlace }) {
  return (
    <>
      <span class="quiet">
        {component === undefined ? '' : `${exactText(component)} `}line {line}:
      </span>{' '}
      <code>{exactText(text)}</code>
    </>
  );
}

function Program({ approval: { stack = [] }, program }: { readonly approval: Approval; readonly program: string }) {
  return (
    <details>
      <summary>Program</summary>
      <pre class="code">{exactLines(program)}</pre>
      {stack.length === 0 ? null : (
        <ol class="activity" aria-label="Calls that led here">
          {stack.map((place, nth) => (
            <li key={nth}>
              <Place place={place} />
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}

function EarlierQuestions({
  approval: { asked_before: before = 0, remembered_denials: denials = 0 },
}: {
  readonly approval: Approval;
}) {
  if (before === 0 && denials === 0) return null;
  return (
    <p class="quiet">
      Asked before in this run: {count(before)}
      {denials === 0 ? '' : `, refused by an earlier no: ${count(denials)}`}
    </p>
  );
}

interface DecisionProps {
  readonly approval: Approval;
  readonly hash: string;
  readonly decided: (text: string) => void;
}

/** Nothing here has the focus from the start, and Enter presses no button: a decision is a click, or the space bar. */
function Decision({ approval, hash, decided }: DecisionProps) {
  const [scope, setScope] = useState<string>('once');
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const decide = async (decision: 'allow' | 'deny'): Promise<void> => {
    setBusy(true);
    setFault(null);
    const body = { decision, scope, arguments_hash: hash, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) };
    try {
      await ask(`/api/approvals/${encodeURIComponent(approval.approval_id)}/decision`, {
        method: 'POST',
        headers: {
          'X-Svc-Viewer-Live-Nonce': configuration().live_mutation_nonce ?? '',
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      decided(`${exactText(approval.tool)} was ${decision === 'allow' ? 'allowed' : 'denied'}.`);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      // Somebody else came first, or its run is over: the question goes away.
      if (error instanceof Refusal && error.code.startsWith('approval_')) decided(visible(text));
      else setFault(text);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div
      class="decision"
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault();
      }}
    >
      <label>
        <span>For</span>
        <select
          value={scope}
          onChange={({ currentTarget }) => {
            setScope(currentTarget.value);
          }}
        >
          {SCOPES.map(([word, meaning]) => (
            <option key={word} value={word}>
              {meaning}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Reason, which the program reads</span>
        <input
          type="text"
          maxLength={512}
          value={reason}
          onInput={({ currentTarget }) => {
            setReason(currentTarget.value);
          }}
        />
      </label>
      <p class="buttons">
        <button type="button" disabled={isBusy} onClick={() => void decide('deny')}>
          Deny
        </button>
        <button type="button" disabled={isBusy} onClick={() => void decide('allow')}>
          Allow
        </button>
      </p>
      {fault === null ? null : (
        <p class="notice bad" role="alert">
          {visible(fault)}
        </p>
      )}
    </div>
  );
}
