/** A record of a write, as it is stored (docs/reliability.md#idempotency). */
export type CommandRow = {
  _id: string;
  op: string;
  fp: string;
  status: number;
  body: { buffer: Uint8Array };
  created_at: Date;
  expires_at: Date;
  /** While it runs. */
  run?: object;
};

/** The records of one service. */
export type Records = { service: string; rows: readonly CommandRow[] };

const DAY_MS = 86_400_000;
/** Operations that move money keep their answers for 30 days (docs/specification.md#limits). */
const MONEY = /^(?:approve_plan|order_cancel|sandbox_order_payment|ops_order_(?!s_list|get)\w+|ops_credit_\w+)$/;

/** What is wrong with stored answers (invariants.yaml), each in a sentence; none means all is well. */
export const wrongRecords = (records: readonly Records[]): string[] => [
  ...oneServiceEach(records),
  ...records
    .flatMap(({ rows }) => rows)
    .filter(({ run }) => run === undefined)
    .flatMap((row) => [...curable(row), ...retention(row), ...overage(row)]),
];

/** I03: a key belongs to one request, so no two services have a record of it. */
const oneServiceEach = (records: readonly Records[]): string[] => {
  const owners = Map.groupBy(
    records.flatMap(({ service, rows }) => rows.map(({ _id }) => ({ service, _id }))),
    ({ _id }) => _id,
  );
  return [...owners]
    .filter(([, all]) => all.length > 1)
    .map(([id, all]) => `I03: command ${id} is recorded by ${all.map(({ service }) => service).join(' and ')}`);
};

/** I08: only successes and refusals that a retry cannot change are stored. */
const curable = (row: CommandRow): string[] => {
  const { _id, op, status } = row;
  const stored = status === 403 ? errorOf(row).code === 'mandate_refused' : status < 300 || [409, 422].includes(status);
  return stored ? [] : [`I08: command ${_id} of ${op} has a stored ${status}`];
};

/** I09: an answer is kept for as long as its kind is. */
const retention = ({ _id, op, created_at, expires_at }: CommandRow): string[] => {
  const days = (expires_at.getTime() - created_at.getTime()) / DAY_MS;
  const wanted = MONEY.test(op) ? 30 : 7;
  return days === wanted ? [] : [`I09: command ${_id} of ${op} is kept for ${days} days, not ${wanted}`];
};

/** I18: a refusal's overage is what was spent and requested, less the limit. */
const overage = (row: CommandRow): string[] => {
  if (row.status !== 403) return [];
  const { over_by_cents: over, spent_cents: spent = 0, ...asked } = errorOf(row).details;
  const wanted = spent + (asked['requested_cents'] ?? Number.NaN) - (asked['limit_cents'] ?? Number.NaN);
  if (over === undefined) return [];
  return over > 0 && over === wanted ? [] : [`I18: command ${row._id} was refused as over by ${over}`];
};

type Refused = { code: string; details: Record<string, number | undefined> };

const errorOf = ({ body }: CommandRow): Refused => ({
  details: {},
  ...(JSON.parse(Buffer.from(body.buffer).toString()) as Partial<Refused> & { code: string }),
});
