/**
 * Ends with 1, and lists them, when a page or an example names a model that the catalogue lacks (world.md §1.9): such a
 * name is mistyped, or its vendor no longer offers it. Vendors without a price list are left out.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogued } from '../adapters/llm/catalogue/catalogue.ts';
import { routeOf } from '../adapters/llm/route.ts';
import { SELECTOR_PREFIXES } from '../adapters/llm/vendors.ts';

const root = join(import.meta.dirname, '..');
/** Whoever reads these copies from them. */
const READ = [
  'README.md',
  'docs/start/*.md',
  'docs/guides/*.md',
  'docs/reference/*.md',
  'docs/why/*.md',
  'examples',
  'scripts/pages/templates',
];
const SELECTOR = new RegExp(`(?<![\\w.-])(?:${SELECTOR_PREFIXES.join('|')}):[a-z0-9][\\w./:-]*\\w`, 'g');
/** Fewer names than that, and the check reads something else than it should. */
const LEAST = 10;

/** Selectors in a text whose vendor has a price list, and that list does not know them. */
export function unknownModels(text: string): { readonly named: number; readonly unknown: readonly string[] } {
  const named = Array.from(text.matchAll(SELECTOR), ([selector]) => selector).filter((selector) => {
    const route = routeOf(selector);
    return route !== null && route.vendor.priceList !== null;
  });
  const unknown = named.filter((selector) => {
    const route = routeOf(selector);
    return route !== null && catalogued(route.vendor, route.model) === null;
  });
  return { named: named.length, unknown };
}

if (import.meta.main) {
  const listed = spawnSync('git', ['ls-files', '-z', ...READ], { cwd: root, encoding: 'utf8' }).stdout;
  const files = listed.split('\0').filter((file) => file !== '');
  const found = files.map((file) => ({ file, ...unknownModels(readFileSync(join(root, file), 'utf8')) }));
  const faults = found.flatMap(({ file, unknown }) => unknown.map((selector) => `${file}: ${selector}`));
  const named = found.reduce((total, each) => total + each.named, 0);
  if (named < LEAST) faults.push(`only ${named} names of models were found in ${files.length} files`);
  if (faults.length > 0) {
    process.stderr.write(`${faults.join('\n')}\n`);
    process.exitCode = 1;
  }
}
