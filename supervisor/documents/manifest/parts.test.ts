import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { manifestParts } from './parts.ts';

const GOOD = {
  version: 1,
  workflow: { components: [{ library: 'llm' }], entry: 'main/run' },
  input: { path: 'in.json' },
  missions: { m: { providers: ['tools'] } },
  providers: { mission: [{ name: 'tools' }] },
};

function parts(changes: Readonly<Record<string, unknown>>) {
  const value = jsonFromPlain({ ...GOOD, ...changes });
  if (value === undefined) throw new Error('no JSON');
  return manifestParts(value);
}

describe('what of a manifest is well formed', () => {
  it('is all of one that is right', () => {
    const whole = parts({});
    expect([...(whole?.lost ?? ['-'])]).to.deep.equal([]);
    expect(whole?.manifest.workflow.entry).to.equal('main/run');
  });

  it('is every other member beside one that is broken, misspelt or missing', () => {
    const one = parts({ version: 2, labels: 5, wrong: 1 });
    expect([...(one?.lost ?? [])]).to.deep.equal(['version', 'labels']);
    expect(one?.manifest.input).to.deep.equal({ path: 'in.json' });
  });

  it('is the components of a workflow whose entry is wrong, and none of one whose components are', () => {
    expect(parts({ workflow: { ...GOOD.workflow, entry: 'run' } })?.manifest.workflow.components).to.deep.equal([
      { library: 'llm' },
    ]);
    expect(parts({ workflow: { components: [{}], entry: 'main/run' } })?.manifest.workflow.components).to.deep.equal(
      [],
    );
  });

  it('is no grant of selections that are not known', () => {
    expect(parts({ providers: 5 })?.manifest.missions.get('m')?.providers).to.deep.equal([]);
  });

  it('is nothing of a text that is no object', () => {
    expect(manifestParts([])).to.equal(null);
  });
});
