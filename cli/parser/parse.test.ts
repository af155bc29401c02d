import { expect } from 'chai';
import fc from 'fast-check';
import { COMMANDS, COMMAND_NAMES } from '../declaration/table.ts';
import { argumentDiagnostic } from './diagnose.ts';
import type { Rejection } from './fault.ts';
import { parseArguments, type Invocation } from './parse.ts';

const CONTEXT = { workingDirectory: '/desk', isUtf8: true };

function parse(...argv: string[]): Invocation {
  return parseArguments(argv, CONTEXT);
}

function rejection(...argv: string[]): Rejection {
  const invocation = parse(...argv);
  if (invocation.kind !== 'rejected') throw new Error(`accepted: ${argv.join(' ')}`);
  return invocation.rejection;
}

function verdict(...argv: string[]): string {
  const { command, fault } = rejection(...argv);
  const { code, message } = argumentDiagnostic(fault);
  return `${command} ${code}: ${message}`;
}

function parsedArguments(...argv: string[]) {
  const invocation = parse(...argv);
  if (invocation.kind !== 'command') throw new Error(`no command: ${argv.join(' ')}`);
  return invocation.args;
}

const REF = `cmd-${'0'.repeat(26)}`;
const TRANSCRIPT = ['transcript', REF, '--traces', 't', '--private-unattended', '--private-output', 'o.json'];

describe('wrong forms of a command line (cli.md §1, §2)', () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['unknown command', ['frobnicate'], 'unknown invalid_command: the command is unknown'],
    ['abbreviated command', ['val', 'svc.json'], 'unknown invalid_command: the command is unknown'],
    ['command in capitals', ['RUN', 'svc.json'], 'unknown invalid_command: the command is unknown'],
    ['inherited property as command', ['constructor'], 'unknown invalid_command: the command is unknown'],
    ['empty first token', [''], 'unknown invalid_command: the command is unknown'],
    ['unknown first switch', ['--verbose'], 'unknown invalid_command: the command is unknown'],
    ['NUL in argv', ['run', 'a\0b'], 'unknown invalid_arguments: an argument is not valid UTF-8'],
    ['help of an unknown topic', ['help', 'frobnicate'], 'help invalid_arguments: the help topic is unknown'],
    ['help of help', ['help', 'help'], 'help invalid_arguments: the help topic is unknown'],
    ['help with two topics', ['help', 'run', 'init'], 'help invalid_arguments: the command takes fewer arguments'],
    [
      '--help beside a token',
      ['run', 'svc.json', '--help'],
      'help invalid_arguments: option --help takes no other arguments',
    ],
    ['root --help beside a token', ['--help', 'run'], 'help invalid_arguments: option --help takes no other arguments'],
    ['--help twice', ['run', '--help', '--help'], 'run invalid_arguments: option --help may be given only once'],
    [
      'unknown option beside --help',
      ['run', '--help', '--nope'],
      'run invalid_arguments: an option is not accepted by this command',
    ],
    [
      '--version beside a token',
      ['--version', 'x'],
      'version invalid_arguments: option --version takes no other arguments',
    ],
    [
      '--version after a command',
      ['run', 'x', '--version'],
      'version invalid_arguments: option --version takes no other arguments',
    ],
    [
      '--version in place of a value',
      ['docs', '--search', '--version'],
      'version invalid_arguments: option --version takes no other arguments',
    ],
    ['version with an argument', ['version', 'x'], 'version invalid_arguments: the command takes fewer arguments'],
    ['version --help', ['version', '--help'], 'version invalid_arguments: an option is not accepted by this command'],
    [
      'unknown option',
      ['run', 'svc.json', '--inptu', 'x'],
      'run invalid_arguments: an option is not accepted by this command',
    ],
    [
      'negated option',
      ['run', 'svc.json', '--no-progress'],
      'run invalid_arguments: an option is not accepted by this command',
    ],
    [
      'option of another command',
      ['validate', 'svc.json', '--input', 'x'],
      'validate invalid_arguments: an option is not accepted by this command',
    ],
    [
      'unknown before missing value',
      ['run', '--input', '--nope'],
      'run invalid_arguments: an option is not accepted by this command',
    ],
    [
      'value missing at the end',
      ['run', 'svc.json', '--input'],
      'run invalid_arguments: option --input requires a value',
    ],
    [
      'value that looks like an option',
      ['run', 'svc.json', '--input', '--progress'],
      'run invalid_arguments: option --input requires a value',
    ],
    [
      'value missing before repetition',
      ['run', '--progress', '--progress', '--input'],
      'run invalid_arguments: option --input requires a value',
    ],
    [
      'repeated in two spellings',
      ['run', 'a', '--input=x', '--input', 'y'],
      'run invalid_arguments: option --input may be given only once',
    ],
    [
      'short and long of one option',
      ['repl', '-l', 'a', '--load', 'b'],
      'unknown invalid_arguments: option --load may be given only once',
    ],
    [
      'switch with a value',
      ['doctor', '--connect=true'],
      'doctor invalid_arguments: option --connect has a value that is not accepted',
    ],
    ['glued short option', ['repl', '-eX'], 'unknown invalid_arguments: an option is not accepted by this command'],
    ['short option with =', ['repl', '-e=X'], 'unknown invalid_arguments: an option is not accepted by this command'],
    ['bundled short options', ['repl', '-el'], 'unknown invalid_arguments: an option is not accepted by this command'],
    [
      'short option outside the repl',
      ['run', 'x', '-h'],
      'run invalid_arguments: an option is not accepted by this command',
    ],
    [
      'exclusive inputs',
      ['run', '--input', 'a', '--private-input', 'b'],
      'run conflicting_arguments: options --input, --private-input exclude each other',
    ],
    [
      'exclusive outputs',
      ['run', 'x', '--output', 'a', '--private-output', 'b'],
      'run conflicting_arguments: options --output, --private-output exclude each other',
    ],
    ['no positional', ['run'], 'run invalid_arguments: argument MANIFEST|PROJECT is missing'],
    ['two positionals', ['run', 'a', 'b'], 'run invalid_arguments: the command takes fewer arguments'],
    ['empty positional', ['run', ''], 'run invalid_arguments: argument MANIFEST|PROJECT is not accepted'],
    [
      'empty path value',
      ['run', 'a', '--input='],
      'run invalid_arguments: option --input has a value that is not accepted',
    ],
    [
      'path too long',
      ['run', 'a', `--input=${'é'.repeat(2049)}`],
      'run invalid_arguments: option --input has a value that is not accepted',
    ],
    [
      'envelope to stdout',
      ['run', 'a', '--envelope', '-'],
      'run invalid_arguments: option --envelope does not name a usable file',
    ],
    [
      'envelope names a directory',
      ['run', 'a', '--envelope', 'x/'],
      'run invalid_arguments: option --envelope does not name a usable file',
    ],
    [
      'envelope ends in ..',
      ['run', 'a', '--envelope=x/..'],
      'run invalid_arguments: option --envelope does not name a usable file',
    ],
    [
      'bad provider name',
      ['run', 'a', '--authorize-mcp', 'Big'],
      'run invalid_arguments: option --authorize-mcp has a value that is not accepted',
    ],
    [
      'same provider twice',
      ['run', 'a', '--authorize-mcp', 'b', '--authorize-mcp=b'],
      'run invalid_arguments: option --authorize-mcp has a value that is not accepted',
    ],
    [
      '129 providers',
      ['run', 'a', ...Array.from({ length: 129 }, (_, index) => `--authorize-mcp=p${index}`)],
      'run invalid_arguments: option --authorize-mcp is not accepted with these arguments',
    ],
    [
      'prune without a limit',
      ['prune', 'p'],
      'unknown invalid_arguments: one of --max-age-days, --max-bytes is required',
    ],
    [
      'number with a leading zero',
      ['prune', 'p', '--max-bytes', '01'],
      'unknown invalid_arguments: option --max-bytes has a value that is not accepted',
    ],
    [
      'negative number',
      ['prune', 'p', '--max-bytes', '-1'],
      'unknown invalid_arguments: option --max-bytes has a value that is not accepted',
    ],
    [
      'number beyond 2^53-1',
      ['prune', 'p', '--max-bytes', '9007199254740992'],
      'unknown invalid_arguments: option --max-bytes has a value that is not accepted',
    ],
    [
      '--connect without application',
      ['doctor', '--connect'],
      'doctor invalid_arguments: argument MANIFEST|PROJECT is missing',
    ],
    [
      '--env-file without --connect',
      ['doctor', 'a', '--env-file', 'f'],
      'doctor invalid_arguments: option --connect is required',
    ],
    [
      'models with both',
      ['models', 'p', '--host-config', 'h'],
      'models invalid_arguments: the arguments do not fit the command',
    ],
    ['models with neither', ['models'], 'models invalid_arguments: the arguments do not fit the command'],
    ['catalog without host', ['catalog', 'fs'], 'catalog invalid_arguments: option --host-config is required'],
    [
      'catalog of a bad alias',
      ['catalog', 'Fs', '--host-config', 'h'],
      'catalog invalid_arguments: argument PROVIDER is not accepted',
    ],
    [
      'unknown page',
      ['docs', 'frobnicate'],
      'docs docs_page_unknown: the documentation page is unknown; svc docs lists all pages',
    ],
    [
      'page and search',
      ['docs', 'cli', '--search', 'x'],
      'docs conflicting_arguments: the arguments exclude each other',
    ],
    ['empty search', ['docs', '--search='], 'docs invalid_arguments: option --search has a value that is not accepted'],
    [
      'search of 129 characters',
      ['docs', `--search=${'😀'.repeat(129)}`],
      'docs invalid_arguments: option --search has a value that is not accepted',
    ],
    ['transcript of no run', ['transcript', 'run-1'], 'transcript invalid_arguments: argument RUN_ID is not accepted'],
    [
      'both inspections',
      [...TRANSCRIPT, '--inspection', 'i', '--inspection-file', 'f'],
      'transcript conflicting_arguments: options --inspection, --inspection-file exclude each other',
    ],
    [
      'neither inspection',
      TRANSCRIPT,
      'transcript invalid_arguments: one of --inspection, --inspection-file is required',
    ],
    [
      'port too large',
      ['viewer', 'p', '--port', '65536'],
      'unknown invalid_arguments: option --port has a value that is not accepted',
    ],
    [
      'address by name',
      ['viewer', 'p', '--listen', 'localhost'],
      'unknown invalid_arguments: option --listen has a value that is not accepted',
    ],
    [
      'materialize both selections',
      ['materialize', 'm', '--workflow', '--target-mission', 'a'],
      'materialize conflicting_arguments: options --workflow, --target-mission exclude each other',
    ],
    [
      'materialize without component',
      ['materialize', 'm', '--workflow'],
      'materialize invalid_arguments: option --component is required',
    ],
    [
      'materialize both targets',
      ['materialize', 'm', '--workflow', '--component', 'c', '--source-out', 'a', '--out', 'b'],
      'materialize conflicting_arguments: options --source-out, --out exclude each other',
    ],
    [
      'candidate option with --source-out',
      ['materialize', 'm', '--workflow', '--component', 'c', '--source-out', 'a', '--accept-widened-effect'],
      'materialize conflicting_arguments: options --source-out, --accept-widened-effect exclude each other',
    ],
    [
      'pointer without result',
      ['materialize', 'm', '--workflow', '--component', 'c', '--out', 'd', '--source', 's', '--result-pointer='],
      'materialize invalid_arguments: option --from-result is required',
    ],
    [
      'result without pointer',
      ['materialize', 'm', '--workflow', '--component', 'c', '--out', 'd', '--from-result', 's'],
      'materialize invalid_arguments: option --result-pointer is required',
    ],
    [
      'bad day',
      [
        'materialize',
        'm',
        '--workflow',
        '--component',
        'c',
        '--out',
        'd',
        '--source',
        's',
        '--origin-authored-at',
        '2026-02-30T00:00:00Z',
      ],
      'materialize invalid_arguments: option --origin-authored-at has a value that is not accepted',
    ],
    [
      'repl project and manifest',
      ['repl', '--project', 'p', '-m', 'm'],
      'unknown conflicting_arguments: options --project, --manifest exclude each other',
    ],
    [
      'repl mission alone',
      ['repl', '--mission', 'm'],
      'unknown invalid_arguments: one of --project, --manifest is required',
    ],
    [
      'repl expression and script',
      ['repl', '-e', '1', 'x.clj'],
      'unknown conflicting_arguments: the arguments exclude each other',
    ],
    [
      'repl 17 runs',
      [
        'repl',
        '--profile',
        'private-run-analysis-v2',
        ...Array.from({ length: 17 }, (_, index) => `--run=cmd-${String(index).padStart(26, '0')}`),
      ],
      'unknown invalid_arguments: option --run is not accepted with these arguments',
    ],
    [
      'repl preview too small',
      ['repl', '--preview-chars', '63'],
      'unknown invalid_arguments: option --preview-chars has a value that is not accepted',
    ],
    [
      'repl described profile with preview',
      ['repl', '--describe-profile', 'run-analysis-v1', '--preview-chars', '64'],
      'unknown conflicting_arguments: options --describe-profile, --preview-chars exclude each other',
    ],
    [
      'repl private switch on scratch',
      ['repl', '--private-unattended'],
      'unknown invalid_arguments: option --private-unattended is not accepted with these arguments',
    ],
  ];
  for (const [name, argv, expected] of cases) {
    it(name, () => {
      expect(verdict(...argv)).to.equal(expected);
    });
  }

  it('argv that is no UTF-8', () => {
    const invocation = parseArguments(['run', '\uFFFD'], { workingDirectory: '/', isUtf8: false });
    expect(invocation).to.deep.include({ kind: 'rejected' });
  });
});

describe('accepted command lines (cli.md §1)', () => {
  it('no arguments, help and --help are root help', () => {
    for (const argv of [[], ['help'], ['--help'], ['help', 'root']]) {
      expect(parse(...argv)).to.deep.equal({ kind: 'help', topic: 'root' });
    }
  });

  it('help TOPIC equals TOPIC --help, also as -h of the repl', () => {
    for (const name of COMMAND_NAMES) {
      if (name === 'help' || name === 'version') continue;
      expect(parse('help', name)).to.deep.equal(parse(name, '--help'));
    }
    expect(parse('repl', '-h')).to.deep.equal({ kind: 'help', topic: 'repl' });
  });

  it('--version alone', () => {
    expect(parse('--version')).to.deep.equal({ kind: 'version-switch' });
  });

  it('options and positionals interleave, both value forms are read, -- ends options', () => {
    const { positionals, options } = parsedArguments(
      'run',
      '--input=a=b',
      '--progress',
      '--output',
      'out.json',
      '--',
      '--weird',
    );
    expect(positionals).to.deep.equal(['/desk/--weird']);
    expect(Object.fromEntries(options)).to.deep.equal({
      '--input': ['a=b'],
      '--progress': [''],
      '--output': ['/desk/out.json'],
    });
  });

  it('a value may be - or a negative number', () => {
    expect(parsedArguments('repl', '-e', '-5').options.get('--eval')).to.deep.equal(['-5']);
    expect(parsedArguments('run', 'svc.json', '--input', '-').options.get('--input')).to.deep.equal(['-']);
  });

  it('a search term that starts with -- is given with =', () => {
    expect(parsedArguments('docs', '--search=--x').options.get('--search')).to.deep.equal(['--x']);
  });

  it('repeatable options keep their order', () => {
    expect(
      parsedArguments('run', 'x', '--authorize-mcp', 'b', '--authorize-mcp=a').options.get('--authorize-mcp'),
    ).to.deep.equal(['b', 'a']);
  });

  it('a pointer may be empty', () => {
    const { options } = parsedArguments(
      'materialize',
      'm',
      '--target-mission',
      'a',
      '--component',
      'c',
      '--out',
      'd',
      '--from-result',
      'r',
      '--result-pointer',
      '',
    );
    expect(options.get('--result-pointer')).to.deep.equal(['']);
  });

  it('the slashes at the end of a directory are left out', () => {
    expect(parsedArguments('init', 'new//').positionals).to.deep.equal(['/desk/new']);
    expect(parsedArguments('init', '//').positionals).to.deep.equal(['/']);
  });

  it('describe-profile goes with a format', () => {
    expect(parsedArguments('repl', '--describe-profile', 'run-analysis-v1', '--format', 'jsonl').options.size).to.equal(
      2,
    );
  });
});

describe('hints', () => {
  it('name every word that help takes, and none that it refuses', () => {
    const words = rejection('help', 'FROBNICATE').hint?.replace('topics: ', '').split(', ') ?? [];
    expect(words).to.include.members(COMMAND_NAMES.filter((name) => name !== 'help'));
    for (const word of words) expect(parse('help', word).kind, word).to.be.oneOf(['help', 'plain-help']);
    expect(rejection('help', 'completio').hint).to.match(
      /^svc help has no topic completio; did you mean completion\? topics: /,
    );
  });

  it('name the nearest command and option first', () => {
    expect(rejection('vaildate').hint).to.match(/^svc has no command vaildate; did you mean validate\? commands: /);
    expect(rejection('run', 'x', '--outptu', 'y').hint).to.match(
      /^svc run has no option --outptu; did you mean --output\? accepted options: --output, /,
    );
    expect(rejection('docs', 'quickstrat').hint).to.match(/did you mean quickstart\?/);
    // The message itself names all examples.
    expect(rejection('init', 'd', '--example', 'llm-repla').hint).to.equal('did you mean llm-replay?');
    expect(rejection('init', 'd', '--example', 'frobnicate').hint).to.equal(null);
  });

  it("names the commands of an option that is another one's, and nothing for a word of no command", () => {
    expect(rejection('validate', 'x', '--progress').hint).to.match(
      /^svc validate has no option --progress; --progress is an option of run; accepted options: /,
    );
    expect(rejection('validate', 'x', '--s3cret').hint).to.match(/^accepted options: /);
  });

  it('tells how to write what was written otherwise', () => {
    expect(rejection('doctor', '--connect=true').hint).to.equal('--connect takes no value; write it alone');
    expect(rejection('run', 'x', '--output', '--progress').hint).to.match(
      /; a value that begins with - is written --output=VALUE\.json$/,
    );
    expect(rejection('run', 'x', '--output').hint).not.to.include('begins');
    expect(rejection('run', 'x', '--help').hint).to.equal('write svc run --help');
  });
});

describe('parser under hostile input', () => {
  /** In no declared word, so that its presence proves an echo. */
  const MARK = 'ẞqZ7';
  const spellings = COMMAND_NAMES.flatMap((name) => COMMANDS[name].options.map((option) => option.name));
  const token = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(...spellings, '-e', '-h', '--', '-', '-5', '', '=', '--=', '--version', '--help'),
    },
    { weight: 2, arbitrary: fc.constantFrom(...spellings).map((name) => `${name}=${MARK}`) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary' }).map((text) => `${MARK}${text}`) },
    { weight: 1, arbitrary: fc.string().map((text) => `--${MARK}${text}`) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'toString', '--__proto__', '\u0000', '\uD800') },
  );
  const first = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<string>(...COMMAND_NAMES) },
    { weight: 1, arbitrary: token },
  );

  it('never throws, and a rejection is a diagnostic of the arguments that echoes nothing', () => {
    fc.assert(
      fc.property(first, fc.array(token, { maxLength: 8 }), (head, rest) => {
        const invocation = parse(head, ...rest);
        if (invocation.kind !== 'rejected') return;
        const { fault, hint } = invocation.rejection;
        const known = argumentDiagnostic(fault);
        expect(known.phase).to.equal('arguments');
        expect(JSON.stringify(known) + (hint ?? '')).not.to.include(MARK);
      }),
      { numRuns: 3000 },
    );
  });

  it('answers a huge command line at once', () => {
    const huge = Array.from({ length: 20_000 }, () => 'x'.repeat(100));
    expect(verdict('run', ...huge)).to.match(/^run invalid_arguments/);
    expect(verdict('y'.repeat(1_000_000))).to.match(/^unknown invalid_command/);
  });
});
