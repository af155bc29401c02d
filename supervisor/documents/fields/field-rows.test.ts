import { expect } from 'chai';
import { HOST } from '../host/fields.ts';
import { MANIFEST } from '../manifest/fields.ts';
import { fieldRows } from './field-rows.ts';

describe('field tables for reference pages (documents.md §14.1)', () => {
  const rows = new Map(fieldRows(MANIFEST).map((row) => [row.field, row]));

  it('tell type, bounds and default', () => {
    expect(rows.get('workflow.components')).to.deep.equal({
      field: 'workflow.components',
      type: 'list of 0 to 128: object, one of several forms',
      required: true,
      standard: null,
    });
    expect(rows.get('workflow.components[].dependencies')).to.deep.include({ required: false, standard: '[]' });
    expect(rows.get('events.policy')).to.deep.include({ type: '"normal" or "private"', standard: '"normal"' });
    expect(rows.get('missions.*.providers')).to.deep.include({ type: 'list of 0 to 32: string, 1 to 128 bytes' });
    expect(rows.get('limits.run_duration_ms')).to.deep.include({ type: 'integer, 1 to 2592000000', required: false });
  });

  it('hold every branch', () => {
    const fields = fieldRows(HOST).map(({ field }) => field);
    expect(fields).to.include.members([
      'install.*.model',
      'install.*.fixtures',
      'install.*.transport.oauth.client.client_id',
      'credentials.*.env',
      'credentials.*.literal',
    ]);
  });
});
