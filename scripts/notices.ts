/** Third-party notices of the packed program (first-day.md §5): the licence of each package that is in its files. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Packages that are copied, or whose data are, beside those that bundles name. */
const COPIED = ['tinypool', 'isolated-vm', '@pydantic/genai-prices'].map((name) => join('node_modules', name));
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i;
const README_SECTION = /^## licen[cs]e$([^]*?Permission is hereby granted[^]*?)(?:^## |$(?![^]))/im;
/** A package that was published without the licence of its repository, and one of the same publisher that has it. */
const SAME_PUBLISHER: Readonly<Record<string, string>> = {
  '@ai-sdk/provider-utils': '@ai-sdk/provider',
  '@vscode/l10n': 'vscode-languageserver',
};
const PACKAGE_FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Files that bundles were made of, and so the packages whose licences are due. */
export class BundledPackages {
  readonly #folders = new Set(COPIED);

  /** Paths of files, absolute or relative to the root of the checkout; what lies in no package is ours. */
  add(files: Iterable<string>): void {
    for (const file of files) {
      const folder = PACKAGE_FOLDER.exec(file.replace(/^[^/]*\0/, ''))?.[1];
      if (folder !== undefined) this.#folders.add(folder.slice(folder.indexOf('node_modules/')));
    }
  }

  /** The notices, sorted by name. Throws for a package without a licence in its folder: it may not be shipped. */
  notices(): string {
    const notices = new Map([...this.#folders].map((folder) => noticeOf(join(root, folder))));
    const sections = [...notices].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, text]) => text);
    return `svc holds software and data of the following packages.\n\n${sections.join('\n')}`;
  }
}

/** Files of a package that hold its licence; where there are none, that section of its README. */
function textsIn(folder: string): string[] {
  const names = readdirSync(folder).toSorted();
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8').trim();
  const files = names.filter((name) => LICENCE_FILE.test(name)).map(read);
  if (files.length > 0) return files;
  const readme = names.find((name) => /^readme\.md$/i.test(name));
  const section = readme === undefined ? undefined : README_SECTION.exec(read(readme))?.[1];
  return section === undefined ? [] : [section.trim()];
}

/** By name and version, so that two copies of a package are named once. */
function noticeOf(folder: string): [string, string] {
  const manifest: { readonly name: string; readonly version: string; readonly license?: unknown } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const texts = textsIn(folder);
  const sibling = SAME_PUBLISHER[manifest.name];
  if (texts.length === 0 && sibling !== undefined) texts.push(...textsIn(join(root, 'node_modules', sibling)));
  if (texts.length === 0) throw new Error(`${manifest.name} ${manifest.version} is bundled and has no licence`);
  const name = `${manifest.name} ${manifest.version}`;
  const licence = typeof manifest.license === 'string' ? ` (${manifest.license})` : '';
  return [name, `${'='.repeat(80)}\n${name}${licence}\n${'='.repeat(80)}\n\n${texts.join('\n\n')}\n`];
}
