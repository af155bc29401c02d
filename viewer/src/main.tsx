import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from './keys.ts';
import { KEYS, NAVIGATION, Page, pageName } from './pages.tsx';
import { routeOf, runLink, type Route } from './route.ts';
import { embeddedSource, servedSource, type Source } from './source.ts';
import { THEMES, applyTheme, chosenTheme } from './theme.ts';

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
    document.title = route.page === 'run' ? `${route.runId} · svc viewer` : `${pageName(route)} · svc viewer`;
  }, [route]);
  useKeys({
    ...Object.fromEntries(
      NAVIGATION.map(({ key, address, isShown }) => [
        key,
        () => {
          if (isShown()) location.hash = address;
        },
      ]),
    ),
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
            {NAVIGATION.filter(({ isShown }) => isShown()).map(({ title, address, page }) => (
              <a key={page} href={address} aria-current={pageName(route) === page ? 'page' : undefined}>
                {title}
              </a>
            ))}
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
        <Page route={route} source={source} />
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

async function start(): Promise<void> {
  // A file shows its one run, whatever its address says.
  const [only] = embedded === null ? [] : (await embedded.runs({ search: '', status: '' }, null)).items;
  if (only !== undefined && routeOf(location.hash).page !== 'run') location.hash = runLink(only.run_id);
  const root = document.getElementById('root');
  if (root !== null) render(<App />, root);
}

void start();
