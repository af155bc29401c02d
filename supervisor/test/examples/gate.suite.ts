/**
 * What an example shows its models may be written anew from its own source: it passes the gate that a candidate has to
 * pass.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');

interface Shown {
  /** The project that runs it where there is one, so that its providers are installed; else the manifest. */
  readonly document: string;
  readonly mission: string;
  readonly component: string;
  readonly source: string;
}

/** Components of missions that have a file: what a prompt can show. */
function shownComponents(): readonly Shown[] {
  const documents = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json') && !path.includes('.svc/'))
    .toSorted();
  const read = (path: string) => Object(JSON.parse(readFileSync(join(EXAMPLES, path), 'utf8')));
  const projects = documents
    .map((path) => ({ path, document: read(path) }))
    .filter(({ document }) => document.kind === 'svc-project');
  return documents
    .filter((path) => /(?:^|[./])svc\.json$/.test(path))
    .flatMap((manifest) => {
      const project = projects.find(
        ({ path, document }) => join(dirname(path), document.application.path) === manifest,
      );
      const missions: Readonly<
        Record<string, { readonly components?: readonly { readonly id: string; readonly path?: string }[] }>
      > = read(manifest).missions ?? {};
      return Object.entries(missions).flatMap(([mission, { components = [] }]) =>
        components.flatMap(({ id, path }) =>
          path === undefined
            ? []
            : [{ document: project?.path ?? manifest, mission, component: id, source: join(dirname(manifest), path) }],
        ),
      );
    });
}

describe('components that examples show to models (cli.md §10, the gate)', () => {
  const shown = shownComponents();
  let out: string;
  before(() => {
    out = makeWorkDirectory({});
  });
  after(() => {
    removeWorkDirectory(out);
  });

  it('are found', () => {
    expect(shown.map(({ source }) => source)).to.include.members([
      'support-triage/02-domain-api/tickets.clj',
      'support-triage/03-specialists/playbook.clj',
    ]);
  });

  for (const [place, { document, mission, component, source }] of shown.entries()) {
    it(`${component} of ${mission} in ${document}`, async () => {
      const argv = [
        'materialize',
        document,
        '--target-mission',
        mission,
        '--component',
        component,
        '--out',
        join(out, `candidate-${place}`),
        '--source',
        join(EXAMPLES, source),
      ];
      const { status, stderr } = await runToEnd({ argv, directory: EXAMPLES });
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    });
  }
});
