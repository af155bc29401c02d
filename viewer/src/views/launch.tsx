import { useEffect, useState } from 'preact/hooks';
import { configuration } from '../configuration.ts';
import type { LaunchState, ProjectFacts } from '../data.ts';
import { ask } from '../source.ts';
import { count, shown, visible } from '../text.ts';

const POLL_MS = 500;

/** Starts the application of this viewer, with an input or an expression in one of its missions. */
export function Launch() {
  const [project, setProject] = useState<ProjectFacts | null>(null);
  const [state, setState] = useState<LaunchState>({ status: 'idle' });
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    void (async () => {
      try {
        setProject(await ask<ProjectFacts>('/api/live/project'));
        setState((await ask<{ launch: LaunchState }>('/api/live/launch')).launch);
      } catch (error) {
        setFault(textOf(error));
      }
    })();
  }, []);
  useEffect(() => {
    if (state.status !== 'running') return undefined;
    const look = async (): Promise<void> => {
      const answer = await ask<{ launch: LaunchState }>('/api/live/launch').catch(() => null);
      if (answer !== null) setState(answer.launch);
    };
    const timer = setInterval(() => {
      void look();
    }, POLL_MS);
    return () => {
      clearInterval(timer);
    };
  }, [state.status]);
  const change = async (options: RequestInit): Promise<void> => {
    setFault(null);
    try {
      setState(
        await ask<LaunchState>('/api/live/launch', {
          ...options,
          headers: {
            'X-Svc-Viewer-Live-Nonce': configuration().live_mutation_nonce ?? '',
            'content-type': 'application/json',
          },
        }),
      );
    } catch (error) {
      setFault(textOf(error));
    }
  };
  const start = async (body: object): Promise<void> => change({ method: 'POST', body: JSON.stringify(body) });
  if (project === null)
    return fault === null ? null : (
      <p class="notice bad" role="alert">
        {visible(fault)}
      </p>
    );
  if (!project.enabled)
    return (
      <p class="notice">
        This project cannot be started as it is ({visible(project.fault ?? 'unknown')}):{' '}
        <code>svc validate {visible(project.project)}</code> says why.
      </p>
    );
  return (
    <section class="launch" aria-label="Start">
      <WorkflowForm project={project} isBusy={state.status === 'running'} start={start} refuse={setFault} />
      <MissionForm project={project} isBusy={state.status === 'running'} start={start} />
      <Limits project={project} />
      {fault === null ? null : (
        <p class="notice bad" role="alert">
          {visible(fault)}
        </p>
      )}
      {state.status === 'running' ? (
        <p>
          <button
            type="button"
            onClick={() => {
              void change({ method: 'DELETE' });
            }}
          >
            Stop
          </button>
        </p>
      ) : null}
      {state.status === 'idle' ? null : <Outcome state={state} />}
    </section>
  );
}

interface FormProps {
  readonly project: ProjectFacts;
  readonly isBusy: boolean;
  readonly start: (body: object) => Promise<void>;
}

function WorkflowForm({ project, isBusy, start, refuse }: FormProps & { readonly refuse: (fault: string) => void }) {
  const [input, setInput] = useState(JSON.stringify(project.input ?? {}, null, 2));
  const run = (event: Event): void => {
    event.preventDefault();
    try {
      void start({ input: JSON.parse(input) });
    } catch (error) {
      refuse(`The input is no JSON: ${textOf(error)}`);
    }
  };
  return (
    <form onSubmit={run}>
      <label>
        <span>
          Input of <code>{visible(project.entry ?? '')}</code>
        </span>
        <textarea
          rows={6}
          spellcheck={false}
          value={input}
          onInput={({ currentTarget }) => {
            setInput(currentTarget.value);
          }}
        />
      </label>
      <p>
        <button type="submit" disabled={isBusy}>
          Run {visible(project.name ?? project.project)}
        </button>
      </p>
    </form>
  );
}

function MissionForm({ project, isBusy, start }: FormProps) {
  const missions = (project.environments ?? []).filter(({ kind }) => kind === 'mission').map(({ name }) => name);
  const [chosen, setChosen] = useState(missions[0] ?? '');
  const [expression, setExpression] = useState('');
  if (missions.length === 0) return null;
  const evaluate = (event: Event): void => {
    event.preventDefault();
    void start({ mission: chosen, expression });
  };
  return (
    <details>
      <summary>Evaluate in a mission</summary>
      <form onSubmit={evaluate}>
        <label>
          <span>Mission</span>
          <select
            value={chosen}
            onChange={({ currentTarget }) => {
              setChosen(currentTarget.value);
            }}
          >
            {missions.map((name) => (
              <option key={name} value={name}>
                {visible(name)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Expression</span>
          <textarea
            rows={3}
            spellcheck={false}
            value={expression}
            onInput={({ currentTarget }) => {
              setExpression(currentTarget.value);
            }}
          />
        </label>
        <p>
          <button type="submit" disabled={isBusy || expression.trim() === ''}>
            Evaluate
          </button>
        </p>
      </form>
    </details>
  );
}

function Limits({ project }: { readonly project: ProjectFacts }) {
  return (
    <details>
      <summary>Components and limits</summary>
      <ul class="plain">
        {(project.environments ?? []).map(({ name, components, providers }) => (
          <li key={name}>
            <strong>{visible(name)}</strong> {visible(components.join(', '))}
            {providers.length === 0 ? '' : ` · tools: ${visible(providers.join(', '))}`}
          </li>
        ))}
      </ul>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Limit</th>
              <th scope="col" class="n">
                Effective
              </th>
              <th scope="col" class="n">
                Default
              </th>
              <th scope="col" class="n">
                Ceiling
              </th>
              <th scope="col">Unit</th>
            </tr>
          </thead>
          <tbody>
            {(project.limits ?? []).map(({ name, unit, effective, default: initial, ceiling }) => (
              <tr key={name} class={effective === initial ? undefined : 'differs'}>
                <th scope="row">{name}</th>
                <td class="n">{amount(effective)}</td>
                <td class="n">{amount(initial)}</td>
                <td class="n">{amount(ceiling)}</td>
                <td>{unit}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

const WORDS: Readonly<Record<LaunchState['status'], string>> = {
  idle: '',
  running: 'It runs: its card below follows it.',
  ok: 'It ended well: its card below leads to the result.',
  error: 'It failed: its card below leads to why, and this is what it said.',
};

function Outcome({ state }: { readonly state: LaunchState }) {
  return (
    <div class={state.status === 'error' ? 'notice bad' : 'notice good'} role="status">
      <p>{WORDS[state.status]}</p>
      {(state.output_tail ?? '') === '' ? null : <pre class="code">{shown(state.output_tail)}</pre>}
    </div>
  );
}

function amount(value: number | null): string {
  return value === null ? 'off' : count(value);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
