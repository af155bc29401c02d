import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { itWhere } from '../left-out.ts';
import { PROGRAM, runToEnd } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory } from './work-directory.ts';

const MANIFEST = {
  version: 1,
  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
  missions: { reader: {}, writer: {} },
};
const FILES = { 'svc.json': MANIFEST, 'sub/x': '', 'two words.json': '{}' };

/** What a line becomes, or what is offered where several begin so; the same of every shell. */
const LINES: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['svc va', ['validate']],
  ['svc ve', ['version']],
  ['svc run --private-i', ['--private-input']],
  ['svc repl --format j', ['jsonl']],
  ['svc repl --format=j', ['--format=jsonl']],
  ['svc materialize svc.json --workflow --component ', ['main']],
  ['svc repl --manifest svc.json --mission w', ['writer']],
  ['svc run sv', ['svc.json']],
  ['svc init su', ['sub/']],
  ['svc help rep', ['repl']],
];
const SEVERAL: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['svc v', ['validate', 'version', 'viewer']],
  ['svc repl --manifest svc.json --mission ', ['reader', 'writer']],
];

/** Presses Tab behind each line in a terminal of zsh's own, and writes down what the line became. */
const ZSH_DRIVER = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "source $PWD/setup.zsh"
pump() { local part; while ! [[ -e $1 ]]; do while zpty -r -t shell part; do :; done; sleep 0.02; done; }
pump ready
for line in "\${(@f)$(<lines)}"; do zpty -n -w shell "$line"$'\\t\\C-xr'; done
zpty -n -w shell $'\\C-xd'
pump done
zpty -d shell
`;
const ZSH_SETUP = `
autoload -U compinit; compinit -D -u
setopt no_beep
source <(svc completion zsh)
report() { print -r -- "$BUFFER" >> became; BUFFER= }
finish() { : > done }
zle -N report; zle -N finish
bindkey '^Xr' report; bindkey '^Xd' finish
: > ready
`;
const BASH_DRIVER = `
compopt() { :; }
source <(svc completion bash)
while IFS= read -r line; do
  COMP_LINE=$line; COMP_POINT=\${#line}; COMP_WORDS=()
  for word in $line; do
    case $word in *=*) COMP_WORDS+=("\${word%%=*}" = "\${word#*=}") ;; *) COMP_WORDS+=("$word") ;; esac
  done
  case $line in *' ') COMP_WORDS+=('') ;; esac
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=()
  _svc
  printf '%s\\t' "\${COMPREPLY[@]}"; echo
done < lines
`;

function isHere(shell: string): boolean {
  try {
    execFileSync('/bin/sh', ['-c', `command -v ${shell}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('completion in the shells themselves (cli.md §12.2)', () => {
  let directory: string;
  let path: string;
  beforeEach(() => {
    directory = makeWorkDirectory(FILES);
    path = join(directory, 'bin');
    mkdirSync(path);
    symlinkSync(PROGRAM, join(path, 'svc'));
  });
  afterEach(() => removeWorkDirectory(directory));

  const shell = (name: string, script: string, argv: readonly string[] = []): string =>
    execFileSync(name, [...argv, '-c', script], {
      cwd: directory,
      encoding: 'utf8',
      timeout: 240_000,
      env: { PATH: `${path}:${process.env['PATH'] ?? ''}`, HOME: directory, LANG: 'C.UTF-8', TERM: 'xterm' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const listed = (lines: typeof LINES): void => {
    writeFileSync(join(directory, 'lines'), lines.map(([line]) => `${line}\n`).join(''));
  };
  const inShell = (name: string, title: string, work: () => void): void => {
    itWhere({ isMet: isHere(name), what: `${name} (Debian package ${name})` }, `${name}: ${title}`, work);
  };
  const withoutSlash = (text: string): string => text.replace(/\/$/, '');

  inShell('bash', 'offers commands, options, values, names and files', () => {
    listed([...LINES, ...SEVERAL]);
    const offered = shell('bash', BASH_DRIVER)
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .split('\t')
          .filter((text) => text !== '')
          .toSorted(),
      );
    // bash replaces what stands behind an equals sign, and adds the slash of a directory itself.
    expect(offered).to.deep.equal(
      [...LINES, ...SEVERAL].map(([, texts]) => texts.map((text) => withoutSlash(text.replace(/^--\w+=/, '')))),
    );
  });

  inShell('zsh', 'completes each line', () => {
    listed(LINES);
    writeFileSync(join(directory, 'setup.zsh'), ZSH_SETUP);
    shell('zsh', ZSH_DRIVER, ['-f']);
    const became = readFileSync(join(directory, 'became'), 'utf8').trimEnd().split('\n');
    const words = (line: string): string => line.slice(0, Math.max(line.lastIndexOf(' ') + 1, 0));
    expect(became.map((line) => withoutSlash(line.trimEnd()))).to.deep.equal(
      LINES.map(([line, [text = '']]) => withoutSlash(words(line) + text)),
    );
  });

  inShell('fish', 'offers commands, options, values, names and files', () => {
    const requested = [...LINES, ...SEVERAL];
    const script = [
      'svc completion fish | source',
      ...requested.map(([line]) => `echo (complete -C '${line}' | string split -f 1 \\t | string join ,)`),
    ].join('\n');
    const offered = shell('fish', script)
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .split(',')
          .filter((text) => text !== '')
          .toSorted(),
      );
    expect(offered).to.deep.equal(requested.map(([, texts]) => texts));
  });

  it('is asked of the program alone: no script holds a list', async () => {
    for (const name of ['bash', 'zsh', 'fish']) {
      const { status, stdout, stderr } = await runToEnd({ argv: ['completion', name], directory });
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      expect(stdout).to.contain('completion').and.not.contain('validate');
    }
  });

  it('prints a manual page of every command', async () => {
    const { status, stdout, stderr } = await runToEnd({ argv: ['man'], directory });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    for (const heading of ['.SH "NAME"', '.SS "run"', '.SS "gateway"', '.SH "EXIT STATUS"', '.SH "ENVIRONMENT"'])
      expect(stdout).to.contain(`${heading}\n`);
    expect(
      stdout
        .split('\n')
        .filter((line) => /^[.']/.test(line) && !/^\.(?:TH|SH|SS|TP|PP|B|RS|RE|nf|fi)(?: |$)/.test(line)),
    ).to.deep.equal([]);
  });

  it('refuses an unknown shell and a missing one', async () => {
    for (const argv of [['completion'], ['completion', 'tcsh'], ['completion', 'bash', 'zsh'], ['man', 'run']]) {
      const { status, stdout, stderr } = await runToEnd({ argv, directory });
      expect({ status, stdout }, argv.join(' ')).to.deep.equal({ status: 2, stdout: '' });
      expect(stderr).to.match(/^error: arguments\/invalid_arguments: /);
    }
  });
});
