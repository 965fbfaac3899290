import type { Audited } from '../audit/audit.js';
import type { Emitted } from '../outbox/outbox.js';
import type { Tx } from '../store/in-tx.js';

/** What a write decided. The shell commits it with the command's record; an operation opens no transaction itself. */
export class Change<Answer> {
  constructor(
    readonly answer: Answer,
    readonly parts: {
      save: (tx: Tx) => Promise<void>;
      events?: readonly Emitted[];
      audit?: readonly Audited[];
      committed?: () => void;
    },
  ) {}
}

export const change = <Answer>(answer: Answer, parts: Change<Answer>['parts']): Change<Answer> =>
  new Change(answer, parts);
