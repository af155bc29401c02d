import { program, type RecordedStep } from '../recorded-step.ts';

const tree = 'support-triage';
const alias = 'deepseek';

const oneQuestion: RecordedStep = {
  tree,
  step: '01-one-question',
  alias,
  script: [
    program('(mapv (juxt :id :text) data/tickets)', 'I read the tickets first.'),
    program(
      '(return (mapv :id (filter (fn [ticket] (str/includes? (str/lower-case (:text ticket)) "refund")) data/tickets)))',
    ),
  ],
};

const domainApi: RecordedStep = {
  tree,
  step: '02-domain-api',
  alias,
  script: [
    program('(describe data/tickets)', 'I look at the form of the data.'),
    program(
      '(def breached (filterv tickets/breached? data/tickets))\n(mapv (fn [ticket] [(:id ticket) (tickets/priority (:id ticket))]) breached)',
    ),
    program(
      '(def breached (filterv tickets/breached? data/tickets))\n(mapv (fn [ticket] {:id (:id ticket) :priority (tickets/priority ticket)}) breached)',
      'The function wants the whole ticket, not its id.',
    ),
    program('(return (vec (sort-by (comp - :priority) *1)))'),
  ],
};

const specialists: RecordedStep = {
  tree,
  step: '03-specialists',
  alias,
  script: [
    program('(mapv (juxt :id :text) (filter tickets/breached? data/tickets))'),
    program(
      [
        '(def topics {"T-1001" "money" "T-1004" "money" "T-1005" "outage" "T-1006" "waiting"})',
        '(return {:tickets (mapv (fn [ticket] {:id (:id ticket) :priority (tickets/priority ticket) :topic (topics (:id ticket))})',
        '                        (filter tickets/breached? data/tickets))})',
      ].join('\n'),
    ),
    program(
      [
        '(def chosen [{:id "T-1004" :priority 81 :topic "money"} {:id "T-1001" :priority 75 :topic "money"} {:id "T-1006" :priority 58 :topic "waiting"}])',
        '(mapv (fn [{:keys [topic] :as ticket}] (assoc (dissoc ticket :topic) :team (playbook/team-for topic) :first_action (playbook/first-action topic))) chosen)',
      ].join('\n'),
    ),
    program('(return {:escalations *1 :summary "Two refunds and one unanswered ticket are past their time."})'),
  ],
};

export const SUPPORT_TRIAGE: readonly RecordedStep[] = [oneQuestion, domainApi, specialists];
