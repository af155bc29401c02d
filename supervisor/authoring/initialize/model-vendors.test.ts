import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_PREFIXES, modelChoice } from './model-vendors.ts';

const PAGE = join(import.meta.dirname, '../../../docs/guides/using-models.md');

/** Cells of the table of vendors; a bar within a cell is escaped. */
function pageRows(): readonly (readonly string[])[] {
  const [, ...lines] = readFileSync(PAGE, 'utf8').split('| Vendor | `model` | Variable | `structured_output_mode` |\n');
  const table = (lines[0] ?? '').split('\n\n')[0] ?? '';
  return table
    .split('\n')
    .slice(1)
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) =>
          cell
            .trim()
            .replaceAll('`', '')
            .replaceAll(String.raw`\|`, '|'),
        ),
    );
}

describe('vendors of models that a new application is written for (first-day.md §1)', () => {
  it('are those of the page, with its variables and modes', () => {
    const rows = pageRows();
    const prefixes = rows.map(([, selector = '']) => selector.slice(0, selector.indexOf(':')));
    expect(prefixes).to.have.members(MODEL_PREFIXES);
    for (const [, selector = '', variable, schemaMode] of rows)
      expect(modelChoice(selector), selector).to.deep.include({ selector, variable, schemaMode });
  });

  for (const [selector, isKeyless] of [
    ['ollama:qwen3', true],
    ['openai-compat:http://127.0.0.1:8000/v1|my-model', true],
    ['openai-compat:http://[::1]:8000/v1|my-model', true],
    ['openai-compat:https://models.example.com/v1|my-model', false],
    ['openai:gpt-5.6-luna', false],
  ] as const) {
    it(`${selector} ${isKeyless ? 'asks for no key' : 'asks for a key'}`, () => {
      expect(modelChoice(selector)).to.deep.include({ isKeyless });
    });
  }

  for (const selector of [
    '',
    'openai',
    'openai:',
    ':gpt',
    'nobody:gpt',
    'toString:gpt',
    'openai:two words',
    'openai-compat:my-model',
    'openai-compat:http://127.0.0.1:8000/v1',
    `openai:${'m'.repeat(256)}`,
  ]) {
    it(`${JSON.stringify(selector).slice(0, 40)} is no selector`, () => {
      expect(modelChoice(selector)).to.equal(null);
    });
  }
});
