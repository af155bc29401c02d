import { spawn } from 'node:child_process';
import { startedChild } from '../../system/started-child.ts';
import type { Variables } from './variables.ts';

/** Less ends by itself where a text fits, shows colours, and leaves the text on the screen. */
const DEFAULT_PAGER = 'less';
const LESS = 'FRX';

/** The pager of this user; null: none is wanted (cli.md §12.5). */
export function pagerOf(variables: Variables): string | null {
  const named =
    [variables['SVC_PAGER'], variables['PAGER']].find((pager) => pager !== undefined && pager !== '') ?? DEFAULT_PAGER;
  return named === 'cat' ? null : named;
}

/**
 * Shows a text in a pager, a line of shell as everywhere; false where there is no such program, and nothing was shown.
 */
export async function showInPager(pager: string, text: string, variables: Variables): Promise<boolean> {
  const child = startedChild((only) =>
    spawn('/bin/sh', ['-c', pager], { stdio: only(['pipe', 'inherit', 'inherit']), env: { LESS, ...variables } }),
  );
  const stdin = child?.stdin ?? null;
  if (child === null || stdin === null) return false;
  // Who leaves the pager has read enough.
  stdin.on('error', () => undefined);
  stdin.end(text);
  return new Promise((resolve) => {
    child.once('error', () => {
      resolve(false);
    });
    child.once('close', (status) => {
      resolve(status !== NOT_FOUND);
    });
  });
}

const NOT_FOUND = 127;
