import type { ExampleStep } from './steps.ts';

/** Steps of the tree that debugs a failed run, which read what earlier runs left (cli.md §9). */

const tree = 'debug-a-failed-run';
const text = { $matches: '[^]+' };
const TARGET = [['target.svc-project.json']];
const AMBIGUOUS = [['variants/ambiguous/svc-project.json']];
const evidence = [text, text, text];

export const FAILED_RUN_STEPS: readonly ExampleStep[] = [
  { tree, step: 'target', offline: null, requests: 0, isPrivate: true, exit: 5, failure: 'execution/explicit_failure' },
  {
    tree,
    step: 'debugger',
    offline: null,
    requests: 0,
    captures: TARGET,
    isPrivate: true,
    value: {
      run_id: { $matches: 'cmd-[0-9a-z]{26}' },
      terminal_reason: 'explicit_failure',
      boundary_kind: 'mission',
      nested_evaluations: [
        { evaluation_id: 'mission-evaluation-1', status: 'returned' },
        { evaluation_id: 'mission-evaluation-2', status: 'returned' },
      ],
      generated_source: '(return (pricing.order/total data/params))',
      dependency_closure: ['pricing.order', 'pricing.rule'],
      reached_sources: [
        { component_id: 'pricing.order', source: text },
        { component_id: 'pricing.rule', source: text },
      ],
      closure_complete: true,
      evidence_states: {
        boundary_failure: ['complete'],
        child_evaluations: ['complete'],
        direct_boundary_producer: ['complete'],
        generated_source: ['complete'],
        prelude_sources: ['complete', 'complete'],
      },
      diagnosis: null,
    },
  },
  {
    tree,
    step: 'debugger-agent',
    offline: 'debugger-agent',
    requests: 4,
    captures: TARGET,
    isPrivate: true,
    value: { decision: 'diagnosed', cause: text, component_id: 'pricing.rule', evidence },
  },
  {
    tree,
    step: 'repair-agent',
    offline: 'repair-agent',
    requests: 3,
    captures: TARGET,
    isPrivate: true,
    value: {
      decision: 'propose',
      component_id: 'pricing.rule',
      candidate_source: { $matches: String.raw`\(ns pricing\.rule[^]*\(\+ net 20\)[^]*` },
      reason: text,
      evidence,
    },
  },
  {
    tree,
    step: 'repair-agent-ambiguous',
    offline: 'variants/ambiguous',
    requests: 3,
    captures: AMBIGUOUS,
    isPrivate: true,
    value: { decision: 'abstain', reason: text, evidence: [text, text] },
  },
];

/** Steps that `run-self-improvement.sh` takes, each with what the ones before it made; `offline` as above. */
export const SCRIPTED: readonly Pick<ExampleStep, 'tree' | 'step' | 'offline'>[] = [
  { tree, step: 'self-improver', offline: 'variants/offline/self-improver' },
  { tree, step: 'self-check', offline: null },
  { tree, step: 'self-check-workflow', offline: null },
  { tree, step: 'self-debugger', offline: 'variants/offline/self-debugger' },
  { tree, step: 'self-repair', offline: 'variants/offline/self-repair' },
];
