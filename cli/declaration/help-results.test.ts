import { expect } from 'chai';
import { HELP_TOPICS, type HelpTopic } from '../../contract/envelope/results.ts';
import { findTopic, helpResult, publishedHelpResults } from './help-results.ts';

function switches(topic: HelpTopic): readonly string[] {
  return helpResult(topic).options.flatMap((option) => option.switches);
}

describe('help results (interface.md §1.4.1, cli.md §6)', () => {
  it('has no topic for help itself, for plain-text commands and for inherited names', () => {
    for (const word of ['help', 'gateway', 'toString', '']) expect(findTopic(word)).to.equal(undefined);
  });

  it('lists the root usage lines word for word', () => {
    expect(helpResult('root').usage).to.deep.equal([
      'svc validate MANIFEST.json|PROJECT.json [--host-config HOST.json] [--component-override-descriptor DESCRIPTOR.json]',
      'svc run MANIFEST.json|PROJECT.json [OPTIONS]',
      'svc prune PROJECT.json (--max-age-days N | --max-bytes N) [--dry-run]',
      'svc doctor [MANIFEST.json|PROJECT.json] [--host-config HOST.json] [--connect]',
      'svc models PROJECT.json | --host-config HOST.json',
      'svc catalog PROVIDER --host-config HOST.json',
      'svc init DIRECTORY [--example NAME]',
      'svc docs [PAGE] | --search TERM',
      'svc help [COMMAND]',
      'svc transcript RUN_ID --traces DIRECTORY (--inspection DIRECTORY | --inspection-file FILE.svcins) --private-unattended --private-output FILE',
      'svc repl [OPTIONS] [SCRIPT|-]',
      'svc viewer PROJECT.json [--port PORT] [--listen ADDRESS] [--env-file FILE]',
      'svc materialize MANIFEST.json|PROJECT.json (--workflow | --target-mission NAME) --component ID (--source-out PATH | --out DIR (--source PATH | --from-result PATH --result-pointer POINTER))',
      'svc version [--envelope ENVELOPE.json]',
      'svc --version',
    ]);
    expect(switches('root')).to.deep.equal(['--help', '--version']);
  });

  it('orders the switches of run as the interface does', () => {
    expect(switches('run')).to.deep.equal([
      '--host-config HOST.json',
      '--input INPUT.json',
      '--private-input INPUT.json',
      '--trace-dir DIRECTORY',
      '--output VALUE.json',
      '--private-output VALUE.json',
      '--inspect RUN.svcins',
      '--component-override-descriptor DESCRIPTOR.json',
      '--env-file FILE',
      '--envelope ENVELOPE.json',
      '--progress',
      '--authorize-mcp NAME',
      '--help',
    ]);
  });

  it('orders the switches of the repl as its option table does, each spelling with its placeholder', () => {
    expect(helpResult('repl').options.map((option) => option.switches.join(' | '))).to.deep.equal([
      '--project PROJECT.json',
      '-e EXPR | --eval EXPR',
      '-l SETUP.clj | --load SETUP.clj',
      '-m MANIFEST | --manifest MANIFEST',
      '--mission MISSION',
      '--inspect-only',
      '--host-config HOST.json',
      '--env-file FILE',
      '-t TRACE.jsonl | --trace TRACE.jsonl',
      '--profile PROFILE',
      '--resource NAME=DIRECTORY',
      '--run RUN_ID',
      '--session-trace-dir DIRECTORY',
      '--output VALUE.json',
      '--private-output VALUE.json',
      '--format clojure|jsonl',
      '--preview-chars COUNT',
      '--continue-on-error',
      '--private-terminal',
      '--private-unattended',
      '--describe-profile PROFILE',
      '-h | --help',
    ]);
  });

  it('gives materialize three usage lines and version one', () => {
    expect(helpResult('materialize').usage).to.have.length(3);
    expect(helpResult('version').usage).to.deep.equal(['svc version [--envelope ENVELOPE.json]']);
    expect(switches('version')).to.deep.equal(['--envelope ENVELOPE.json']);
  });

  it('keeps the options of the remaining topics in interface order', () => {
    expect(switches('materialize')).to.deep.equal([
      '--workflow',
      '--target-mission NAME',
      '--component ID',
      '--source-out PATH',
      '--out DIR',
      '--source PATH',
      '--from-result PATH',
      '--result-pointer POINTER',
      '--origin-run-id ID',
      '--origin-prompt-hash sha256:...',
      '--origin-authored-at RFC3339',
      '--accept-widened-effect',
      '--envelope ENVELOPE.json',
      '--help',
    ]);
    expect(switches('transcript')).to.deep.equal([
      '--traces DIRECTORY',
      '--inspection DIRECTORY',
      '--inspection-file FILE.svcins',
      '--private-unattended',
      '--private-output TRANSCRIPT.json',
      '--envelope ENVELOPE.json',
      '--help',
    ]);
    expect(switches('doctor')).to.deep.equal([
      '--host-config HOST.json',
      '--connect',
      '--show-model-selectors',
      '--env-file FILE',
      '--envelope ENVELOPE.json',
      '--help',
    ]);
    expect(switches('viewer')).to.deep.equal([
      '--port PORT',
      '--listen 127.0.0.1|0.0.0.0',
      '--env-file FILE',
      '--help',
    ]);
    expect(switches('prune')).to.deep.equal(['--max-age-days N', '--max-bytes N', '--dry-run', '--help']);
  });

  it('gives the schema every topic once, and run in both forms', () => {
    const topics = publishedHelpResults()
      .map(({ topic }) => topic)
      .toSorted();
    expect(topics).to.deep.equal([...HELP_TOPICS, 'run'].toSorted());
    const descriptions = publishedHelpResults().flatMap(({ options }) => options.map(({ description }) => description));
    expect(descriptions.filter((text) => text.trim() === '')).to.deep.equal([]);
  });
});
