import type { ModelStep } from '../../../../conformance/servers/llm/script.ts';
import { program, type RecordedStep } from '../recorded-step.ts';

/** An answer of the agent whose task names a document; agents ask side by side. */
function about(document: string, text: string): ModelStep {
  return { ...program(text), match: { contains: `the text of ${document}.` } };
}

const READ = 'data/document';

export const FAN_OUT: readonly RecordedStep[] = [
  {
    tree: 'fan-out-documents',
    step: null,
    alias: 'deepseek',
    offline: 'offline',
    script: [
      about('nordwind.txt', READ),
      about(
        'nordwind.txt',
        '(return {"supplier" "Nordwind Energy" "number" "2026-118" "cents" 129900 "due" "2026-12-05"})',
      ),
      about('paper.txt', READ),
      about(
        'paper.txt',
        `(def due (str (.plusDays (java.time.LocalDate/parse "2026-11-10") 14)))
(return {"supplier" "Paper & Sons" "number" "P-77/26" "cents" (* 12 2450) "due" due})`,
      ),
      about('newsletter.txt', READ),
      about('newsletter.txt', '(fail "no invoice")'),
      about('cleaning.txt', READ),
      about(
        'cleaning.txt',
        '(return {"supplier" "Bright Rooms Ltd." "number" "BR-2026-0311" "cents" "410,60" "due" "2026-11-01"})',
      ),
      about(
        'cleaning.txt',
        '(return {"supplier" "Bright Rooms Ltd." "number" "BR-2026-0311" "cents" 41060 "due" "2026-11-01"})',
      ),
      about('hosting.txt', READ),
      about('hosting.txt', '(return {"supplier" "hostline" "number" "8812040" "cents" 4890 "due" "2026-11-30"})'),
      about('courier.txt', READ),
      about(
        'courier.txt',
        `(def cents (+ (* 3 720) 1990))
(return {"supplier" "Courier Blau" "number" "CB 5521" "cents" cents "due" "2026-12-20"})`,
      ),
    ],
  },
];
