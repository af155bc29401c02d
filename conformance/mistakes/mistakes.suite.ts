import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkEnvelope } from '../envelopes/checker/check-envelope.ts';
import { observe } from './forms.ts';
import { parseMistakes } from './mistake.ts';

for (const file of readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.json'))
  .toSorted()) {
  const group = parseMistakes(readFileSync(join(import.meta.dirname, file), 'utf8'));
  describe(`${group.about} (${file})`, () => {
    for (const mistake of group.mistakes) {
      it(mistake.name, async () => {
        const { forms, statuses, coloured, whole, published } = await observe(group, mistake);
        const { status, terminal, pipe, envelope } = mistake;
        expect(forms).to.deep.equal({ status, terminal, pipe, envelope });
        expect(new Set(statuses)).to.deep.equal(new Set([status]));
        if (whole !== null) expect(checkEnvelope(whole)).to.deep.equal([]);
        // Exact colours are a matter of unit tests: here, that a terminal gets some, and a script none.
        if (terminal.some((line) => line.startsWith('error:')))
          expect(coloured).to.match(/^\u001b\[31merror:\u001b\[39m/m);
        expect(published).not.to.match(/\u001b/);
        for (const text of mistake.never) expect(published).not.to.include(text);
      });
    }
  });
}
