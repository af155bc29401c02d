import type { JsonObject } from '../../contract/json/value.ts';
import { jsonSchema } from './fields/json-schema.ts';
import { CASES } from './cases/fields.ts';
import { GATEWAY, GATEWAY_SCHEMA } from './gateway/fields.ts';
import { HOST } from './host/fields.ts';
import { MANIFEST } from './manifest/fields.ts';
import { OVERRIDE } from './override/fields.ts';
import { PROJECT } from './project/fields.ts';

/** The documents' JSON Schemas by name, made from the tables that load them (documents.md §14.1). */
export function publishedSchemas(): Readonly<
  Record<'manifest' | 'project' | 'host' | 'gateway' | 'component-override' | 'tests', JsonObject>
> {
  return {
    manifest: jsonSchema({ name: 'manifest', major: 1, title: 'svc application manifest' }, MANIFEST),
    project: jsonSchema({ name: 'project', major: 1, title: 'svc project' }, PROJECT),
    host: jsonSchema({ name: 'host', major: 1, title: 'svc host installations' }, HOST),
    gateway: jsonSchema({ ...GATEWAY_SCHEMA, title: 'svc gateway configuration' }, GATEWAY),
    'component-override': jsonSchema(
      { name: 'component-override', major: 1, title: 'svc component override' },
      OVERRIDE,
    ),
    tests: jsonSchema({ name: 'tests', major: 1, title: 'svc tests of an application' }, CASES),
  };
}
