import { expect } from 'chai';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSchemas, type WriteSchemasOutcome } from './write-schemas.ts';

describe('svc schemas (first-day.md §1)', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'svc-schemas-'));
    mkdirSync(join(root, 'program/schemas'), { recursive: true });
    for (const name of ['manifest', 'project', 'envelope'])
      writeFileSync(join(root, `program/schemas/${name}.json`), JSON.stringify({ title: name }));
    writeFileSync(join(root, 'program/schemas/validators.cjs'), '');
    mkdirSync(join(root, 'work'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const written = async (directory: string): Promise<WriteSchemasOutcome> =>
    writeSchemas({
      directory: join(root, directory),
      workingDirectory: join(root, 'work'),
      programDirectory: join(root, 'program'),
    });

  const linked = (directory: string): unknown =>
    JSON.parse(readFileSync(join(root, directory, 'vscode-settings.json'), 'utf8'));

  it('writes every schema, and which documents it is of', async () => {
    const names = ['envelope.schema.json', 'manifest.schema.json', 'project.schema.json', 'vscode-settings.json'];
    expect(await written('work/schemas')).to.deep.equal({ ok: true, written: names });
    expect(readdirSync(join(root, 'work/schemas')).toSorted()).to.deep.equal(names);
    expect(readFileSync(join(root, 'work/schemas/project.schema.json'), 'utf8')).to.equal('{"title":"project"}');
    expect(linked('work/schemas')).to.deep.equal({
      'json.schemas': [
        { fileMatch: ['svc.json', '*.svc.json'], url: './schemas/manifest.schema.json' },
        { fileMatch: ['svc-project.json', '*.svc-project.json'], url: './schemas/project.schema.json' },
      ],
    });
  });

  it('names a directory elsewhere by its whole path', async () => {
    await written('elsewhere');
    expect(JSON.stringify(linked('elsewhere'))).to.include(`"${join(root, 'elsewhere')}/manifest.schema.json"`);
  });

  it('replaces nothing, and needs a parent', async () => {
    writeFileSync(join(root, 'work/kept'), '');
    expect((await written('work')).ok).to.equal(false);
    expect(readdirSync(join(root, 'work'))).to.deep.equal(['kept']);
    const end = await written('work/none/schemas');
    expect(end.ok ? null : end.hint).to.equal('its parent directory does not exist');
  });
});
