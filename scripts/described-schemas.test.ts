import { expect } from 'chai';
import { plainFromJson } from '../contract/json/plain.ts';
import { publishedSchemas } from '../supervisor/documents/published-schemas.ts';
import { envelopeSchema } from '../contract/envelope/schema.ts';
import { publishedHelpResults } from '../cli/declaration/help-results.ts';
import { describedSchemas, titleOf } from './described-schemas.ts';
import { ENVELOPE_WORDS, describedEnvelope } from './envelope-words.ts';

/** The members that a schema names, with the path to each. */
function membersOf(schema: unknown, at = ''): readonly (readonly [path: string, member: unknown])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, unknown])[] => {
    if (keyword === 'properties')
      return Object.entries(Object(value)).flatMap(
        ([name, member]) => [[`${at}/${name}`, member], ...membersOf(member, `${at}/${name}`)] as const,
      );
    return typeof value === 'object' ? membersOf(value, `${at}/${keyword}`) : [];
  });
}

/** Without what people alone read. */
function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => (name !== 'description' && name !== 'title') || typeof value !== 'string')
      .map(([name, value]) => [name, bare(value)]),
  );
}

function expectExplained(schema: unknown): void {
  const members = membersOf(schema);
  expect(members.length).to.be.greaterThan(5);
  for (const [path, member] of members) expect(Object(member).title, path).to.match(/^[A-Z][A-Za-z ]*$/);
  for (const [path, member] of members)
    expect(Object(member).description, path)
      .to.be.a('string')
      .that.matches(/^[^\n]{5,}$/)
      .and.not.matches(/\]\(/);
}

describe('the title of a member', () => {
  for (const [name, title] of [
    ['run_duration_ms', 'Run duration milliseconds'],
    ['llm_cost_microusd', 'LLM cost microdollars'],
    ['$schema', 'Schema'],
    ['path', 'Path'],
    ['env_file', 'Environment file'],
  ] as const) {
    it(`${name} is ${title}`, () => {
      expect(titleOf(name)).to.equal(title);
    });
  }
});

describe('published schemas (documents.md §14.1)', () => {
  const published = publishedSchemas();
  for (const [name, schema] of Object.entries(describedSchemas(published))) {
    it(`${name} explains each of its members, and admits what it admitted`, () => {
      expectExplained(plainFromJson(schema));
      expect(bare(plainFromJson(schema))).to.deep.equal(
        bare(plainFromJson(Object.entries(published).find(([known]) => known === name)?.[1] ?? null)),
      );
    });
  }

  it('envelope explains each of its members, and admits what it admitted', () => {
    const plain: unknown = envelopeSchema(publishedHelpResults());
    const reported = describedEnvelope(Object(plain));
    expectExplained(reported);
    expect(bare(reported)).to.deep.equal(bare(plain));
  });

  it('envelope is told of in no word that nothing has', () => {
    const paths = membersOf(envelopeSchema(publishedHelpResults())).map(([path]) =>
      path
        .replaceAll(/\/(?:\$defs|anyOf|items|prefixItems|not|contains|allOf)(?=\/)|\/\d+(?=\/)/g, '')
        .replaceAll(/\/patternProperties\/[^/]*(?:\/[^/]*?\$)?(?=\/)/g, '/*')
        .split('/')
        .join('.'),
    );
    expect([...ENVELOPE_WORDS.keys()].filter((word) => !paths.some((path) => path.endsWith(`.${word}`)))).to.deep.equal(
      [],
    );
  });
});
