/** The extension for VS Code, as far as it can be held without VS Code: what it names is there, and its grammar. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { schemaFiles } from '../../supervisor/authoring/initialize/schema-files.ts';

const folder = join(import.meta.dirname, 'vscode');

interface Package {
  readonly name: string;
  readonly version: string;
  readonly publisher: string;
  readonly engines: { readonly vscode: string };
  readonly main: string;
  readonly activationEvents: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly languages: readonly {
      readonly id: string;
      readonly extensions: string[];
      readonly configuration: string;
    }[];
    readonly grammars: readonly { readonly language: string; readonly scopeName: string; readonly path: string }[];
    readonly jsonValidation: readonly { readonly fileMatch: readonly string[]; readonly url: string }[];
  };
}

interface Rule {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly captures?: Readonly<Record<string, { readonly name: string }>>;
}

interface Grammar {
  readonly scopeName: string;
  readonly patterns: readonly { readonly include: string }[];
  readonly repository: { readonly form: { readonly patterns: readonly Rule[] } };
}

function textOf(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

const extension: Package = JSON.parse(textOf('package.json'));
const grammar: Grammar = JSON.parse(textOf('syntaxes/svc-lisp.tmLanguage.json'));
const rules = grammar.repository.form.patterns;

/** `text scope` of each coloured part of a line, by the rules as an editor applies them. */
function coloured(line: string): readonly string[] {
  const found: string[] = [];
  let offset = 0;
  while (offset < line.length) {
    const next = rules
      .map((rule) => {
        const pattern = new RegExp(rule.match ?? rule.begin ?? '', 'dg');
        pattern.lastIndex = offset;
        return { rule, matched: pattern.exec(line) };
      })
      .filter(({ matched }) => matched !== null)
      .toSorted((one, other) => (one.matched?.index ?? 0) - (other.matched?.index ?? 0))[0];
    if (next?.matched === null || next === undefined) break;
    const { rule, matched } = next;
    let end = matched.index + matched[0].length;
    if (rule.end !== undefined) {
      const rest = /^(?:\\.|[^"\\])*"/.exec(line.slice(end));
      end = rest === null ? line.length : end + rest[0].length;
    }
    if (rule.name !== undefined) found.push(`${line.slice(matched.index, end)} ${rule.name.replace('.svc-lisp', '')}`);
    for (const [group, { name }] of Object.entries(rule.captures ?? {}))
      if ((matched[Number(group)] ?? '') !== '')
        found.push(`${matched[Number(group)] ?? ''} ${name.replace('.svc-lisp', '')}`);
    offset = Math.max(end, offset + 1);
  }
  return found;
}

describe('the extension for VS Code', () => {
  it('has what a packer and an editor ask for, with pinned dependencies', () => {
    const { name, version, publisher, engines, main, activationEvents, dependencies } = extension;
    expect(name).to.match(/^[a-z-]+$/);
    expect(version).to.match(/^\d+\.\d+\.\d+$/);
    expect(publisher).to.match(/^[a-z-]+$/);
    expect(engines.vscode).to.match(/^\^\d+\.\d+\.\d+$/);
    expect(existsSync(join(folder, main))).to.equal(true);
    expect(activationEvents).to.deep.equal(['workspaceContains:**/svc.json', 'workspaceContains:**/svc-project.json']);
    expect(Object.values(dependencies).filter((pinned) => !/^\d+\.\d+\.\d+$/.test(pinned))).to.deep.equal([]);
  });

  it('declares one language, whose name the server knows, with files that are there', () => {
    const [language, ...others] = extension.contributes.languages;
    expect(others).to.deep.equal([]);
    expect(language?.id).to.equal('svc-lisp');
    expect(language?.extensions).to.deep.equal(['.clj', '.cljc', '.svc']);
    expect(textOf(extension.main)).to.include(`language: '${language?.id ?? ''}'`);
    const configuration: { readonly wordPattern: string } = JSON.parse(textOf(language?.configuration ?? ''));
    expect('(tool!/a-b? c)'.match(new RegExp(configuration.wordPattern, 'g'))).to.deep.equal(['tool!/a-b?', 'c']);
    const [declared] = extension.contributes.grammars;
    expect(declared).to.include({ language: 'svc-lisp', scopeName: grammar.scopeName });
    expect(existsSync(join(folder, declared?.path ?? ''))).to.equal(true);
  });

  it('holds the documents against the schemas that svc schemas writes', async () => {
    const shipped = mkdtempSync(join(tmpdir(), 'svc-schemas-'));
    try {
      for (const { url } of extension.contributes.jsonValidation) {
        const name = /^\.\/schemas\/([a-z]+)\.schema\.json$/.exec(url)?.[1] ?? '';
        writeFileSync(join(shipped, `${name}.json`), '{}');
      }
      const settings = (await schemaFiles(shipped, './schemas')).get('vscode-settings.json');
      const expected: { readonly 'json.schemas': readonly { readonly url: string }[] } = JSON.parse(
        Buffer.from(settings ?? []).toString(),
      );
      const byUrl = (one: { readonly url: string }, other: { readonly url: string }): number =>
        one.url < other.url ? -1 : 1;
      expect(extension.contributes.jsonValidation.toSorted(byUrl)).to.deep.equal(
        expected['json.schemas'].toSorted(byUrl),
      );
    } finally {
      rmSync(shipped, { recursive: true, force: true });
    }
  });

  it('colours what a line is made of', () => {
    expect(coloured('(defn- ^:a größe "d \\" q" [x] (if (nil? x) -1.5 \\newline)) ; "c"')).to.deep.equal([
      'defn- keyword.control',
      '^:a  storage.modifier',
      'größe entity.name.function',
      '"d \\" q" string.quoted.double',
      'if keyword.control',
      'nil? entity.name.function',
      '-1.5 constant.numeric',
      '\\newline constant.character',
      '; "c" comment.line.semicolon',
    ]);
    expect(coloured('(tool/fetch {::k nil} #"a\\"b" data/x \\" (definitely y))')).to.deep.equal([
      'tool/fetch support.function',
      '::k constant.keyword',
      'nil constant.language',
      '#"a\\"b" string.regexp',
      'data/x support.function',
      '\\" constant.character',
      'definitely entity.name.function',
    ]);
  });
});
