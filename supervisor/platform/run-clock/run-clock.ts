import { LONGEST_TIMER_MS } from '../../../contract/limits/longest-timer.ts';
import { systemClock, type Clock } from '../../../system/clock.ts';
import { RUNNING_CLOCK, runTimeAt, stepRunClock } from './machine.ts';

/**
 * The time on which the limits of one run count (approvals.md §9). `monotonic` stands still while the run waits for a
 * person and none of it works; `wall` never does.
 */
export interface RunClock extends Clock {
  /** Acts after so many milliseconds of this clock, unless cancelled by what it returns. */
  after(milliseconds: number, act: () => void): () => void;
  /** Something of the run works until what it returns is called; a second call does nothing. */
  work(): () => void;
  /** Something of the run waits for a person until what it returns is called; a second call does nothing. */
  wait(): () => void;
  /** Whether it stands still now. */
  isStill(): boolean;
  /** Acts each time that the clock has stood still for so many milliseconds of the machine in one stretch. */
  whenStill(milliseconds: number, act: () => void): void;
  /** Goes forward to this time if it is not that late yet, rings what is due, and stands still no more. */
  jump(to: number): void;
}

type Began = 'work_began' | 'wait_began';
type Ended = 'work_ended' | 'wait_ended';

interface Alarm {
  /** On this clock. */
  readonly at: number;
  readonly act: () => void;
  timer: NodeJS.Timeout | undefined;
}

interface StillAlarm {
  readonly milliseconds: number;
  readonly act: () => void;
  timer: NodeJS.Timeout | undefined;
}

/** Opens the clock of one run over that of the machine. */
export function openRunClock(machine: Clock = systemClock): RunClock {
  let state = RUNNING_CLOCK;
  const alarms = new Set<Alarm>();
  const stillAlarms: StillAlarm[] = [];

  const monotonic = (): number => runTimeAt(state, machine.monotonic());

  function set(alarm: Alarm): void {
    const left = Math.max(0, Math.ceil(alarm.at - monotonic()));
    alarm.timer = setTimeout(() => ring(alarm), Math.min(LONGEST_TIMER_MS, left));
  }

  function ring(alarm: Alarm): void {
    // A timer may be early by a fraction, and cannot be set to more than 24 days.
    if (Math.ceil(alarm.at - monotonic()) > 0) return set(alarm);
    alarms.delete(alarm);
    alarm.act();
  }

  function step(event: Began | Ended): void {
    const didStand = state.stoppedAt !== null;
    state = stepRunClock(state, { event, now: machine.monotonic() });
    const stands = state.stoppedAt !== null;
    if (stands === didStand) return;
    for (const alarm of alarms) {
      if (stands) clearTimeout(alarm.timer);
      else set(alarm);
    }
    for (const alarm of stillAlarms) {
      clearTimeout(alarm.timer);
      if (stands) alarm.timer = setTimeout(alarm.act, alarm.milliseconds);
    }
  }

  function during(began: Began, ended: Ended): () => void {
    let isOver = false;
    step(began);
    return () => {
      if (isOver) return;
      isOver = true;
      step(ended);
    };
  }

  return {
    monotonic,
    wall: () => machine.wall(),
    after: (milliseconds, act) => {
      const alarm: Alarm = { at: monotonic() + milliseconds, act, timer: undefined };
      alarms.add(alarm);
      if (state.stoppedAt === null) set(alarm);
      return () => {
        clearTimeout(alarm.timer);
        alarms.delete(alarm);
      };
    },
    work: () => during('work_began', 'work_ended'),
    wait: () => during('wait_began', 'wait_ended'),
    isStill: () => state.stoppedAt !== null,
    whenStill: (milliseconds, act) => {
      const alarm: StillAlarm = { milliseconds, act, timer: undefined };
      stillAlarms.push(alarm);
      if (state.stoppedAt !== null) alarm.timer = setTimeout(act, milliseconds);
    },
    jump: (to) => {
      state = stepRunClock(state, { event: 'jumped', to, now: machine.monotonic() });
      for (const { timer } of stillAlarms) clearTimeout(timer);
      for (const alarm of alarms) {
        clearTimeout(alarm.timer);
        set(alarm);
      }
    },
  };
}
