import { useEffect, useState } from 'preact/hooks';
import { configuration } from '../configuration.ts';
import type { Approvals } from '../data.ts';
import { ask } from '../source.ts';
import { count } from '../text.ts';

const LOOK_MS = 1000;

interface Looked {
  /** Null before the first answer. */
  readonly answer: Approvals | null;
  readonly fault: Error | null;
  /** Asks at once. */
  readonly reload: () => void;
}

/** What waits for a person, asked again and again while it is shown. */
export function useApprovals(): Looked {
  const [answer, setAnswer] = useState<Approvals | null>(null);
  const [fault, setFault] = useState<Error | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isShown = true;
    const look = async (): Promise<void> => {
      try {
        const looked = await ask<Approvals>('/api/approvals');
        if (!isShown) return;
        setAnswer(looked);
        setFault(null);
      } catch (error) {
        if (isShown) setFault(error instanceof Error ? error : new Error(String(error)));
      }
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, [round]);
  return {
    answer,
    fault,
    reload: () => {
      setRound(round + 1);
    },
  };
}

/** That a run waits, and where to answer it. */
export function WaitingBanner({ runId }: { readonly runId: string }) {
  const { answer } = useApprovals();
  const waiting = (answer?.approvals ?? []).filter(({ run_ref: run }) => run === runId);
  return <WaitingNotice waiting={waiting.length} />;
}

/** The same where the number is known. */
export function WaitingNotice({ waiting }: { readonly waiting: number }) {
  if (waiting === 0) return null;
  return (
    <p class="notice waiting" role="status">
      {count(waiting)} {waiting === 1 ? 'call waits' : 'calls wait'} for a person.{' '}
      <a href="#/approvals">{configuration().approvals_enabled === true ? 'Decide' : 'Look'}</a>
    </p>
  );
}
