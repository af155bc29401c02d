import type { JsonObject } from '../../../../contract/json/value.ts';
import type { Showing, ShownTraceEvent } from '../../../../contract/viewer-answers.ts';
import type { TraceRecord } from '../../../evidence/reader/read-trace.ts';
import { answer } from '../answer.ts';
import { members } from '../members.ts';
import { asks, matchesOf, type Filters, type PublicCollection } from './collection.ts';

const TRACE_VERSION = 2;

/** The events of a run as its trace has them. */
export const activity: PublicCollection = {
  name: 'activity',
  authority: 'public',
  filters: {
    status: 'trace text',
    evaluation_id: 'trace text',
    parent_evaluation_id: 'trace text',
    capability: 'trace text',
    mission_name: 'trace text',
  },
  order: 'sequence',
  identifiers: ['data.evaluation_id', 'data.parent_evaluation_id', 'data.capability_id', 'data.mission_name'],
  completeness: null,
  standardLimit: 20,
  select: ({ events }, filters) => ({
    matches: matchesOf(
      events.filter((event) => isMatch(event, filters)),
      (event) => answer(lineOf(event)),
    ),
  }),
};

function isMatch({ data }: TraceRecord, filters: Filters): boolean {
  return (
    asks(filters, 'status', data.get('status') ?? data.get('outcome') ?? null) &&
    asks(filters, 'evaluation_id', data.get('evaluation_id') ?? null) &&
    asks(filters, 'parent_evaluation_id', data.get('parent_evaluation_id') ?? null) &&
    asks(filters, 'capability', data.get('name') ?? null) &&
    asks(filters, 'mission_name', data.get('mission_name') ?? null)
  );
}

function lineOf({ runId, traceId, sequence, timestamp, type, data }: TraceRecord): JsonObject {
  const line = { schema_version: TRACE_VERSION, run_id: runId, trace_id: traceId, sequence, timestamp, type, data };
  return members(line satisfies Showing<ShownTraceEvent>);
}
