/**
 * Bundles the guest into one script of which an isolate's snapshot holds as little as can be.
 *
 * What a snapshot costs at every start of an isolate is its objects, and most of a guest's objects are the closures of
 * functions that a given program never calls (2,700 closures: 2 ms; 2,700 functions inside 100 functions that were not
 * called: 0.2 ms; bench/README.md). So the modules that a small program needs are bundled as usual ("warm"), and every
 * other module ("cold") stays text until the first of its functions is called. Source files know
 * nothing of this: calls that cross into a cold module go through a forwarding function made here. Classes and
 * constants cannot be forwarded, so a module that gives one to a warm module is warm.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import vm from 'node:vm';
import * as esbuild from 'esbuild';

const root = join(import.meta.dirname, '..');

interface Import {
  /** Path from the project's root. */
  readonly target: string;
  readonly names: readonly string[];
}

interface GuestModule {
  readonly path: string;
  readonly imports: readonly Import[];
  /** Parameter lists of exported functions that can be forwarded, by name; other exports are in `constants`. */
  readonly functions: ReadonlyMap<string, string>;
  readonly constants: readonly string[];
}

type Graph = ReadonlyMap<string, GuestModule>;

export interface GuestBundle {
  /** To be run in this order. The first leaves the text of the cold modules, and nothing of its own source. */
  readonly scripts: readonly [coldText: string, guest: string];
  readonly warmModules: number;
  readonly coldModules: number;
}

export interface GuestBundleOptions {
  readonly entry: string;
  /** Modules that must be loaded while the snapshot is made, called or not. */
  readonly pinned: readonly string[];
  /** A script that decides what is warm: it asks the guest through `handle`, and calls no cold module. */
  readonly warmUp: string;
}

/** Throws when a module cannot be bundled; every fault is a mistake of the build. */
export async function bundleGuest({ entry, pinned, warmUp }: GuestBundleOptions): Promise<GuestBundle> {
  const graph = await readGraph(entry);
  let warm = closure(graph, [entry, ...pinned]);
  for (;;) {
    const bundle = await assemble(graph, entry, warm);
    const used = coldModulesUsed(bundle, warmUp);
    if (used.length === 0) return { scripts: bundle.scripts, warmModules: warm.size, coldModules: bundle.cold.length };
    warm = closure(graph, [...warm, ...used]);
  }
}

async function readGraph(entry: string): Promise<Graph> {
  const graph = new Map<string, GuestModule>();
  const pending = [entry];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (graph.has(path)) continue;
    const module = await readModule(path);
    graph.set(path, module);
    pending.push(...module.imports.map(({ target }) => target));
  }
  return graph;
}

async function readModule(path: string): Promise<GuestModule> {
  const source = await readFile(join(root, path), 'utf8');
  const { code } = await esbuild.transform(source, { loader: 'ts', format: 'esm', tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } } });
  const imports: Import[] = [];
  // esbuild prints each import and re-export as one statement on lines of its own.
  for (const [, names, specifier] of code.matchAll(/^(?:import|export) (?:\{([^}]*)\} from )?"([^"]+)";$/gm)) {
    if (specifier === undefined || !specifier.startsWith('.')) throw new Error(`${path} imports a package`);
    const target = relative(root, join(root, dirname(path), specifier));
    imports.push({ target, names: (names ?? '').split(',').map((name) => name.trim().split(' as ')[0] ?? '').filter((name) => name !== '') });
  }
  if (/^(?:import|export) (?:\*|\w+ from|default)/m.test(code)) throw new Error(`${path} must import and export by name`);
  const loaded: Record<string, unknown> = await import(join(root, path));
  const functions = new Map<string, string>();
  const constants: string[] = [];
  for (const [name, value] of Object.entries(loaded)) {
    const text = typeof value === 'function' ? Function.prototype.toString.call(value) : '';
    if (typeof value === 'function' && !text.startsWith('class')) functions.set(name, parameterList(value.length));
    else constants.push(name);
  }
  return { path, imports, functions, constants };
}

function parameterList(length: number): string {
  return Array.from({ length }, (_, index) => `p${index}`).join(', ');
}

/** These modules, and all that give one of them a class or a constant. */
function closure(graph: Graph, seeds: Iterable<string>): Set<string> {
  const warm = new Set<string>();
  const pending = [...seeds];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (warm.has(path)) continue;
    warm.add(path);
    for (const { target, names } of moduleAt(graph, path).imports) {
      const { functions } = moduleAt(graph, target);
      if (names.length === 0 || names.some((name) => !functions.has(name))) pending.push(target);
    }
  }
  return warm;
}

function moduleAt(graph: Graph, path: string): GuestModule {
  const module = graph.get(path);
  if (module === undefined) throw new Error(`${path} is no module of the guest`);
  return module;
}

interface Assembly {
  readonly scripts: GuestBundle['scripts'];
  readonly cold: readonly string[];
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'neutral',
  target: 'es2024',
  format: 'iife',
  write: false,
  // Every name is a string of the snapshot.
  minify: true,
  logLevel: 'error',
} as const satisfies esbuild.BuildOptions;

async function assemble(graph: Graph, entry: string, warm: ReadonlySet<string>): Promise<Assembly> {
  const cold = [...graph.keys()].filter((path) => !warm.has(path)).toSorted();
  const links = warmNamesUsedByCold(graph, cold, warm);
  const warmText = await bundleWarm({ graph, entry, warm, cold, links });
  const coldTexts = await bundleCold({ graph, warm, cold, links });
  const ends = coldTexts.map((_, index) => coldTexts.slice(0, index + 1).join('').length);
  const guest = `(() => {
const __text = globalThis.__svc_cold, __ends = [0, ${ends.join(', ')}], __links = [], __loaded = [], __Function = Function;
delete globalThis.__svc_cold;
const __cold = (index) => (__loaded[index] ??= __Function('__links', '__cold', __text.slice(__ends[index], __ends[index + 1]))(__links, __cold));
${warmText}
})();`;
  return { scripts: [`globalThis.__svc_cold = ${JSON.stringify(coldTexts.join(''))};`, guest], cold };
}

/** `path name` of every warm export that a cold module takes, in the order of their places in `__links`. */
function warmNamesUsedByCold(graph: Graph, cold: readonly string[], warm: ReadonlySet<string>): readonly string[] {
  const used = new Set<string>();
  for (const path of cold) {
    for (const { target, names } of moduleAt(graph, path).imports) {
      if (warm.has(target)) for (const name of names) used.add(`${target} ${name}`);
    }
  }
  return [...used].toSorted();
}

interface Layout {
  readonly graph: Graph;
  readonly warm: ReadonlySet<string>;
  readonly cold: readonly string[];
  readonly links: readonly string[];
}

async function bundleWarm(layout: Layout & { readonly entry: string }): Promise<string> {
  const { graph, entry, warm, cold, links } = layout;
  const linkLines = links.map((link, index) => {
    const [path, name] = link.split(' ');
    return `import { ${name} as l${index} } from "./${path}";`;
  });
  // The links stand before the guest, which may call cold functions while it is made.
  const contents = `${linkLines.join('\n')}\n__links.push(${links.map((_, index) => `l${index}`).join(', ')});`;
  const plugin: esbuild.Plugin = {
    name: 'warm-modules',
    setup(build) {
      build.onResolve({ filter: /^virtual:links$/ }, () => ({ path: 'links', namespace: 'links' }));
      build.onLoad({ filter: /.*/, namespace: 'links' }, () => ({ contents, loader: 'js', resolveDir: root }));
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const target = relative(root, join(resolveDir, path));
        return warm.has(target) ? null : { path: target, namespace: 'cold' };
      });
      build.onLoad({ filter: /.*/, namespace: 'cold' }, ({ path }) => ({ contents: forwarders(moduleAt(graph, path), cold, null), loader: 'js' }));
    },
  };
  const stdin = { contents: `import "virtual:links";\nimport "./${entry}";`, resolveDir: root, loader: 'js' } as const;
  return onlyOutput(await esbuild.build({ ...shared, stdin, plugins: [plugin] }));
}

async function bundleCold({ graph, warm, cold, links }: Layout): Promise<readonly string[]> {
  if (cold.length === 0) return [];
  const place = new Map(links.map((link, index) => [link, index]));
  const plugin: esbuild.Plugin = {
    name: 'cold-modules',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, importer, resolveDir, kind }) => {
        if (kind === 'entry-point') return null;
        const target = relative(root, join(resolveDir, path));
        return { path: target, namespace: warm.has(target) ? 'warm' : 'cold', pluginData: relative(root, importer), suffix: `?${relative(root, importer)}` };
      });
      build.onLoad({ filter: /.*/, namespace: 'warm' }, ({ path, pluginData }) => ({
        contents: importedNames(graph, String(pluginData), path).map((name) => `export const ${name} = __links[${place.get(`${path} ${name}`)}];`).join('\n'),
        loader: 'js',
      }));
      build.onLoad({ filter: /.*/, namespace: 'cold' }, ({ path, pluginData }) => ({
        contents: forwarders(moduleAt(graph, path), cold, importedNames(graph, String(pluginData), path)),
        loader: 'js',
      }));
    },
  };
  const texts: string[] = [];
  for (const path of cold) {
    texts.push(asFunctionBody(onlyOutput(await esbuild.build({ ...shared, format: 'esm', entryPoints: [`./${path}`], plugins: [plugin] }))));
  }
  return texts;
}

/** esbuild closes a module with one statement that names its exports; a function returns them instead. */
function asFunctionBody(module: string): string {
  const [closing, names] = /export\{([^}]*)\};\s*$/.exec(module) ?? [];
  if (closing === undefined || names === undefined) throw new Error('a cold module exports nothing');
  const members = names.split(',').map((name) => {
    const [local, exported] = name.split(' as ');
    return exported === undefined ? local : `${exported}:${local}`;
  });
  return `"use strict";${module.slice(0, -closing.length)}return{${members.join(',')}};`;
}

function importedNames(graph: Graph, importer: string, target: string): readonly string[] {
  return moduleAt(graph, importer).imports.filter((each) => each.target === target).flatMap(({ names }) => names);
}

/**
 * What stands for a cold module in one that imports it. `wanted`: the names that a cold importer takes (its classes
 * and constants are fetched at once); null in the warm bundle, which takes functions only.
 */
function forwarders(module: GuestModule, cold: readonly string[], wanted: readonly string[] | null): string {
  const load = `__cold(${cold.indexOf(module.path)})`;
  const lines = ['let m;'];
  for (const [name, parameters] of module.functions) {
    lines.push(`export function ${name}(${parameters}) { m ??= ${load}; return m.${name}.apply(undefined, arguments); }`);
  }
  for (const name of module.constants) {
    if (wanted?.includes(name) === true) lines.push(`export const ${name} = ${load}.${name};`);
  }
  return lines.join('\n');
}

function onlyOutput({ outputFiles }: { readonly outputFiles: readonly esbuild.OutputFile[] }): string {
  const [output, ...others] = outputFiles;
  if (output === undefined || others.length > 0) throw new Error('expected one output file');
  return output.text;
}

/** Cold modules that are loaded while the bundle is evaluated or warmed up. Throws when that fails. */
function coldModulesUsed({ scripts: [coldText, guest], cold }: Assembly, warmUp: string): readonly string[] {
  const context = vm.createContext({});
  const watched = guest.replace('const __cold = (index) => (', 'const __cold = (index) => (globalThis.used[index] = true, ');
  vm.runInContext(`globalThis.used = {}; ${coldText} ${watched}; const guest = __svc_boot(() => ''), handle = (text) => guest.handle(text); ${warmUp}`, context);
  const used: unknown = context['used'];
  return typeof used === 'object' && used !== null ? Object.keys(used).map((index) => cold[Number(index)] ?? '') : [];
}
