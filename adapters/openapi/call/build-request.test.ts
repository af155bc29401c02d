import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import type { Operation, OperationParameter } from '../document/operation.ts';
import { buildRequest, type BuiltRequest } from './build-request.ts';

function argumentsOf(plain: Readonly<Record<string, unknown>>): JsonObject {
  const json = jsonFromPlain(plain);
  if (!isJsonObject(json)) throw new Error('arguments are an object');
  return json;
}

const parameter = (more: Partial<OperationParameter>): OperationParameter => ({
  property: 'p',
  name: 'p',
  place: 'query',
  style: 'form',
  isExploded: true,
  allowsReserved: false,
  isRequired: false,
  ...more,
});
const operation = (parameters: readonly OperationParameter[], more: Partial<Operation> = {}): Operation => ({
  method: 'GET',
  path: '/a',
  parameters,
  body: null,
  ...more,
});
const build = (one: Partial<OperationParameter>, value: unknown, path = '/a'): BuiltRequest =>
  buildRequest(operation([parameter(one)], { path }), argumentsOf({ p: value }));
const pathOf = (built: BuiltRequest): string => (built.ok ? built.request.path : built.words);

const LIST = ['x', 'y z'];
const OBJECT = { k: 1, l: 'b c' };

/** Place, style, whether exploded, value, and what is sent (OpenAPI, "Style Examples"). */
const WRITTEN: readonly (readonly [
  OperationParameter['place'],
  OperationParameter['style'],
  boolean,
  unknown,
  string,
])[] = [
  ['query', 'form', true, 'a&b=c', '/a?p=a%26b%3Dc'],
  ['query', 'form', true, '', '/a?p='],
  ['query', 'form', true, 7, '/a?p=7'],
  ['query', 'form', true, true, '/a?p=true'],
  ['query', 'form', true, LIST, '/a?p=x&p=y%20z'],
  ['query', 'form', false, LIST, '/a?p=x,y%20z'],
  ['query', 'form', true, OBJECT, '/a?k=1&l=b%20c'],
  ['query', 'form', false, OBJECT, '/a?p=k,1,l,b%20c'],
  ['query', 'spaceDelimited', false, LIST, '/a?p=x%20y%20z'],
  ['query', 'pipeDelimited', false, LIST, '/a?p=x%7Cy%20z'],
  ['query', 'deepObject', true, OBJECT, '/a?p[k]=1&p[l]=b%20c'],
  ['query', 'deepObject', true, { a: { b: [1, 2] } }, '/a?p[a][b][]=1&p[a][b][]=2'],
  ['query', 'json', true, { a: [1] }, '/a?p=%7B%22a%22%3A%5B1%5D%7D'],
  ['query', 'form', true, [], '/a'],
  ['path', 'simple', false, 'a/b?c', '/a%2Fb%3Fc/z'],
  ['path', 'simple', false, LIST, '/x,y%20z/z'],
  ['path', 'simple', false, OBJECT, '/k,1,l,b%20c/z'],
  ['path', 'simple', true, OBJECT, '/k=1,l=b%20c/z'],
  ['path', 'label', false, LIST, '/.x,y%20z/z'],
  ['path', 'label', true, LIST, '/.x.y%20z/z'],
  ['path', 'matrix', false, LIST, '/;p=x,y%20z/z'],
  ['path', 'matrix', true, LIST, '/;p=x;p=y%20z/z'],
  ['path', 'matrix', true, OBJECT, '/;k=1;l=b%20c/z'],
];

describe('the request that arguments make of an operation', () => {
  for (const [place, style, isExploded, value, path] of WRITTEN) {
    it(`writes ${JSON.stringify(value)} as ${path}`, () => {
      const template = place === 'path' ? '/{p}/z' : '/a';
      expect(pathOf(build({ place, style, isExploded }, value, template))).to.equal(path);
    });
  }

  it('leaves what is reserved where the document says so, but for what ends a value', () => {
    expect(pathOf(build({ allowsReserved: true }, 'a/b?c:d@e,f;g=h&i#j+k'))).to.equal(
      '/a?p=a/b?c:d@e,f;g=h%26i%23j%2Bk',
    );
  });

  for (const value of ['..', '.', '%2e%2e', '.%2E', '../../admin']) {
    it(`does not lead elsewhere by ${value}`, () => {
      const path = pathOf(build({ place: 'path', style: 'simple' }, value, '/x/{p}/z'));
      expect(
        path === 'the path would lead elsewhere' || new URL(path, 'http://h').pathname.split('/').length === 4,
      ).to.equal(true);
    });
  }

  for (const value of ['..', '.']) {
    it(`refuses ${value} as a segment`, () => {
      expect(pathOf(build({ place: 'path', style: 'simple' }, value, '/x/{p}'))).to.equal(
        'the path would lead elsewhere',
      );
    });
  }

  it('refuses an empty segment, a missing argument, a URL that is too long', () => {
    expect(pathOf(build({ place: 'path', style: 'simple' }, '', '/{p}'))).to.equal(
      'p is empty, but is part of the path',
    );
    expect(buildRequest(operation([parameter({ isRequired: true })]), argumentsOf({}))).to.deep.equal({
      ok: false,
      words: 'p is missing',
    });
    expect(pathOf(build({}, 'x'.repeat(20_000)))).to.equal('the URL is longer than 16384 bytes');
  });

  it('leaves out what is null and not required', () => {
    expect(pathOf(build({}, null))).to.equal('/a');
  });

  it('writes headers and cookies, and refuses the end of a header', () => {
    const parameters = [
      parameter({ property: 'h', name: 'X-H', place: 'header', style: 'simple' }),
      parameter({ property: 'c', name: 'c', place: 'cookie' }),
      parameter({ property: 'd', name: 'd', place: 'cookie' }),
    ];
    const built = buildRequest(operation(parameters), argumentsOf({ h: ['a', 'b'], c: 'x;y', d: 1 }));
    expect(built.ok && built.request.headers).to.deep.equal({ 'x-h': 'a,b', cookie: 'c=x%3By; d=1' });
    expect(buildRequest(operation(parameters), argumentsOf({ h: 'a\r\nx: y' }))).to.deep.equal({
      ok: false,
      words: 'h cannot stand in a header',
    });
  });

  it('sends a body of JSON, null and false among it, and none that is not given', () => {
    const one = operation([], {
      method: 'POST',
      body: { mediaType: 'application/x+json', isRequired: false, form: null },
    });
    const bodyOf = (plain: Readonly<Record<string, unknown>>): unknown => {
      const built = buildRequest(one, argumentsOf(plain));
      return built.ok && [built.request.body, built.request.headers['content-type']];
    };
    expect(bodyOf({ body: { b: 1, a: 1.5 } })).to.deep.equal(['{"a":1.5,"b":1}', 'application/x+json']);
    expect(bodyOf({ body: null })).to.deep.equal(['null', 'application/x+json']);
    expect(bodyOf({ body: false })).to.deep.equal(['false', 'application/x+json']);
    expect(bodyOf({})).to.deep.equal([null, undefined]);
  });

  describe('a form', () => {
    const form = { mediaType: 'application/x-www-form-urlencoded', isRequired: true } as const;
    const sent = (content: unknown, written: NonNullable<Operation['body']>['form'] = []): unknown => {
      const built = buildRequest(
        operation([], { method: 'POST', body: { ...form, form: written } }),
        argumentsOf({ body: content }),
      );
      return built.ok ? [built.request.body, built.request.headers['content-type']] : built.words;
    };

    it('has values as they are, lists as repeated names, objects as JSON', () => {
      expect(sent({ a: 'x&y=z ü', n: 1.5, b: true, z: null, l: LIST, o: OBJECT })).to.deep.equal([
        'a=x%26y%3Dz%20%C3%BC&n=1.5&b=true&z=&l=x&l=y%20z&o=%7B%22k%22%3A1%2C%22l%22%3A%22b%20c%22%7D',
        'application/x-www-form-urlencoded',
      ]);
      expect(sent({})).to.deep.equal(['', 'application/x-www-form-urlencoded']);
    });

    it('has members as the document writes them', () => {
      const written = [
        { name: 'o', style: 'deepObject', isExploded: true },
        { name: 'l', style: 'form', isExploded: false },
        { name: 'j', style: 'json', isExploded: false },
      ] as const;
      expect(sent({ o: OBJECT, l: LIST, j: LIST }, written)).to.deep.equal([
        'o[k]=1&o[l]=b%20c&l=x,y%20z&j=%5B%22x%22%2C%22y%20z%22%5D',
        'application/x-www-form-urlencoded',
      ]);
    });

    it('is made of objects alone', () => {
      expect(sent(['a'])).to.equal('body is no object, and is sent as a form');
    });
  });
});
