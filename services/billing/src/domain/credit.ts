import type { CreditCause, CreditState, LineCredit, OrderLine } from '@cds/contracts';
import { namedUuid } from '@cds/service/named-uuid';

/** Money of a line that is owed to the brand (docs/domain/orders.md#credits). */
export type Credit = {
  _id: string;
  ws: string;
  order_id: string;
  line_id: string;
  cause: CreditCause;
  amount_cents: number;
  state: CreditState;
  /** Why a person set another amount than the rule's. */
  note: string | null;
  /** The ledger reference of the refund that paid it out; absent in credits of older releases. */
  repaid_by?: string;
  /** A repayment of it came back, so the next repayment of the order pays it again. */
  came_back?: true;
  actor: string;
  at: Date;
};

/** What a line owes for one cause in US cents, whether or not there was room for all of it in the payment. */
export type OwedCredit = Pick<Credit, 'line_id' | 'cause' | 'amount_cents' | 'at'>;

export type SetAmount = { line_id: string; amount_cents: number; note: string };

export type NewCredit = Pick<Credit, 'line_id' | 'cause' | 'amount_cents' | 'note'>;

export type AmountProblem = { field: string; message: string };

export const uncredited = (line: Pick<OrderLine, 'line_id' | 'price_cents'>, credits: readonly Credit[]): number =>
  line.price_cents - creditedOf(line.line_id, credits);

export const creditedOf = (lineId: string, credits: readonly Credit[]): number =>
  credits.reduce((sum, one) => (one.line_id === lineId && one.state !== 'waived' ? sum + one.amount_cents : sum), 0);

export const endedAs = (
  credits: readonly Credit[],
  id: string | null,
  state: Exclude<CreditState, 'due'>,
): readonly Credit[] => credits.map((one) => (one._id === id ? { ...one, state } : one));

export const repaidBy = (credits: readonly Credit[], ids: readonly string[], ref: string): readonly Credit[] =>
  credits.map((one) => (ids.includes(one._id) ? { ...one, state: 'refunded', repaid_by: ref } : one));

/** Source: docs/domain/orders.md#credits. */
export const amountProblems = (
  lines: readonly Pick<OrderLine, 'line_id' | 'price_cents'>[],
  credits: readonly Credit[],
  set: readonly SetAmount[],
): AmountProblem[] =>
  set.flatMap((one, index) => {
    const field = (name: keyof SetAmount) => `credits.${index}.${name}`;
    const line = lines.find(({ line_id }) => line_id === one.line_id);
    if (line === undefined) return [{ field: field('line_id'), message: 'must be a line of the order' }];
    if (set.findIndex(({ line_id }) => line_id === one.line_id) < index)
      return [{ field: field('line_id'), message: 'must name each line once' }];
    const most = uncredited(line, credits);
    return one.amount_cents > most
      ? [{ field: field('amount_cents'), message: `must be at most ${most}, what is left of the line's price` }]
      : [];
  });

/** `room` is what is left of the payment in US cents. Source: docs/domain/orders.md#orders-for-brands. */
export const committedOf = (
  lines: readonly Pick<OrderLine, 'line_id' | 'price_cents'>[],
  credits: readonly Credit[],
  room: number,
): number[] => {
  let left = Math.max(0, room);
  return lines.map((line) => {
    const cents = Math.min(uncredited(line, credits), left);
    left -= cents;
    return cents;
  });
};

const committedTo = (
  lineId: string,
  lines: readonly Pick<OrderLine, 'line_id' | 'price_cents'>[],
  credits: readonly Credit[],
  room: number,
): number => committedOf(lines, credits, room)[lines.findIndex(({ line_id }) => line_id === lineId)] ?? 0;

/** Never above what is still paid for; `room` is what is left of the payment (docs/domain/orders.md#credits). */
export const creditsOfCancel = (
  lines: readonly Pick<OrderLine, 'line_id' | 'price_cents'>[],
  { credits, set, owed }: { credits: readonly Credit[]; set: readonly SetAmount[]; owed: ReadonlyMap<string, number> },
  room: number,
): NewCredit[] => {
  let left = room;
  const paidFor = committedOf(lines, credits, room);
  const made: NewCredit[] = [];
  for (const [at, line] of lines.entries()) {
    const most = paidFor[at] ?? 0;
    const own = set.find(({ line_id }) => line_id === line.line_id);
    const rule = Math.min(owed.get(line.line_id) ?? most, most);
    const cents = Math.min(own?.amount_cents ?? rule, left);
    if (cents <= 0) continue;
    left -= cents;
    made.push({ line_id: line.line_id, cause: 'cancelled', amount_cents: cents, note: own?.note ?? null });
  }
  return made;
};

/** One per cause, at most what is still paid for, of which `room` is left. Source: docs/domain/orders.md#credits. */
export const creditsOfLine = (
  order: {
    ws: string;
    order_id: string;
    line: Pick<OrderLine, 'line_id' | 'price_cents'>;
    lines: readonly Pick<OrderLine, 'line_id' | 'price_cents'>[];
  },
  owed: readonly LineCredit[],
  credits: readonly Credit[],
  room: number,
): Credit[] => {
  const { ws, order_id, line, lines } = order;
  const most = committedTo(line.line_id, lines, credits, room);
  const ofLine = credits.filter(({ line_id }) => line_id === line.line_id);
  const made: Credit[] = [];
  for (const { cause, amount_cents: wanted, at } of owed) {
    if (ofLine.some((one) => one.cause === cause)) continue;
    const amount_cents = Math.min(wanted, most - centsOf(made));
    if (amount_cents <= 0) continue;
    made.push({
      _id: namedUuid('credit', order_id, line.line_id, cause),
      ws,
      order_id,
      line_id: line.line_id,
      cause,
      amount_cents,
      state: 'due',
      note: null,
      actor: 'system',
      at: new Date(at),
    });
  }
  return made;
};

/** One amount for each line and cause; the same object if nothing is new. */
export const withOwed = <O extends { owed?: OwedCredit[] }>(order: O, owed: readonly OwedCredit[]): O => {
  const known = order.owed ?? [];
  const added = owed.filter(
    ({ line_id, cause }) => !known.some((one) => one.line_id === line_id && one.cause === cause),
  );
  return added.length === 0 ? order : { ...order, owed: [...known, ...added] };
};

/** Credits that the team waived stay waived. Source: docs/domain/orders.md#refunds. */
export const creditsStillOwed = (
  order: { _id: string; ws: string; lines: readonly Pick<OrderLine, 'line_id' | 'price_cents'>[]; owed?: OwedCredit[] },
  credits: readonly Credit[],
  room: number,
  refused: { refund: string; at: Date },
): Credit[] => {
  const made: Credit[] = [];
  for (const { line_id, cause, amount_cents: wanted } of order.owed ?? []) {
    const all = [...credits, ...made];
    const amount_cents = Math.min(
      wanted - centsOf(all.filter((one) => one.line_id === line_id && one.cause === cause)),
      committedTo(line_id, order.lines, all, room - centsOf(made)),
    );
    if (amount_cents <= 0) continue;
    made.push({
      _id: namedUuid('credit', order._id, line_id, cause, refused.refund),
      ws: order.ws,
      order_id: order._id,
      line_id,
      cause,
      amount_cents,
      state: 'due',
      note: null,
      actor: 'system',
      at: refused.at,
    });
  }
  return made;
};

const centsOf = (credits: readonly Credit[]): number => credits.reduce((sum, one) => sum + one.amount_cents, 0);
