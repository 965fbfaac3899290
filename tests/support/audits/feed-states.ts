/** The newest event of an aggregate that the feed keeps. */
export type Reported = {
  ws: string;
  aggregate: { type: string; id: string };
  version: number;
  data?: Record<string, unknown>;
};

/** An order, its ledger and its credits, as far as its events state them. Amounts are US cents. */
export type ReportedOrder = { _id: string; version: number; payment_state: string };
export type ReportedEntry = {
  _id: string;
  order_id: string;
  kind: string;
  amount_cents: number;
  rail_ref: string;
  line_id: string | null;
};
export type ReportedCredit = {
  _id: string;
  order_id: string;
  line_id: string;
  cause: string;
  amount_cents: number;
  state: string;
};

/** A post, as far as its events state it. */
export type ReportedPost = {
  _id: string;
  version: number;
  status: string;
  booked: boolean;
  published_at: Date | null;
  gone_at: Date | null;
  disclosure: string | null;
  integrity?: { seq: number; hash: string } | null;
  claims?: { id: string; decided: { remedy: string; amount_cents: number | null } | null }[];
  figures: { still_up: { checked_at: Date; views: number | null } | null };
};

/** The newest of these events of each aggregate of a type, by its id. */
const newestOf = (reported: readonly Reported[], type: string): Map<string, Reported> => {
  const newest = new Map<string, Reported>();
  for (const one of reported)
    if (one.aggregate.type === type && (newest.get(one.aggregate.id)?.version ?? 0) < one.version)
      newest.set(one.aggregate.id, one);
  return newest;
};

/**
 * I69: the newest event of each order says what its ledger and its credits do. What the books say is stated again here,
 * so that the audit does not share the code it checks.
 */
export const ordersAreReported = (
  reported: readonly Reported[],
  {
    orders,
    ledger,
    credits,
  }: { orders: readonly ReportedOrder[]; ledger: readonly ReportedEntry[]; credits: readonly ReportedCredit[] },
): string[] => {
  const newest = newestOf(reported, 'order');
  const entriesOf = Map.groupBy(ledger, ({ order_id }) => order_id);
  const creditsOf = Map.groupBy(credits, ({ order_id }) => order_id);
  return orders.flatMap(({ _id, version, payment_state }) => {
    const event = newest.get(_id);
    if (event === undefined || event.version !== version) return [];
    const entries = entriesOf.get(_id) ?? [];
    const sum = (...kinds: string[]) =>
      entries.reduce((cents, one) => (kinds.includes(one.kind) ? cents + one.amount_cents : cents), 0);
    const { committed_cents, unused_cents, lines, ...data } = event.data ?? {};
    const kept = listOf(lines).reduce((cents, line) => cents + Number(line['committed_cents']), 0);
    return differing('order', _id, [
      ['payment_state', data['payment_state'], payment_state],
      ['received_cents', data['received_cents'], sum('charge')],
      [
        'stray_cents',
        data['stray_cents'],
        Math.max(0, sum('stray_charge', 'stray_accepted', 'stray_refund', 'stray_refund_returned')),
      ],
      ['committed_cents', committed_cents, kept],
      ['unused_cents', unused_cents, sum('charge', 'refund', 'refund_returned') - kept],
      [
        'refunds',
        rowsOf(data['refunds'], ['id', 'amount_cents', 'line_id']),
        entries.flatMap(({ _id: id, kind, amount_cents, rail_ref, line_id }) => {
          const back = entries.filter((one) => one.kind === 'refund_returned' && refundOf(one) === rail_ref);
          const stands = -amount_cents - back.reduce((cents, one) => cents + one.amount_cents, 0);
          return kind === 'refund' && stands > 0 ? [[id, stands, line_id].join()] : [];
        }),
      ],
      [
        'credits',
        rowsOf(data['credits'], ['id', 'line_id', 'cause', 'amount_cents', 'state']),
        (creditsOf.get(_id) ?? []).map(({ _id: id, line_id, cause, amount_cents, state }) =>
          [id, line_id, cause, amount_cents, state].join(),
        ),
      ],
    ]);
  });
};

/** The reference of the refund that a counter-entry is about. */
const refundOf = ({ rail_ref }: ReportedEntry): string => rail_ref.replace(/~\d+$/, '');

/** I69: the newest event of each post says what is stored of its proof, of what was seen of it, and of its claims. */
export const postsAreReported = (reported: readonly Reported[], posts: readonly ReportedPost[]): string[] => {
  const newest = newestOf(reported, 'post');
  return posts.flatMap((post) => {
    const event = newest.get(post._id);
    if (event === undefined || event.version !== post.version) return [];
    const { status, published_at, listed, disclosed, still_up, integrity, claims } = event.data ?? {};
    const { still_up: proof } = post.figures;
    const isUp = post.gone_at === null || proof !== null;
    return differing('post', post._id, [
      ['status', status, post.status],
      ['published_at', published_at, post.published_at?.toISOString() ?? null],
      ['listed', listed, post.booked && post.published_at !== null && isUp],
      ['disclosed', disclosed, post.disclosure !== null],
      [
        'still_up',
        still_up,
        proof === null ? null : { checked_at: proof.checked_at.toISOString(), views: proof.views },
      ],
      ['integrity', fieldOf(integrity, 'hash'), post.integrity?.hash ?? null],
      [
        'claims',
        rowsOf(claims, ['id', 'remedy', 'amount_cents']),
        (post.claims ?? []).map(({ id, decided }) => [id, decided?.remedy, decided?.amount_cents].join()),
      ],
    ]);
  });
};

const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
const fieldOf = (value: unknown, field: string): unknown => (value as Record<string, unknown> | null)?.[field] ?? null;
/** Some fields of each row, as one text; null and absent read alike. */
const rowsOf = (value: unknown, fields: readonly string[]): string[] =>
  listOf(value).map((row) => fields.map((field) => row[field] ?? null).join());

/** The fields that an event states differently; lists are compared without their order. */
const differing = (type: string, id: string, fields: readonly (readonly [string, unknown, unknown])[]): string[] =>
  fields.flatMap(([field, said, stored]) => {
    const [one, other] = [said, stored].map((value) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value));
    return one === other ? [] : [`I69: the newest event of ${type} ${id} says ${field} ${one}, and stored is ${other}`];
  });
