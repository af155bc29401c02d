import { expect } from 'chai';
import { kebabName } from './kebab-name.ts';

describe('the name of a tool in kebab-case', () => {
  for (const [upstream, name] of [
    ['listPets', 'list-pets'],
    ['ListPets', 'list-pets'],
    ['getHTTPResponse', 'get-http-response'],
    ['repos/list-for-org', 'repos-list-for-org'],
    ['pets_get_by_id', 'pets-get-by-id'],
    ['v1.pets.list', 'v1-pets-list'],
    ['GET /pets/{petId}', 'get-pets-pet-id'],
    ['naïveCafé', 'naive-cafe'],
    ['a'.repeat(128), 'a'.repeat(128)],
    ['a'.repeat(129), null],
    ['2fa', null],
    ['猫', null],
    ['', null],
  ] as const) {
    it(`of ${upstream.slice(0, 20)} is ${String(name).slice(0, 20)}`, () => {
      expect(kebabName(upstream)).to.equal(name);
    });
  }
});
