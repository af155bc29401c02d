import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { configuration } from './configuration.ts';
import { KEYS, useKeys } from './keys.ts';
import { routeOf, runLink, type Route } from './route.ts';
import { embeddedSource, servedSource, type Source } from './source.ts';
import { THEMES, applyTheme, chosenTheme } from './theme.ts';
import { DiffView } from './views/diff.tsx';
import { LiveView } from './views/live.tsx';
import { ReplView } from './views/repl.tsx';
import { RunView } from './views/run.tsx';
import { RunsView } from './views/runs.tsx';

const embedded = embeddedSource();
const source: Source = embedded ?? servedSource;

function App() {
  const [route, setRoute] = useState<Route>(() => routeOf(location.hash));
  const [theme, setTheme] = useState(chosenTheme);
  const help = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    applyTheme(theme);
  }, [theme]);
  useEffect(() => {
    const follow = (): void => {
      setRoute(routeOf(location.hash));
    };
    addEventListener('hashchange', follow);
    return () => {
      removeEventListener('hashchange', follow);
    };
  }, []);
  useEffect(() => {
    document.title = route.page === 'run' ? `${route.runId} · svc viewer` : `${route.page} · svc viewer`;
  }, [route]);
  useKeys({
    g: () => {
      location.hash = '#/';
    },
    l: () => {
      if (configuration().live_enabled) location.hash = '#/live';
    },
    r: () => {
      if (configuration().repl_enabled) location.hash = '#/repl';
    },
    '?': () => {
      help.current?.showModal();
    },
  });
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to content
      </a>
      <header class="top">
        <span class="brand">svc viewer</span>
        {source.isFile ? (
          <span class="quiet">exported run</span>
        ) : (
          <nav aria-label="Pages">
            <a href="#/" aria-current={route.page === 'runs' ? 'page' : undefined}>
              Runs
            </a>
            {configuration().repl_enabled ? (
              <a href="#/repl" aria-current={route.page === 'repl' ? 'page' : undefined}>
                REPL
              </a>
            ) : null}
            {configuration().live_enabled ? (
              <a href="#/live" aria-current={route.page === 'live' ? 'page' : undefined}>
                Live
              </a>
            ) : null}
          </nav>
        )}
        <label class="theme">
          <span>Theme</span>
          <select
            value={theme}
            onChange={({ currentTarget }) => {
              setTheme(THEMES.find((name) => name === currentTarget.value) ?? 'system');
            }}
          >
            {THEMES.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          aria-label="Keys"
          onClick={() => {
            help.current?.showModal();
          }}
        >
          ?
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        <Page route={route} />
      </main>
      <dialog ref={help} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl class="keys">
          {KEYS.map(([keys, meaning]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}

function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'runs':
      return <RunsView source={source} />;
    case 'live':
      return <LiveView />;
    case 'repl':
      return <Repl runId={route.runId} />;
    case 'diff':
      return <DiffView source={source} left={route.left} right={route.right} />;
    case 'run':
      return <RunView source={source} route={route} />;
  }
}

function Repl({ runId }: { readonly runId: string | null }) {
  if (!configuration().repl_enabled)
    return (
      <div class="empty">
        <h1>No session here</h1>
        <p>
          Set <code>viewer.repl</code> in the project and start the viewer again, or use{' '}
          <code>svc repl --profile run-analysis-v1 --project svc-project.json</code>.
        </p>
      </div>
    );
  // Its routes answer no other name (evidence.md §11).
  if (!['127.0.0.1', 'localhost'].includes(location.hostname))
    return (
      <div class="empty">
        <h1>No session from elsewhere</h1>
        <p>
          A session is held with pages on the viewer's own machine alone: open <code>127.0.0.1</code> or{' '}
          <code>localhost</code> there, or use <code>svc repl</code>.
        </p>
      </div>
    );
  return <ReplView source={source} runId={runId} />;
}

async function start(): Promise<void> {
  // A file shows its one run, whatever its address says.
  const [only] = embedded === null ? [] : (await embedded.runs({ search: '', status: '' }, null)).items;
  if (only !== undefined && routeOf(location.hash).page !== 'run') location.hash = runLink(only.run_id);
  const root = document.getElementById('root');
  if (root !== null) render(<App />, root);
}

void start();
