/** Every shipped example that a command can run has cases, and they pass (first-day.md §2). */
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { PROGRAM } from '../cli/program.ts';
import { runResident } from '../cli/resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const ENVIRONMENT = { PATH: [dirname(PROGRAM), process.env['PATH'] ?? ''].join(delimiter) };

/** Trees that no command can run as they are: their functions are those of the program that embeds them. */
const EMBEDDED: ReadonlySet<string> = new Set(['custom-capabilities']);

/** Documents with cases: projects that name some, and those whose folder has some beside them. */
function testedDocuments(tree: string): readonly string[] {
  return readdirSync(join(EXAMPLES, tree), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?:^|[./])(?:svc-project|svc)\.json$/u.test(path) && !path.includes('.svc/'))
    .filter((path) => {
      const document = Object(JSON.parse(readFileSync(join(EXAMPLES, tree, path), 'utf8')));
      if (document.tests !== undefined) return true;
      const folder = join(EXAMPLES, tree, dirname(path));
      const isNamedElsewhere = document.kind !== 'svc-project' && isOfProject(tree, path);
      return !isNamedElsewhere && existsSync(join(folder, 'tests'));
    })
    .toSorted();
}

/** Whether a project of the tree is about this manifest. */
function isOfProject(tree: string, manifest: string): boolean {
  return readdirSync(join(EXAMPLES, tree), { encoding: 'utf8' })
    .filter((name) => name.endsWith('svc-project.json'))
    .some((name) => Object(JSON.parse(readFileSync(join(EXAMPLES, tree, name), 'utf8'))).application.path === manifest);
}

describe('cases of the examples (first-day.md §2)', () => {
  let directory: string;
  beforeEach(() => {
    directory = makeWorkDirectory();
  });
  afterEach(() => {
    removeWorkDirectory(directory);
  });

  const trees = readdirSync(EXAMPLES).filter((tree) => !EMBEDDED.has(tree));
  for (const tree of trees) {
    const documents = testedDocuments(tree);
    it(`${tree} has some`, () => {
      expect(documents).not.to.deep.equal([]);
    });

    for (const document of documents) {
      it(`${tree}/${document}`, async () => {
        cpSync(join(EXAMPLES, tree), join(directory, tree), {
          recursive: true,
          filter: (path) => !path.slice(EXAMPLES.length).includes('/.'),
        });
        // One of them is refused by its budget before it asks anybody; the key is nobody's.
        writeFileSync(join(directory, tree, '.env'), 'OPENROUTER_API_KEY=none\n');
        const { status, stdout, stderr } = await runResident({
          argv: ['test', document, '--json', ...(document.includes('cost-budget') ? ['--live'] : [])],
          directory: join(directory, tree),
          environment: ENVIRONMENT,
        });
        expect(stderr).to.equal('');
        const { totals, cases } = Object(JSON.parse(stdout));
        expect(totals, JSON.stringify(cases)).to.deep.include({ failed: 0, skipped: 0 });
        expect(totals.passed).to.be.greaterThan(0);
        expect(status).to.equal(0);
      });
    }
  }
});
