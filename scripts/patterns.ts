/**
 * Whether every regular expression of the product takes time in proportion to the text: most texts are a stranger's,
 * and one that is read n times for its length n stops everybody's run. `scripts/patterns.json` keeps what was judged;
 * `--judge` (`make patterns`) judges what is new, and drops what is gone.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { parse } from 'acorn';
import type { Diagnostics } from 'recheck';

const root = join(import.meta.dirname, '..');
const LIST = join(import.meta.dirname, 'patterns.json');
const PRODUCT = '{contract,system,sandbox,adapters,supervisor,cli}/**/*.ts';
const NO_PRODUCT = /\.test\.ts$|\/test\/|\/testing\/|\/arbitrary-/;

/** Patterns are written `/source/flags`. */
interface Judged {
  /** Not in proportion, or not proved to be, and why that does no harm. */
  readonly explained: Readonly<Record<string, string>>;
  /** By file: what is put together there at run time, which nobody judges but who writes it. */
  readonly built: Readonly<Record<string, string>>;
  readonly linear: readonly string[];
}

interface Found {
  /** With the file in which it was seen first. */
  readonly literals: ReadonlyMap<string, string>;
  readonly building: ReadonlySet<string>;
}

/** Regular expressions of one file: those that are written, and whether others are built. */
export function findPatterns(text: string): { readonly literals: readonly string[]; readonly isBuilding: boolean } {
  const literals: string[] = [];
  let isBuilding = false;
  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    const { type, regex, callee }: Readonly<Record<string, unknown>> = Object(node);
    if (type === 'Literal' && regex !== undefined) {
      const { pattern, flags } = Object(regex);
      literals.push(`/${pattern}/${flags}`);
    }
    isBuilding ||= (type === 'NewExpression' || type === 'CallExpression') && Object(callee).name === 'RegExp';
    for (const child of Object.values(node)) visit(child);
  }
  visit(parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module' }));
  return { literals, isBuilding };
}

function findAll(): Found {
  const literals = new Map<string, string>();
  const building = new Set<string>();
  for (const file of globSync(PRODUCT, { cwd: root }).toSorted()) {
    if (NO_PRODUCT.test(file)) continue;
    const found = findPatterns(readFileSync(join(root, file), 'utf8'));
    for (const literal of found.literals) if (!literals.has(literal)) literals.set(literal, file);
    if (found.isBuilding) building.add(file);
  }
  return { literals, building };
}

/** What is wrong with the list, one line each. */
function complaints({ literals, building }: Found, { explained, built, linear }: Judged): readonly string[] {
  const known = new Set([...linear, ...Object.keys(explained)]);
  return [
    ...[...literals].filter(([one]) => !known.has(one)).map(([one, file]) => `${file}: ${one} was not judged`),
    ...[...known].filter((one) => !literals.has(one)).map((one) => `${one} is nowhere any more`),
    ...[...building].filter((file) => !(file in built)).map((file) => `${file} builds a pattern: say from what`),
    ...Object.keys(built)
      .filter((file) => !building.has(file))
      .map((file) => `${file} builds none any more`),
  ];
}

const PATIENCE_MS = 60_000;

function reasonOf(diagnostics: Exclude<Diagnostics, { readonly status: 'safe' }>): string {
  return diagnostics.status === 'vulnerable' ? diagnostics.complexity.summary : diagnostics.error.kind;
}

async function judge({ literals }: Found, { explained, built, linear }: Judged): Promise<Judged> {
  const { check } = await import('recheck');
  const known = new Set([...linear, ...Object.keys(explained)]);
  const safe = linear.filter((one) => literals.has(one));
  for (const [one, file] of literals) {
    if (known.has(one)) continue;
    const end = one.lastIndexOf('/');
    const diagnostics = await check(one.slice(1, end), one.slice(end + 1), { timeout: PATIENCE_MS });
    if (diagnostics.status === 'safe') safe.push(one);
    else process.stdout.write(`${file}: ${one}: ${reasonOf(diagnostics)}\n`);
  }
  return {
    explained: Object.fromEntries(Object.entries(explained).filter(([one]) => literals.has(one))),
    built,
    linear: safe.toSorted(),
  };
}

async function run(): Promise<void> {
  const found = findAll();
  let judged: Judged = JSON.parse(readFileSync(LIST, 'utf8'));
  if (process.argv.includes('--judge')) {
    judged = await judge(found, judged);
    writeFileSync(LIST, `${JSON.stringify(judged, null, 2)}\n`);
  }
  const wrong = complaints(found, judged);
  for (const line of wrong) process.stdout.write(`${line}\n`);
  if (wrong.length > 0)
    process.stdout.write(
      'make patterns judges them; what is not proved and does no harm is explained in scripts/patterns.json\n',
    );
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

if (import.meta.main) await run();
