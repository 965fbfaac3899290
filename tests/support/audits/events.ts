import type { Databases } from './audit.js';

type OrderLine = { line_id: string; creator_id: string | null };
type Order = {
  _id: string;
  ws: string;
  plan_id: string;
  version: number;
  payment_state: string;
  paid_at: Date | null;
  lines: OrderLine[];
};
type Offer = {
  _id: string;
  order_id: string;
  order_version: number;
  attempts: number;
  version: number;
  cancelled: boolean;
  price_cents: number;
  tried: string[];
  credits?: { cause: string; amount_cents: number }[];
  fill_cents?: number | null;
  post: { status: string } | null;
  payout?: { amount_cents: number } | null;
};
type Credit = { line_id: string; cause: string; amount_cents: number; state?: string };
type Proposal = { line_id: string; attempt: number; open: boolean };
type Post = { _id: string; version: number };
type Campaign = { _id: string; ws: string; rev: number };

/**
 * The D audit of events (I29, I35, I54), for a look after a quiet time: nothing waits in an outbox, nothing was set
 * aside, and every projection has the newest version of what it follows. Each sentence names what is wrong.
 */
export const auditEvents = async (databases: Databases): Promise<string[]> => {
  const orders = await databases.of('billing').collection<Order>('orders').find().toArray();
  const offers = await databases.of('proposals').collection<Offer>('offer_lines').find().toArray();
  const proposals = await databases.of('proposals').collection<Proposal>('proposals').find().toArray();
  const credits = await databases.of('billing').collection<Credit>('credits').find().toArray();
  const posts = await databases.of('metrics').collection<Post>('posts').find().toArray();
  return [
    ...(await nothingWaits(databases)),
    ...paidLinesHaveOneChain(orders, offers, proposals),
    ...endedOrdersHaveNoOffer(orders, offers, proposals),
    ...linesOweWhatIsCredited(offers, credits, new Map(orders.map((order) => [order._id, order.payment_state]))),
    ...payoutsAndCreditsFit(offers, credits),
    ...(await ordersAreFollowed(databases, orders, offers)),
    ...(await linesAreFollowed(databases, offers, posts)),
    ...(await campaignsAreFollowed(databases)),
  ];
};

/** The causes of credits that the team makes itself; a line may owe one for `cancelled` too. */
const BY_TEAM = new Set(['cancelled', 'remedy']);
const LIVE = new Set(['paid', 'partially_refunded']);

/**
 * I32, I68: a line asks nobody twice, owes at most its price, and has a credit for each cause that it owes, of at most
 * what it owes, unless the money of its order is returned. How much less a credit may be is not judged: that depends on
 * what was left of the payment when it was made.
 */
export const linesOweWhatIsCredited = (
  offers: readonly Pick<Offer, '_id' | 'order_id' | 'price_cents' | 'tried' | 'credits'>[],
  credits: readonly Credit[],
  orders: ReadonlyMap<string, string>,
): string[] =>
  offers.flatMap(({ _id, order_id, price_cents, tried, credits: owed = [] }) => {
    const own = credits.filter((one) => one.line_id === _id);
    const made = own.filter((one) => !BY_TEAM.has(one.cause) || owed.some(({ cause }) => cause === one.cause));
    const total = owed.reduce((sum, one) => sum + one.amount_cents, 0);
    const missing = owed.filter(({ cause }) => !made.some((one) => one.cause === cause));
    // What a refused repayment had left no room for is a second credit of the same cause.
    const wrong = [...Map.groupBy(made, ({ cause }) => cause)]
      .map(([cause, some]) => ({ cause, cents: centsOf(some) }))
      .filter((one) => !owed.some(({ cause, amount_cents }) => cause === one.cause && amount_cents >= one.cents));
    return [
      ...(new Set(tried).size === tried.length ? [] : [`I32: line ${_id} asked a creator twice`]),
      ...(total <= price_cents ? [] : [`I68: line ${_id} owes more than its price`]),
      ...(LIVE.has(orders.get(order_id) ?? '') ? missing : []).map(
        ({ cause }) => `I68: line ${_id} owes a credit for ${cause} that is not made`,
      ),
      ...wrong.map(({ cause }) => `I68: line ${_id} has a credit for ${cause} that it does not owe`),
    ];
  });

/**
 * I68: a line's credits stay within its price. Its creator is paid for a proved post alone, at most the price at which
 * the line is filled, which leaves what a cheaper replacement gives back.
 */
export const payoutsAndCreditsFit = (
  offers: readonly Pick<Offer, '_id' | 'price_cents' | 'fill_cents' | 'post' | 'payout'>[],
  credits: readonly Credit[],
): string[] =>
  offers.flatMap(({ _id, price_cents, fill_cents, post, payout }) => {
    const own = credits.filter(({ line_id, state }) => line_id === _id && state !== 'waived');
    const cheaper = centsOf(own.filter(({ cause }) => cause === 'cheaper'));
    const most = fill_cents ?? price_cents;
    return [
      ...(centsOf(own) <= price_cents ? [] : [`I68: line ${_id} has credits above its price`]),
      ...(most + cheaper <= price_cents ? [] : [`I68: line ${_id} gives back more than its replacement saved`]),
      ...(payout == null || post?.status === 'completed' ? [] : [`I68: line ${_id} is paid out without its proof`]),
      ...(payout == null || payout.amount_cents <= most ? [] : [`I68: line ${_id} is paid out above its fill`]),
    ];
  });

const centsOf = (amounts: readonly { amount_cents: number }[]): number =>
  amounts.reduce((sum, one) => sum + one.amount_cents, 0);

const nothingWaits = async (databases: Databases): Promise<string[]> => {
  const wrong: string[] = [];
  for (const service of ['gateway', 'catalog', 'planning', 'billing', 'proposals', 'metrics']) {
    const waiting = await databases.of(service).collection('outbox').countDocuments({ state: 'new' });
    const parked = await databases.of(service).collection('dead_letters').countDocuments({ state: 'parked' });
    if (waiting > 0) wrong.push(`I54: ${waiting} events wait in the outbox of ${service}`);
    if (parked > 0) wrong.push(`I54: ${service} set ${parked} events aside`);
  }
  return wrong;
};

/**
 * I29: a line with a creator of a paid order has one chain of proposals, at most one of them open, and no other line
 * has one.
 */
const paidLinesHaveOneChain = (
  orders: readonly Order[],
  offers: readonly Offer[],
  proposals: readonly Proposal[],
): string[] => {
  const wrong: string[] = [];
  const byLine = Map.groupBy(proposals, (proposal) => proposal.line_id);
  for (const order of orders) {
    for (const line of order.lines) {
      const own = byLine.get(line.line_id) ?? [];
      const attempts = new Set(own.map((proposal) => proposal.attempt));
      if (order.paid_at !== null && line.creator_id !== null && own.length === 0)
        wrong.push(`I29: line ${line.line_id} of paid order ${order._id} has no proposal`);
      if (order.paid_at === null && own.length > 0)
        wrong.push(`I29: line ${line.line_id} of order ${order._id} has a proposal and is not paid`);
      if (own.length !== attempts.size || own.filter((proposal) => proposal.open).length > 1)
        wrong.push(`I32: line ${line.line_id} has ${own.length} proposals in ${attempts.size} attempts`);
    }
  }
  const lines = new Set(orders.flatMap((order) => order.lines.map((line) => line.line_id)));
  for (const offer of offers) if (!lines.has(offer._id)) wrong.push(`I29: offer ${offer._id} has no order`);
  return wrong;
};

/** I35: no line of a cancelled or refunded order is on offer, and no creator has an open proposal for it. */
export const endedOrdersHaveNoOffer = (
  orders: readonly Pick<Order, '_id' | 'payment_state'>[],
  offers: readonly Pick<Offer, '_id' | 'order_id' | 'cancelled'>[],
  proposals: readonly Proposal[],
): string[] => {
  const ended = new Set(
    orders.filter(({ payment_state }) => ['cancelled', 'refunded'].includes(payment_state)).map(({ _id }) => _id),
  );
  const open = new Set(proposals.filter((proposal) => proposal.open).map(({ line_id }) => line_id));
  return offers
    .filter(({ _id, order_id, cancelled }) => ended.has(order_id) && (!cancelled || open.has(_id)))
    .map(({ _id, order_id }) => `I35: line ${_id} of order ${order_id}, which has ended, is still on offer`);
};

/** I54: proposals, planning, metrics and catalog have each order at its newest version. */
const ordersAreFollowed = async (
  databases: Databases,
  orders: readonly Order[],
  offers: readonly Offer[],
): Promise<string[]> => {
  const wrong: string[] = [];
  const versions = new Map(orders.map((order) => [order._id, order.version]));
  for (const offer of offers)
    if (offer.order_version !== versions.get(offer.order_id))
      wrong.push(`I54: offer ${offer._id} has version ${offer.order_version} of its order`);

  type Plan = { _id: string; order: { order_id: string; version: number } | null };
  const plans = await databases
    .of('planning')
    .collection<Plan>('plans')
    .find({ order: { $ne: null } })
    .toArray();
  for (const { _id, order } of plans)
    if (order !== null && order.version !== versions.get(order.order_id))
      wrong.push(`I54: plan ${_id} has version ${order.version} of its order`);

  type Line = { _id: string; order_id: string; signed: { version: number } | null };
  const lines = await databases.of('metrics').collection<Line>('lines').find().toArray();
  const signed = new Map(lines.map((line) => [line._id, line.signed?.version]));
  for (const order of orders)
    for (const line of order.lines)
      if (signed.get(line.line_id) !== order.version)
        wrong.push(`I54: metrics has version ${signed.get(line.line_id)} of line ${line.line_id}`);

  const paid = await databases.of('catalog').collection<{ _id: string }>('paid_orders').distinct('_id');
  const known = new Set(paid);
  for (const order of orders)
    if (order.paid_at !== null && !known.has(order._id)) wrong.push(`I54: catalog knows no paid order ${order._id}`);
  return wrong;
};

/** I54: planning and metrics hold each published line, and planning each post, at its newest version. */
const linesAreFollowed = async (
  databases: Databases,
  offers: readonly Offer[],
  posts: readonly Post[],
): Promise<string[]> => {
  const wrong: string[] = [];
  type Facts = { _id: string; proposal_version: number; post_version: number };
  const facts = new Map(
    (await databases.of('planning').collection<Facts>('line_facts').find().toArray()).map((row) => [row._id, row]),
  );
  type Line = { _id: string; offer: { version: number } | null };
  const lines = new Map(
    (await databases.of('metrics').collection<Line>('lines').find().toArray()).map((row) => [row._id, row]),
  );
  for (const offer of offers.filter(({ attempts }) => attempts > 0)) {
    if (facts.get(offer._id)?.proposal_version !== offer.version)
      wrong.push(`I54: planning has version ${facts.get(offer._id)?.proposal_version} of line ${offer._id}`);
    if (lines.get(offer._id)?.offer?.version !== offer.version)
      wrong.push(`I54: metrics has version ${lines.get(offer._id)?.offer?.version} of line ${offer._id}`);
  }
  for (const post of posts.filter(({ version }) => version > 0))
    if (facts.get(post._id)?.post_version !== post.version)
      wrong.push(`I54: planning has version ${facts.get(post._id)?.post_version} of post ${post._id}`);
  return wrong;
};

/** I54: metrics knows every campaign. */
const campaignsAreFollowed = async (databases: Databases): Promise<string[]> => {
  const campaigns = await databases.of('planning').collection<Campaign>('campaigns').find().toArray();
  const known = new Set(await databases.of('metrics').collection<{ _id: string }>('campaigns').distinct('_id'));
  return campaigns.filter(({ _id }) => !known.has(_id)).map(({ _id }) => `I54: metrics knows no campaign ${_id}`);
};
