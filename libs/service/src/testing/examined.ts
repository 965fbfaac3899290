import type { Store } from '../store/store.js';

type Profiled = { ts: Date; ns: string; docsExamined?: number };

/** What some work answered, and how many documents of a collection the database read for it, by its own profiler. */
export const docsExamined = async <T>(
  store: Store,
  collection: string,
  work: () => Promise<T>,
): Promise<{ result: T; docsExamined: number }> => {
  const began = await store.now();
  await store.db.command({ profile: 2 });
  try {
    const result = await work();
    const rows = await store.db
      .collection<Profiled>('system.profile')
      .find({ ns: `${store.db.name}.${collection}`, ts: { $gte: began } })
      .toArray();
    return { result, docsExamined: rows.reduce((sum, row) => sum + (row.docsExamined ?? 0), 0) };
  } finally {
    await store.db.command({ profile: 0 });
  }
};
