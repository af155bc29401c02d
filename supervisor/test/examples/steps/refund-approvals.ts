import { program, type RecordedStep } from '../recorded-step.ts';

export const REFUND_APPROVALS: readonly RecordedStep[] = [
  {
    tree: 'refund-approvals',
    step: null,
    alias: 'clerk',
    options: ['--approve-writes'],
    script: [
      program(
        [
          '(def tickets',
          '  (for [line (get (cap/unwrap! (tool/tickets.read {"path" "tickets.txt"})) "items")',
          '        :when (not (str/blank? line))]',
          '    (mapv str/trim (str/split line #"\\|" 3))))',
          '',
          '(defn refund [[number amount _]]',
          '  (let [reply (tool/refund.write {"path" (str "refund-" number ".txt") "text" (str amount "\\n")})]',
          '    {"ticket" number',
          '     "refund" (if (= :ok (:status reply))',
          '                "ok"',
          '                (or (get-in reply [:details :reason]) (get-in reply [:details "reason"]) (name (:reason reply))))}))',
          '',
          '(return (vec (pmap refund (filter (fn [[_ amount _]] (not= "0.00" amount)) tickets))))',
        ].join('\n'),
        'Three customers ask for money back; I write their refunds together, so that they are asked about in one go.',
      ),
    ],
  },
];
