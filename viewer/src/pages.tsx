import type { ComponentChildren } from 'preact';
import { configuration } from './configuration.ts';
import type { Route } from './route.ts';
import type { Source } from './source.ts';
import { ApprovalsView } from './views/approvals.tsx';
import { DiffView } from './views/diff.tsx';
import { LiveView } from './views/live.tsx';
import { ReplView } from './views/repl.tsx';
import { RunView } from './views/run.tsx';
import { RunsView } from './views/runs.tsx';
import { TestsView } from './views/tests.tsx';

/** A page that the navigation leads to. */
interface NavigationEntry {
  readonly page: string;
  readonly title: string;
  /** From `#/` on. */
  readonly address: string;
  readonly key: string;
  /** What the list of keys says of it. */
  readonly meaning: string;
  readonly isShown: () => boolean;
}

export const NAVIGATION: readonly NavigationEntry[] = [
  { page: 'runs', title: 'Runs', address: '#/', key: 'g', meaning: 'list of runs', isShown: () => true },
  {
    page: 'tests',
    title: 'Tests',
    address: '#/tests',
    key: 't',
    meaning: 'reports of tests',
    isShown: () => configuration().live_enabled,
  },
  {
    page: 'repl',
    title: 'REPL',
    address: '#/repl',
    key: 'r',
    meaning: 'REPL',
    isShown: () => configuration().repl_enabled,
  },
  {
    page: 'live',
    title: 'Live',
    address: '#/live',
    key: 'l',
    meaning: 'live',
    isShown: () => configuration().live_enabled,
  },
  {
    page: 'approvals',
    title: 'Approvals',
    address: '#/approvals',
    key: 'a',
    meaning: 'calls that wait for a yes',
    isShown: () => configuration().live_enabled,
  },
];

/** Pages by their name in the address, `#/NAME/…`; `at` is what follows it. Every other name is the list of runs. */
const NAMED: Readonly<Record<string, (source: Source, at: readonly string[]) => ComponentChildren>> = {
  live: () => <LiveView />,
  approvals: () => <ApprovalsView />,
  tests: (_source, at) => <TestsView at={at} />,
};

/** The name of the page that an address shows. */
export function pageName(route: Route): string {
  if (route.page !== 'named') return route.page;
  return Object.hasOwn(NAMED, route.name) ? route.name : 'runs';
}

/** What each key does on a page; also what `?` shows. */
export const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['j, k', 'next, previous row'],
  ['Enter', 'open the chosen row'],
  ['[, ]', 'previous, next tab'],
  ['e', 'next error'],
  ['+, -, 0', 'nearer, farther, all of the time of a run'],
  ['f', 'fold or open the chosen bar'],
  ['/', 'search'],
  ...NAVIGATION.toSorted((left, right) => left.key.localeCompare(right.key)).map(
    ({ key, meaning }) => [key, meaning] as const,
  ),
  ['?', 'these keys'],
];

/** What an address shows. */
export function Page({ route, source }: { readonly route: Route; readonly source: Source }) {
  switch (route.page) {
    case 'named': {
      const page = Object.hasOwn(NAMED, route.name) ? NAMED[route.name] : undefined;
      return page === undefined ? <RunsView source={source} /> : page(source, route.at);
    }
    case 'repl':
      return <Repl source={source} runId={route.runId} />;
    case 'diff':
      return <DiffView source={source} left={route.left} right={route.right} />;
    case 'run':
      return <RunView source={source} route={route} />;
  }
}

function Repl({ source, runId }: { readonly source: Source; readonly runId: string | null }) {
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
