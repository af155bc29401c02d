import { expect } from 'chai';
import { unknownModels } from './model-names.ts';

describe('the names of models in pages', () => {
  const rows: readonly (readonly [text: string, named: number, unknown: readonly string[]])[] = [
    ['"model": "openai:gpt-5-mini",', 1, []],
    ['openrouter:deepseek/deepseek-v4-flash or anthropic:claude-haiku-4-5.', 2, []],
    ['`openai:gpt-17`', 1, ['openai:gpt-17']],
    ['ollama:whatever and openai-compat:http://127.0.0.1:8000/v1|m have no price list', 0, []],
    ['my-openai:gpt-17 is none', 0, []],
  ];
  for (const [text, named, unknown] of rows) {
    it(text, () => expect(unknownModels(text)).to.deep.equal({ named, unknown }));
  }
});
