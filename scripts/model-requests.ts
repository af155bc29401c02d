/**
 * Ends with 1, and lists them, when an example, a page or the scaffold asks a model by `llm/request` and does not
 * handle the error that may come in place of an answer: `llm/request!` is for those (world.md §1.5). Whoever reads
 * these copies from them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const READ = [
  'README.md',
  'docs/start/*.md',
  'docs/guides/*.md',
  'docs/reference/*.md',
  'docs/why/*.md',
  'examples/**/*.clj',
  'examples/**/*.md',
  'scripts/pages/templates/*.md',
  'supervisor/authoring/initialize/new-application.ts',
];
/** Fewer requests than that, and the check reads something else than it should. */
const LEAST = 8;

const BLOCK = /^```clojure[^\n]*\n(.*?)^```/gms;
const REQUEST = /\((?:llm\/request!?|tool!?\/llm-request)\s/g;
/** Without an end of the run where it fails. */
const BARE = /\((?:llm\/request|tool\/llm-request)\s/;
/** A failure is looked at, or told to the loop that decides about it. */
const HANDLED = /:status\b|:reason\b|:retryable\?|:keys \[[^\]]*\b(?:status|reason)\b|agent\.native\/normalize/;
/** What `llm/request!` does by itself. */
const PASSED_ON = /\(if \(= :error \(:status (\S+)\)\)\s+\(fail \1\)/;
const DISTINGUISHED = /:reason\b|:retryable\?/;

/** Requests of the code in a text, and the top-level forms whose requests handle no error. */
export function unhandledRequests(
  text: string,
  kind: 'page' | 'code',
): { readonly requested: number; readonly unhandled: readonly string[] } {
  const code = kind === 'code' ? [text] : Array.from(text.matchAll(BLOCK), ([, block = '']) => block);
  const forms = code.flatMap((each) => each.split(/^(?=\()/m));
  const unhandled = forms.filter(
    (form) => BARE.test(form) && (!HANDLED.test(form) || (PASSED_ON.test(form) && !DISTINGUISHED.test(form))),
  );
  return {
    requested: forms.reduce((total, form) => total + Array.from(form.matchAll(REQUEST)).length, 0),
    unhandled: unhandled.map((form) => form.split('\n', 1)[0] ?? ''),
  };
}

if (import.meta.main) {
  const listed = spawnSync('git', ['ls-files', '-z', ...READ], { cwd: root, encoding: 'utf8' }).stdout;
  const found = listed
    .split('\0')
    .filter((file) => file !== '')
    .map((file) => ({
      file,
      ...unhandledRequests(readFileSync(join(root, file), 'utf8'), file.endsWith('.md') ? 'page' : 'code'),
    }));
  const faults = found.flatMap(({ file, unhandled }) =>
    unhandled.map((form) => `${file}: ${form}: use llm/request!, or handle the error`),
  );
  const requested = found.reduce((total, each) => total + each.requested, 0);
  if (requested < LEAST) faults.push(`only ${requested} requests to models were found`);
  if (faults.length > 0) {
    process.stderr.write(`${faults.join('\n')}\n`);
    process.exitCode = 1;
  }
}
