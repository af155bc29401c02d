/**
 * Bundles the guest into a script of which an isolate's snapshot holds as little as can be, and a text for the rest.
 *
 * What a snapshot costs at every start of an isolate is its objects, most of them closures of functions that a given
 * program never calls (bench/README.md). So what stands at the top of the bundle is parted: what a warm-up reaches is
 * the script, and all else of a module becomes one group, the text of a function that makes the module's other
 * functions, classes and constants when the first of them is mentioned. The text belongs to no isolate: the host keeps
 * one copy and lends it to each (sandbox/host/enter-guest.ts). `x instanceof C` is false as long as the group of `C`
 * was not made, and does not make it. Source files know nothing of this; a constant must not mind when it is made, and
 * nothing may be done at a module's top.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import * as esbuild from 'esbuild';
import type { GuestText } from './build-snapshot.ts';
import { WORDS_TO_COMPILE } from '../sandbox/runtime/intrinsics.ts';
import { type LaidOut, layOut } from './guest-layout.ts';
import { guestUnits, type Unit } from './guest-units.ts';

const root = join(import.meta.dirname, '..');

export interface GuestBundle extends GuestText {
  readonly coldText: string;
  readonly warmUnits: number;
  readonly coldUnits: number;
}

export interface GuestBundleOptions {
  readonly entry: string;
  /** Modules that must be loaded while the snapshot is made, called or not. */
  readonly pinned: readonly string[];
  /** A script that decides what is warm: it asks guests of `freshGuest(answerCall)`. */
  readonly warmUp: string;
}

interface Parted extends LaidOut {
  readonly units: readonly Unit[];
  /** Cold units by module. */
  readonly parts: readonly (readonly Unit[])[];
}

/** Throws when the guest cannot be bundled; every fault is a mistake of the build. */
export async function bundleGuest(options: GuestBundleOptions): Promise<GuestBundle> {
  const parted = await partedGuest(options);
  const early = modulesOf(parted, options.warmUp);
  if (early.length > 0) throw new Error(`the warm-up makes the cold part of ${early.join(', ')}`);
  if (groupsMade(parted, '$makeAll();').length !== parted.parts.length)
    throw new Error('a cold part is made twice: it needs itself while it is made');
  const coldUnits = parted.parts.flat().length;
  return { ...(await apart(parted)), warmUp: options.warmUp, warmUnits: parted.units.length - coldUnits, coldUnits };
}

/** Modules whose cold parts each script makes, sorted. Throws as `bundleGuest` does. */
export async function coldParts(
  options: GuestBundleOptions,
  scripts: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const parted = await partedGuest(options);
  return Object.fromEntries(Object.entries(scripts).map(([name, script]) => [name, modulesOf(parted, script)]));
}

async function partedGuest({ entry, pinned, warmUp }: GuestBundleOptions): Promise<Parted> {
  const text = await bundled(entry);
  const units = guestUnits(text);
  const movable = movableUnits(units, pinned);
  // Each alone at first, so that exactly those are made that are needed.
  const reached = new Set(groupsMade(layOut({ text, units, groups: movable.map((unit) => [unit]) }), warmUp));
  const parts = [
    ...Map.groupBy(
      movable.filter((_, index) => !reached.has(index)),
      ({ module }) => module,
    ).values(),
  ];
  return { ...layOut({ text, units, groups: parts }), units, parts };
}

function modulesOf(parted: Parted, script: string): readonly string[] {
  return groupsMade(parted, script)
    .map((index) => parted.parts[index]?.[0]?.module ?? '')
    .toSorted();
}

/** All modules in one scope, each under a comment that names it. */
export async function bundled(entry: string): Promise<string> {
  const result = await esbuild.build({
    absWorkingDir: root,
    stdin: { contents: `import "./${entry}";`, resolveDir: root, loader: 'js' },
    bundle: true,
    platform: 'neutral',
    target: 'es2024',
    format: 'esm',
    minifySyntax: true,
    define: { SVC_COMPILER: JSON.stringify(nameCompiler()) },
    write: false,
    logLevel: 'error',
  });
  const [output, ...others] = result.outputFiles;
  if (output === undefined || others.length > 0) throw new Error('expected one output file');
  return output.text;
}

/** A name for the compiler of these sources, by which a guest knows what was compiled for it. */
export function nameCompiler(): string {
  const hash = createHash('sha256');
  for (const file of globSync('sandbox/{language,runtime}/**/*.ts', { cwd: root }).toSorted())
    if (!file.endsWith('.test.ts')) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Units that may be made late: constants of modules that are not pinned, which mention no name that changes. */
function movableUnits(units: readonly Unit[], pinned: readonly string[]): readonly Unit[] {
  const places = units
    .filter(({ name, isConstant }) => name !== null && !isConstant)
    .flatMap(({ uses }) => uses.map(({ start }) => start));
  return units.filter(
    ({ isConstant, module, start, end }) =>
      isConstant && !pinned.includes(module) && !places.some((place) => place >= start && place < end),
  );
}

/** The guest as it is built. */
async function apart({ warm, links, groups }: LaidOut): Promise<Pick<GuestBundle, 'script' | 'coldText'>> {
  const texts = await Promise.all(
    groups.map(({ head, body }) =>
      minifiedFunction(`($links, $group, $made) => {\n'use strict';\n${head}\n${body}\n}`),
    ),
  );
  let length = 0;
  const ends = texts.map((text) => (length += text.length));
  const script = `(() => {
'use strict';
const $Function = Function, $apply = Reflect.apply, $Array = Array, $nothing = () => undefined;
const $ends = [0, ${ends.join(', ')}], $made = [];
let $text = '';
const $make = (index) => {
  $apply($nothing, undefined, $Array(${WORDS_TO_COMPILE}));
  return $Function('return (' + $text.slice($ends[index], $ends[index + 1]) + ')')()($links, $group, $made);
};
const $group = (index) => ($made[index] ??= $make(index));
globalThis.__svc_cold = (text) => { $text = text; };
${warm}
const $links = [${links.join(', ')}];
})();`;
  return { script: await minified(script), coldText: texts.join('') };
}

const SHORTEST = { target: 'es2024', minify: true } as const;

async function minified(script: string): Promise<string> {
  return (await esbuild.transform(script, SHORTEST)).code;
}

/** An expression alone would be taken for one without effect, and left out. */
async function minifiedFunction(expression: string): Promise<string> {
  const { code } = await esbuild.transform(`export default ${expression}`, SHORTEST);
  return code.replace(/^export default/, '').replace(/;\n$/, '');
}

/**
 * Numbers of the groups that are made while the guest is evaluated and a script is run, which may call `$makeAll`.
 * Throws when that fails. Here groups stand in the scope of the warm units, whose values may still be on the way.
 */
function groupsMade({ warm, groups }: LaidOut, afterwards: string): readonly number[] {
  const made: number[] = [];
  const context = vm.createContext({ $watch: (group: number) => made.push(group) });
  const script = `'use strict';
const $made = [], $group = (index) => ($made[index] ??= $makers[index]());
const $makers = [${groups.map(({ body }, index) => `() => {\n$watch(${index});\n${body}\n}`).join(', ')}];
const $makeAll = () => { for (let index = 0; index < ${groups.length}; index += 1) $group(index); };
${warm}
const freshGuest = (answer) => { const guest = __svc_boot(answer); return (text) => guest.handle(text); };
{ ${afterwards} }`;
  vm.runInContext(`(() => { ${script} })();`, context);
  return made;
}
