import { type Deadline, inTx } from '@cds/service';
import type { Dependencies } from '../dependencies.js';
import type { Hold } from '../domain/authority.js';
import type { SigningTask } from '../domain/tasks.js';
import type { Authorities } from '../store/authority.js';

type TaskDependencies = Pick<Dependencies, 'store' | 'outbox' | 'log'> & { authorities: Authorities };

/** Opens the operator's tasks about signings (docs/reliability.md#signing). */
export class SigningTasks {
  constructor(private readonly deps: TaskDependencies) {}

  /**
   * Opens a task once, however often its hold is met: the mark on the hold and the event commit together. Whoever meets
   * the hold next tries again if this fails.
   */
  async open(task: SigningTask, hold: Hold, deadline: Deadline): Promise<void> {
    const { store, outbox, log, authorities } = this.deps;
    try {
      await inTx(store, deadline, async (tx) => {
        if (!(await authorities.markReported(tx, hold, task.kind))) return;
        await outbox.add(tx, [{ name: 'billing_task.opened', payload: task }], new Date(task.opened_at));
      });
    } catch (error) {
      log.warn({ err: error, signing_id: hold.signing_id }, 'the task of a signing could not be opened yet');
    }
  }
}
