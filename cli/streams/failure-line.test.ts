import { expect } from 'chai';
import { diagnostic, fixedSource, logicalSource, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import { evaluationLine, failureLine } from './failure-line.ts';

const runRef = 'cmd-0';

describe('failure line (cli.md §4)', () => {
  it('holds phase, code, message and run reference', () => {
    expect(
      failureLine({
        diagnostic: diagnostic('invalid_json', { source: fixedSource('application') }),
        runRef,
        hint: null,
      }),
    ).to.match(/^error: application\/invalid_json: [^\n]+ in svc\.json \(run_ref: cmd-0\)$/);
  });

  it('gives a document that was not read no name, since that need not be the one that was typed', () => {
    const unread = [
      diagnostic('application_not_found'),
      diagnostic('application_unavailable'),
      diagnostic('host_unavailable'),
      diagnostic('reference_missing', { source: fixedSource('external_input') }),
    ];
    for (const one of unread)
      expect(failureLine({ diagnostic: one, runRef, hint: null })).to.equal(
        `error: ${one.phase}/${one.code}: ${one.message} (run_ref: cmd-0)`,
      );
    expect(
      failureLine({
        diagnostic: diagnostic('reference_missing', { source: fixedSource('application') }),
        runRef,
        hint: null,
      }),
    ).to.include(' in svc.json (run_ref');
    expect(
      failureLine({
        diagnostic: diagnostic('reference_missing', { source: logicalSource('component', 'lib/a.clj') }),
        runRef,
        hint: null,
      }),
    ).to.include(' in lib/a.clj (run_ref');
  });

  it('names an input that is no file by its own name', () => {
    const fault = diagnostic('input_invalid', { source: fixedSource('external_input'), path: '' });
    expect(failureLine({ diagnostic: fault, runRef, hint: null, sourceName: 'input' })).to.include(
      ' at document root in input (run_ref',
    );
    expect(failureLine({ diagnostic: fault, runRef, hint: null })).to.include(
      ' at document root in input.json (run_ref',
    );
  });

  it('puts the hint last', () => {
    expect(failureLine({ diagnostic: diagnostic('invalid_command'), runRef, hint: 'commands: run' })).to.equal(
      'error: arguments/invalid_command: the command is unknown (run_ref: cmd-0); commands: run',
    );
  });

  it('tells where: a pointer and its document, or the document root', () => {
    const at = (path: string): string =>
      failureLine({ diagnostic: diagnostic('schema_violation', { path }), runRef, hint: null });
    expect(at('/workflow/entry')).to.match(/ at \/workflow\/entry in svc\.json \(run_ref/);
    expect(at('')).to.match(/ at document root in svc\.json \(run_ref/);
    expect(at('/limits/*/é\n')).to.match(/ at "\/limits\/\*\/\\u00e9\\n" in svc\.json \(run_ref/);
  });

  it('tells the byte range of a source', () => {
    const source = logicalSource('component', 'lib/main.clj');
    expect(
      failureLine({
        diagnostic: diagnostic('syntax_invalid', { source, span: { start_byte: 3, end_byte: 9 } }),
        runRef,
        hint: null,
      }),
    ).to.match(/ at lib\/main\.clj bytes \[3,9\) \(run_ref: cmd-0\)$/);
    expect(
      failureLine({ diagnostic: diagnostic('run_timeout', { source: fixedSource('runtime') }), runRef, hint: null }),
    ).to.match(/ in svc-runtime \(run_ref: cmd-0\)$/);
  });

  it('names the provider, its operation and its occurrence', () => {
    const subject = providerSubject('files', 'acquisition', { destination: 'mission', index: 3 });
    expect(failureLine({ diagnostic: diagnostic('provider_unavailable', { subject }), runRef, hint: null })).to.match(
      /^error: provider_acquisition\/provider_unavailable: provider\/files\/acquisition at mission\[3\]: the selected/,
    );
  });

  it('stays one line whatever the message holds', () => {
    expect(evaluationLine({ kind: 'type_error', message: 'a\nerror: forged\u001b[2J\u2028b\u202e' })).to.equal(
      'evaluation: type_error: a error: forged⟨U+001B⟩[2J b⟨U+202E⟩',
    );
  });
});
