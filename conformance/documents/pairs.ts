import { caseGroups, type DocumentCase, type ExpectedDiagnostic } from './document-case.ts';

/**
 * One case for each step of documents.md §12 and runtime.md §1 up to the destinations, in the order of the checks, by
 * `file: name`. Any two of them that can stand in one application must tell the earlier.
 */
const STEPS: readonly string[] = [
  'arguments.json: an unknown option',
  'arguments.json: an option twice',
  'arguments.json: both outputs',
  'arguments.json: an envelope that exists',
  'project.json: a repeated member',
  'project.json: an inspection without a trace',
  'project.json: no application',
  'host.json: a missing file',
  'host.json: not JSON',
  'host.json: no revision',
  'host.json: endpoint: another scheme',
  'host.json: an unknown member of an installation',
  'host.json: a limit of nothing',
  'host.json: a credential file outside',
  'host.json: a dangling credential',
  'application.json: no manifest',
  'application.json: a trailing comma',
  'application.json: a repeated member',
  'application.json: an unknown member',
  'application.json: 129 components in all',
  'application.json: a component twice',
  'input.json: an inline value that is a list',
  'application.json: a selection twice',
  'application.json: a mission provider that nobody selects',
  'application.json: a limit above its ceiling',
  'application.json: a component that is missing',
  'application.json: an input contract that is missing',
  'contracts.json: a result contract',
  'application.json: a component of a mission that is missing',
  'application.json: events that do not fit',
  'application.json: a chosen input that is missing',
  'input.json: a chosen file that is no JSON',
  'override.json: no descriptor',
  'override.json: an unknown member',
  'override.json: a candidate that is empty',
  'contracts.json: contracts too large to be put into a prompt',
  'application.json: an event identity in a run with a trace',
  'bundle.json: an open list',
  'bundle.json: a fault in a mission',
  'bundle.json: an entry that does not exist',
  'providers.json: a provider that is not installed',
  'providers.json: the second of two',
  'destinations.json: a trace where others may write',
  'destinations.json: an inspection below a missing directory',
  'destinations.json: a result that exists',
];

/** Later steps that each step is tried with: those next to it that can stand beside it. */
const NEIGHBOURS = 3;

/** Pairs in which the earlier fault stands in the same application as the later one. */
export function pairs(): readonly DocumentCase[] {
  const all = new Map<string, DocumentCase>(
    caseGroups().flatMap(({ file, cases }) => cases.map((one) => [`${file}: ${one.name}`, one] as const)),
  );
  const steps = STEPS.map((name) => {
    const one = all.get(name);
    if (one?.expected === undefined || one.expected === null || one.line !== null)
      throw new Error(`no such fault: ${name}`);
    return { ...one, name, expected: one.expected };
  });
  return steps.flatMap((first, index) =>
    steps
      .slice(index + 1)
      .filter((second) => canCombine(first, second))
      .slice(0, NEIGHBOURS)
      .map((second) => together(first, second)),
  );
}

interface Fault extends DocumentCase {
  readonly expected: ExpectedDiagnostic;
}

/** Whether neither edits what the other edits, replaces its files, or gives its options again. */
function canCombine(first: Fault, second: Fault): boolean {
  const [one, other] = [placesOf(first), placesOf(second)];
  return !one.some((place) =>
    other.some((at) => place === at || place.startsWith(`${at}/`) || at.startsWith(`${place}/`)),
  );
}

const FILE_OF: Readonly<Record<string, string>> = {
  manifest: 'svc.json',
  host: 'host.json',
  project: 'project.json',
  override: 'override.json',
};

function placesOf({ edits, files, argv }: DocumentCase): readonly string[] {
  const edited = Object.keys(edits).map((edit) => {
    const [document = '', pointer = ''] = edit.split(' ');
    return `${FILE_OF[document] ?? ''}${pointer}`;
  });
  return [
    ...edited,
    ...Object.keys(files),
    ...argv.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0] ?? ''),
  ];
}

function together(first: Fault, second: Fault): DocumentCase {
  return {
    ...first,
    name: `${first.name} | ${second.name}`,
    command: [first, second].some(({ command }) => command === 'run') ? 'run' : 'validate',
    uses: [...new Set([...first.uses, ...second.uses])],
    edits: { ...first.edits, ...second.edits },
    files: { ...first.files, ...second.files },
    argv: [...first.argv, ...second.argv],
  };
}
