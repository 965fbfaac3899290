import { conflict, type Operator, type OperatorRole } from '@cds/contracts';
import { after, inOrder, isDuplicate, LostRace, type Place, type Tx } from '@cds/service';
import type { OperatorPersonRow } from '../people/store/people.js';
import type { OperatorPeople } from './operators.js';

export const teamPage = (
  { people }: Pick<OperatorPeople, 'people'>,
  place: Place | null,
  limit: number,
): Promise<OperatorPersonRow[]> =>
  people.rows.find(after('created_at', place), { sort: inOrder('created_at'), limit }).toArray();

/** Adds a person. Raises LostRace when somebody else added the address meanwhile. */
export const addToTeam = async (
  tx: Tx,
  { people }: Pick<OperatorPeople, 'people'>,
  row: OperatorPersonRow,
): Promise<void> => {
  try {
    await people.insert(tx, row);
  } catch (error) {
    throw isDuplicate(error) ? new LostRace('operator') : error;
  }
};

/** Runs the removal of a lead alone, and undoes one that would leave no lead. Raises conflict (bad_state). */
export const keepingALead = async (
  tx: Tx,
  { people }: Pick<OperatorPeople, 'people'>,
  work: () => Promise<void>,
): Promise<void> => {
  const leads = { role: 'lead', removed_at: null } as const;
  await people.rows.updateMany(leads, [{ $set: { locked_at: '$$NOW' } }], tx.options());
  await work();
  if ((await people.rows.countDocuments(leads, tx.options())) === 0)
    throw conflict('bad_state', 'The team always has a lead. Add another lead first.');
};

/** Changes a removed person, or a present one. Raises LostRace when that changed, or they wrote, since it was read. */
export const changeInTeam = async (
  tx: Tx,
  { people }: Pick<OperatorPeople, 'people'>,
  from: OperatorPersonRow,
  to: Partial<OperatorPersonRow>,
): Promise<void> => {
  const { _id, removed_at, role, writes } = from;
  const asRead = { _id, removed_at, role, writes: writes ?? { $exists: false as const } };
  const done = await people.rows.updateOne(asRead, { $set: to }, tx.options());
  if (done.matchedCount === 0) throw new LostRace('operator');
};

/** Lets a transaction commit only while somebody is in the team, in this role. False when that has changed already. */
export const holdInTeam = async (
  tx: Tx,
  { people }: Pick<OperatorPeople, 'people'>,
  { id, role }: { id: string; role: OperatorRole },
): Promise<boolean> => {
  const held = { _id: id, role, removed_at: null };
  return (await people.rows.updateOne(held, { $inc: { writes: 1 } }, tx.options())).matchedCount === 1;
};

export const presentOperator = (row: OperatorPersonRow): Operator => ({
  id: row._id,
  name: row.name,
  email: row.email,
  role: row.role,
  created_at: row.created_at.toISOString(),
  created_by: row.created_by,
  removed_at: row.removed_at?.toISOString() ?? null,
});
