export type Data = Record<string, unknown>;

/** A value as an object; an empty one if it is not an object. */
export const of = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {});
export const listOf = (value: unknown): Data[] => (Array.isArray(value) ? (value as Data[]) : []);
/** Some fields of a state, null where it has none. */
export const fields = (from: Data, names: readonly string[]): Data =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? null]));

const ENDED = ['cancelled', 'refunded'];
const PAID = ['paid', 'partially_refunded'];

/** A line as the feed tells of it: its offer, its post, and the state of its order; null where nothing came yet. */
export type LineStates = { offer: Data | null; post: Data | null; order: string | null };

/** A post counts while its creator is booked; a former creator's says nothing (docs/domain/orders.md#line-stage). */
const countedPost = ({ offer, post }: LineStates): Data | null =>
  offer?.['booked'] === true && post?.['attempt'] === offer['attempt'] ? post : null;

export const isLineOver = ({ offer, order }: LineStates): boolean =>
  offer?.['cancelled'] === true || (order !== null && ENDED.includes(order));

/** The stage of a line (docs/domain/orders.md#line-stage). */
export const lineStageOf = (line: LineStates): string => {
  if (isLineOver(line)) return 'cancelled';
  const post = countedPost(line);
  const status = post?.['status'];
  if (status === 'completed') return 'proof_attached';
  if (status === 'live' || (status === 'blocked' && post?.['blocked_reason'] === 'no_disclosure')) return 'live';
  if (line.offer?.['booked'] === true) return 'scheduled';
  const proposal = of(line.offer?.['proposal'])['state'];
  if (proposal === 'accepted') return 'creator_confirmed';
  return proposal === 'sent' ? 'offered' : 'planned';
};

/** The status of a line of a signed plan (docs/domain/orders.md#line-status). */
export const lineStatusOf = (line: LineStates): string => {
  if (isLineOver(line)) return 'cancelled';
  return String(countedPost(line)?.['status'] ?? (line.offer?.['booked'] === true ? 'booked' : 'planned'));
};

/** The stage of a campaign (docs/domain/orders.md#campaign-stage). */
export const stageOf = (campaign: Data, plan: Data | null, order: string | null, lines: readonly Data[]): string => {
  if (order !== null && ENDED.includes(order)) return 'cancelled';
  if (order !== null && PAID.includes(order)) {
    const kept = lines.map((line) => line['stage_id'] as string).filter((stage) => stage !== 'cancelled');
    if (kept.length > 0 && kept.every((stage) => stage === 'proof_attached')) return 'complete';
    return kept.some((stage) => ['scheduled', 'live', 'proof_attached'].includes(stage)) ? 'running' : 'paid';
  }
  if (plan?.['status'] === 'approved') return 'approved';
  if (plan?.['status'] === 'awaiting_approval') return 'plan_ready';
  return campaign['sent_to_team_at'] === null ? 'draft' : 'sent';
};

const LINE_STATUSES = ['planned', 'booked', 'live', 'completed', 'blocked', 'cancelled'];
const LINE_STAGES = ['planned', 'offered', 'creator_confirmed', 'scheduled', 'live', 'proof_attached', 'cancelled'];

export const countedBy = (lines: readonly Data[], field: 'status' | 'stage_id'): Data =>
  Object.fromEntries(
    (field === 'status' ? LINE_STATUSES : LINE_STAGES).map((name) => [
      name,
      lines.filter((line) => line[field] === name).length,
    ]),
  );

/** The sums of a quote, but for those by reach (docs/domain/plans.md#totals). */
export const totalsOf = (lines: readonly Data[], budget: number | null): Data => {
  const sum = (of: readonly Data[], field: string) => of.reduce((all, line) => all + Number(line[field]), 0);
  const measured = lines.filter((line) => line['expected_views_low'] !== null && line['expected_views_high'] !== null);
  const ofMeasured = (figure: number): number | null => (measured.length === 0 ? null : figure);
  const [low, high] = [sum(measured, 'expected_views_low'), sum(measured, 'expected_views_high')];
  const perThousand = (views: number): number | null =>
    measured.length === 0 || views === 0 ? null : Math.round((sum(measured, 'price_cents') * 1_000) / views);
  const total = sum(lines, 'price_cents');
  return {
    creators: new Set(lines.flatMap((line) => line['creator_id'] ?? [])).size,
    total_cents: total,
    views_low: ofMeasured(low),
    views_high: ofMeasured(high),
    unmeasured: lines.length - measured.length,
    cpm_low_cents: perThousand(high),
    cpm_high_cents: perThousand(low),
    budget_cents: budget,
    remaining_cents: budget === null ? null : Math.max(0, budget - total),
  };
};
