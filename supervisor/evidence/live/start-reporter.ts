import type { Reporter, ReporterOptions } from './reporter.ts';
/** What a face shows of a run while it goes on (evidence.md §10). */
export { guardedObserver } from './observer.ts';
export type { LiveLimits, RunObserver } from './observer.ts';
export { EMPTY_VIEW, withEvent, withProgram } from './run-view.ts';
export type { AgentView, RunView } from './run-view.ts';

/** Notifies the viewer at `SVC_VIEWER_URL` of a run; null without one. What it takes is brought in only then. */
export async function reporterOf(
  variables: Readonly<Record<string, string | undefined>>,
  options: Omit<ReporterOptions, 'url' | 'token'>,
): Promise<Reporter | null> {
  const [url, token] = [variables['SVC_VIEWER_URL'] ?? '', variables['SVC_VIEWER_TOKEN'] ?? ''];
  if (url === '') return null;
  const { startReporter } = await import('./reporter.ts');
  return startReporter({ ...options, url, token: token === '' ? null : token });
}
