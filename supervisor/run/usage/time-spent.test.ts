import { expect } from 'chai';
import { members } from '../../history/analysis/members.ts';
import type { TraceEvent } from '../../evidence/event.ts';
import { TimeSpent } from './time-spent.ts';

function event(type: TraceEvent['type'], data: Readonly<Record<string, string>>): TraceEvent {
  return { type, data: members(data) };
}

const model = (id: string) => ({ capability_id: id, name: 'llm-request', alias: 'small', environment: 'workflow' });

describe('what the time of a run went to', () => {
  it('counts the time in which at least one call of a kind was under way', () => {
    const spent = new TimeSpent();
    spent.note(event('capability-started', model('a')), 100);
    spent.note(event('capability-started', model('b')), 150);
    spent.note(event('capability-stopped', model('a')), 200);
    spent.note(event('capability-stopped', model('b')), 300);
    spent.note(event('capability-started', model('c')), 400);
    expect(spent.shares(450)).to.deep.equal([{ what: 'llm-request (alias small)', count: 3, ms: 250 }]);
  });

  it('keeps calls and the programs of missions apart, the largest first', () => {
    const spent = new TimeSpent();
    spent.note(event('evaluation-started', { evaluation_id: 'w', environment: 'workflow' }), 0);
    spent.note(event('capability-started', { capability_id: 'k', name: 'kernel-eval', environment: 'workflow' }), 0);
    spent.note(event('evaluation-started', { evaluation_id: 'm', environment: 'mission', mission_name: 'room' }), 10);
    spent.note(
      event('capability-started', {
        capability_id: 't',
        name: 'read-file',
        environment: 'mission',
        mission_name: 'room',
      }),
      20,
    );
    spent.note(event('capability-stopped', { capability_id: 't', name: 'read-file' }), 25);
    spent.note(event('evaluation-stopped', { evaluation_id: 'm' }), 90);
    expect(spent.shares(100)).to.deep.equal([
      { what: 'programs of mission room', count: 1, ms: 80 },
      { what: 'read-file', count: 1, ms: 5 },
    ]);
  });

  it('is nothing where nothing was waited for, and takes no end without a start', () => {
    const spent = new TimeSpent();
    spent.note(event('capability-stopped', model('a')), 5);
    spent.note(event('run-stopped', {}), 6);
    expect(spent.shares(10)).to.deep.equal([]);
  });
});
