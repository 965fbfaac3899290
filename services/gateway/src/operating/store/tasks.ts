import type { EventPayload, Task, TaskKind, TaskState } from '@cds/contracts';
import { TASKS } from '@cds/contracts';
import { after, type Collection, inOrder, LostRace, type Place, type Store, type Tx } from '@cds/service';

/** `_id` identifies what the task is about, so that it opens once (docs/domain/operators.md#tasks-and-feedback). */
export type TaskRow = {
  _id: string;
  kind: TaskKind;
  about: Task['about'];
  note: string | null;
  state: TaskState;
  opened_at: Date;
  done_at: Date | null;
  done_by: string | null;
};

export class Tasks {
  private readonly rows: Collection<TaskRow>;

  constructor(store: Store) {
    this.rows = store.collection<TaskRow>({ name: 'tasks', indexes: [{ key: { state: 1, opened_at: 1, _id: 1 } }] });
  }

  /** Opens a task. An existing one, even a done one, is unchanged. */
  async open({ aggregate, kind, about, note, opened_at }: EventPayload<'billing_task.opened'>): Promise<void> {
    const row = {
      kind,
      about,
      note,
      state: 'open' as const,
      opened_at: new Date(opened_at),
      done_at: null,
      done_by: null,
    };
    await this.rows.updateOne({ _id: aggregate }, { $setOnInsert: row }, { upsert: true });
  }

  byId(id: string): Promise<TaskRow | null> {
    return this.rows.findOne({ _id: id.toLowerCase() });
  }

  page(state: TaskState, kind: TaskKind | null, place: Place | null, limit: number): Promise<TaskRow[]> {
    const filter = { state, ...(kind === null ? {} : { kind }), ...after('opened_at', place) };
    return this.rows.find(filter, { sort: inOrder('opened_at'), limit }).toArray();
  }

  async done(tx: Tx, id: string, at: Date, by: string): Promise<void> {
    const ended = await this.rows.updateOne(
      { _id: id, state: 'open' },
      { $set: { state: 'done', done_at: at, done_by: by } },
      tx.options(),
    );
    if (ended.matchedCount === 0) throw new LostRace('task');
  }
}

export const presentTask = ({ _id, kind, about, note, state, opened_at, done_at, done_by }: TaskRow): Task => ({
  id: _id,
  kind,
  what: TASKS[kind],
  about,
  note,
  state,
  opened_at: opened_at.toISOString(),
  done_at: done_at?.toISOString() ?? null,
  done_by,
});
