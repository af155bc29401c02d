import { expect } from 'chai';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { load } from '../testing/application-tree.ts';
import { explain } from './explain.ts';
import type { Explanation } from './explanation.ts';

async function explained(lines: readonly string[]): Promise<Explanation> {
  const text = lines.join('\n');
  const outcome = await load({ manifest: text });
  if (outcome.ok) throw new Error('the manifest has no fault');
  return explain(outcome.diagnostic, 'svc.json', new TextEncoder().encode(text));
}

const GOOD = ['{', '  "version": 1,', '  "input": {"value": {}},', '  "workflow": {"components": [], "entry": "a/b"}'];

describe('the place of a fault for people (documents.md §14)', () => {
  it('is the unknown key, with what the table admits there', async () => {
    const { place } = await explained([...GOOD, '  ,"labls": {}', '}']);
    expect(place).to.deep.include({ line: 5, column: 4, key: '"labls"', unknownKey: 'labls' });
    expect(place?.allowed).to.include('labels');
  });

  it('is the key of a wrong value, below real keys that the pointer hides', async () => {
    const { place } = await explained([...GOOD, '  ,"missions": {"first": {},', '    "second": {"data": []}}', '}']);
    expect(place).to.deep.equal({ line: 6, column: 16, key: '"data"', unknownKey: null, allowed: [] });
  });

  it('is what stands around a missing key', async () => {
    const { place } = await explained(['{', '  "version": 1,', '  "input": {"value": {}},', '  "workflow": {"components": []}', '}']);
    expect(place).to.deep.include({ line: 4, column: 3, key: '"workflow"' });
  });

  it('counts code points', async () => {
    const { place } = await explained([...GOOD, '  ,"$schema": "😀é", "x": 1', '}']);
    expect(place).to.deep.include({ line: 5, column: 21, key: '"x"' });
  });

  it('is the byte at which the text stops being JSON, without its text', async () => {
    const { place } = await explained(['{', '  "a": tru', '}']);
    expect(place).to.deep.equal({ line: 2, column: 8, key: null, unknownKey: null, allowed: [] });
  });

  it('lists independent faults in the order of the document, each once', async () => {
    const { place, further } = await explained(['{', '"version": 2,', '"input": {"value": {}},', '"workflow": {"components": [{"id": 1}], "entry": 5},', '"labls": 1', '}']);
    expect(place).to.deep.include({ line: 4 });
    expect(further.map(({ line, path }) => `${String(line)} ${path}`)).to.include.members(['2 /version', '4 /workflow/entry', '5 ']);
    expect(new Set(further.map(({ line, column }) => `${String(line)}:${String(column)}`)).size).to.equal(further.length);
  });

  it('lists a few of very many', async () => {
    const { further } = await explained(['{', `"version": 1, "input": {"value": {}}, "workflow": {"entry": "a/b", "components": [${'1,'.repeat(90_000)}1]}`, '}']);
    expect(further).to.have.lengthOf(7);
  });

  it('is the start of a span in a source, and none without one', () => {
    const bytes = new TextEncoder().encode('(ns a)\n  (b)');
    const fault: Diagnostic = {
      phase: 'bundle', code: 'syntax_invalid', message: 'm', source: { kind: 'component', name: 'a.clj' }, path: null,
      span: { start_byte: 9, end_byte: 12 }, subject: null, notes: [], retryable: false, provider_activity: false,
    };
    expect(explain(fault, 'a.clj', bytes).place).to.deep.include({ line: 2, column: 3 });
    expect(explain({ ...fault, span: null }, 'a.clj', bytes).place).to.equal(null);
  });
});
