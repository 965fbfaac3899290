// @night: plays whole campaigns; the rules that it plays have tables beside them.
import { createHash } from 'node:crypto';
import { type Credit, creditedOf, creditsOfCancel, creditsOfLine, uncredited } from '@cds/billing/testing';
import type { EventPayload, OrderLine, Replacement } from '@cds/contracts';
import {
  afterDue,
  afterTeamRemedy,
  claimDecided,
  claimed,
  dueFactsOf,
  followLine,
  goLive,
  isUnderWay,
  type Line,
  mayRemedy,
  newClaim,
  openClaim,
  type Post,
  type PostMove,
  postChanged,
  type Reading,
  sandboxPostId,
  sandboxReading,
  withOffer,
  withReadings,
  withSigned,
} from '@cds/metrics/testing';
import {
  anOrder,
  aReplacement,
  aSignedLine,
  type Chain,
  cancelLine,
  dueMove,
  dueNow,
  followOrder,
  followPost,
  isSearchOver,
  lineChanged,
  owedWhenCancelled,
  payoutMost,
  payoutState,
} from '@cds/proposals/testing';
import { randomOf } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';

/**
 * Paid sandbox campaigns played to their end on the rules of proposals, metrics and billing alone, each event applied
 * at once (docs/domain/orders.md#sandbox-creators). The seed is the campaign's number.
 */
const CAMPAIGNS = 200;
const LINES = 40;
const PAID_AT = Date.parse('2026-11-21T12:00:00.000Z');
const DAY_MS = 86_400_000;
/** After it nothing may be left to do: the last reading of a post comes thirty days after the window. */
const END = new Date(PAID_AT + 100 * DAY_MS);

const idOf = (...words: (string | number)[]): string => {
  const hex = createHash('sha256').update(words.join('|')).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
};
const dayAfterPayment = (days: number): string => new Date(PAID_AT + days * DAY_MS).toISOString().slice(0, 10);

type Played = {
  chain: Chain;
  line: Line;
  post: Post | null;
  readings: Reading[];
  credits: Credit[];
  signed: OrderLine;
  /** The newest event about the post that has not reached proposals yet; a newer one takes its place. */
  late: EventPayload<'post.changed'> | null;
};

class Campaign {
  readonly order: EventPayload<'order.changed'>;
  readonly lines: Played[];
  readonly events: unknown[] = [];
  private readonly candidates: Replacement[];

  /** `team` does something about the line that just moved; the brand's claims are among it. */
  constructor(
    readonly number: number,
    private readonly replacements: 'auto' | 'ask',
    candidates: number,
    private readonly team: (campaign: Campaign, played: Played, at: Date) => void = () => undefined,
    private readonly isLate: () => boolean = () => false,
    lineCount = LINES,
  ) {
    const lines = Array.from({ length: lineCount }, (_none, n) =>
      aSignedLine({
        line_id: idOf(number, 'line', n),
        number: n + 1,
        creator_id: idOf(number, 'creator', n),
        unit_id: idOf(number, 'signed unit', n),
        scheduled_date: dayAfterPayment(3 + (n % 20)),
        price_cents: 10_000 + n * 1_000,
      }),
    );
    const campaign = { ...anOrder().campaign, campaign_number: number, launch_window_end: dayAfterPayment(24) };
    this.order = anOrder({
      order_id: idOf(number, 'order'),
      plan_id: idOf(number, 'plan'),
      workspace: idOf('workspace'),
      lines,
      campaign: { ...campaign, campaign_id: idOf(number, 'campaign'), launch_window_start: dayAfterPayment(1) },
    });
    this.candidates = Array.from({ length: candidates }, (_none, n) =>
      aReplacement({
        unit_id: idOf(number, 'unit', n),
        creator_id: idOf(number, 'candidate', n),
        price_cents: 9_000 + n * 700,
      }),
    );
    this.lines = lines.map((signed) => this.begun(signed));
  }

  /** Plays everything due up to `until`, the earliest first. A line's events touch no other line. */
  play(until: Date): void {
    const next = this.lines.map((played) => this.nextOf(played, until));
    for (;;) {
      let first = -1;
      for (const [at, due] of next.entries())
        if (due !== null && (first < 0 || due.at < (next[first]?.at ?? due.at))) first = at;
      const due = next[first];
      const played = this.lines[first];
      if (due == null || played === undefined) return;
      due.run();
      this.isStale = false;
      this.team(this, played, due.at);
      for (const [at, one] of this.lines.entries())
        if (one === played || this.isStale) next[at] = this.nextOf(one, until);
    }
  }

  /** Whether the team did something that other lines than the one that moved may follow. */
  private isStale = false;

  private credits(): Credit[] {
    return this.lines.flatMap((one) => one.credits);
  }

  /** What is left of the payment, in US cents. */
  room(): number {
    const credits = this.credits();
    return (
      this.order.total_cents - this.order.lines.reduce((sum, { line_id }) => sum + creditedOf(line_id, credits), 0)
    );
  }

  /** The team cancels the order: each line owes what the rules give it. */
  cancel(at: Date): void {
    const credits = this.credits();
    const owed = new Map(this.lines.map(({ chain: { line } }) => [line._id, owedWhenCancelled(line, at)]));
    for (const made of creditsOfCancel(this.order.lines, { credits, set: [], owed }, this.room()))
      this.lines.find(({ signed }) => signed.line_id === made.line_id)?.credits.push(this.credit(made, at));
    const order = { ...this.order, version: 9, payment_state: 'cancelled' as const, cancelled_at: at.toISOString() };
    for (const played of this.lines) {
      const ended = followOrder(order, played.signed, played.chain, () => '');
      const line = withSigned(played.line, order, played.signed);
      if (ended?.proposal == null || line === null) throw new Error('the order ends');
      played.chain = { line: ended.line, proposal: ended.proposal };
      played.line = line;
      this.moved(played, followLine(played.post, line));
    }
    this.isStale = true;
  }

  /** The team repays money of a line; what the rail refuses is given up, or due where the line has ended. */
  refund(played: Played, cents: number, at: Date, isRefused: boolean): void {
    const amount_cents = Math.min(cents, uncredited(played.signed, played.credits), this.room());
    if (amount_cents <= 0 || (isRefused && !played.chain.line.cancelled)) return;
    played.credits.push(this.credit({ line_id: played.signed.line_id, cause: 'remedy', amount_cents, note: null }, at));
  }

  private credit(of: Pick<Credit, 'line_id' | 'cause' | 'amount_cents' | 'note'>, at: Date): Credit {
    const _id = idOf(of.line_id, of.cause, this.events.length, at.getTime());
    return { _id, ws: this.order.workspace, order_id: this.order.order_id, ...of, state: 'due', actor: 'op', at };
  }

  private nextOf(played: Played, until: Date): { at: Date; run: () => void } | null {
    const offer = dueNow(played.chain, until);
    const post = played.post === null ? undefined : dueFactsOf(played.post)[0];
    if (post !== undefined && post.at <= until && (offer === null || post.at < offer.at))
      return { at: post.at, run: () => this.posted(played) };
    return offer === null ? null : { at: offer.at, run: () => this.offered(played, until) };
  }

  private begun(signed: OrderLine): Played {
    const chain = followOrder(this.order, signed, null, () => idOf(signed.line_id, 1));
    const line = withSigned(null, this.order, signed);
    if (chain?.proposal == null || line === null) throw new Error('a paid line begins its chain');
    return {
      chain: { line: chain.line, proposal: chain.proposal },
      line,
      post: null,
      readings: [],
      credits: [],
      signed,
      late: null,
    };
  }

  private offered(played: Played, until: Date): void {
    const due = dueNow(played.chain, until);
    if (due === null) return;
    const search = due.kind === 'replacement_search' && !isSearchOver(played.chain.line, due.at);
    const taken = new Set(this.lines.flatMap(({ chain }) => chain.line.tried));
    const found = search
      ? {
          replacements: this.replacements,
          candidates: this.candidates.filter(
            (one) => !taken.has(one.creator_id) && one.price_cents <= played.chain.line.price_cents,
          ),
        }
      : null;
    const move = dueMove(played.chain, due, found, () => idOf(played.signed.line_id, played.chain.line.attempts + 1));
    played.chain = move.chain;
    if (move.emits) this.reported(played);
  }

  reported(played: Played): void {
    const event = lineChanged(played.chain);
    this.events.push(event);
    const line = withOffer(played.line, event);
    if (line !== null) {
      played.line = line;
      this.moved(played, followLine(played.post, line));
    }
    const of = { ws: event.workspace, order_id: event.order_id, line: played.signed, lines: this.order.lines };
    played.credits.push(...creditsOfLine(of, event.credits ?? [], this.credits(), this.room()));
  }

  private posted(played: Played): void {
    const { post } = played;
    const due = post === null ? undefined : dueFactsOf(post)[0];
    if (post === null || due === undefined) return;
    if (due.kind === 'post') {
      const postId = sandboxPostId(due.at, post._id, post.attempt);
      this.moved(played, goLive(post, due.at, { postId, profileUrl: 'https://x.com/demo' }));
    } else if (due.kind === 'reading') {
      if (post.published_at === null) throw new Error('a post that is read is published');
      played.readings.push(sandboxReading(post, post.published_at, due.at, idOf(post._id, due.at.getTime())));
      this.moved(played, withReadings(post, post.published_at, played.readings));
    } else this.moved(played, afterDue(post, due.kind, due.at));
  }

  moved(played: Played, move: PostMove | null): void {
    if (move === null) return;
    played.post = move.post;
    if (!move.emits) return;
    const event = postChanged(move.post);
    this.events.push(event);
    played.late = event;
    if (!this.isLate()) this.arrives(played);
  }

  arrives(played: Played): void {
    const { late } = played;
    if (late === null) return;
    played.late = null;
    this.isStale = true;
    const after = followPost(played.chain, late);
    if (after === null) return;
    played.chain = after.chain;
    if (after.emits) this.reported(played);
  }
}

/** What the brand and the team may do about a line at any moment, each as its operation allows it. */
const ACTS: readonly ((campaign: Campaign, played: Played, at: Date, random: () => number) => void)[] = [
  (campaign, played, at) => {
    const { post } = played;
    if (post === null || !isUnderWay(post) || openClaim(post) !== null) return;
    const claim = { claim: 'not_as_agreed' as const, text: '', evidence: [], opened_by: 'brand' };
    const id = idOf(post._id, at.getTime());
    campaign.moved(played, claimed(post, newClaim({ id, attempt: post.attempt, ...claim }, at, false)));
  },
  (campaign, played, at, random) => {
    const { post } = played;
    const claim = post === null ? null : openClaim(post);
    if (post === null || claim === null) return;
    const wanted = random() < 0.4 ? 'makegood' : random() < 0.7 ? 'credit' : 'none';
    const remedy = !mayRemedy(post, claim) || (wanted === 'makegood' && post.status === 'completed') ? 'none' : wanted;
    const amount_cents = remedy === 'credit' && random() < 0.5 ? 1 + Math.floor(random() * 9_000) : null;
    campaign.moved(played, claimDecided(post, { remedy, amount_cents, reason: '', by: 'op' }, at));
  },
  (campaign, played, at, random) => {
    const remedy = (['repost', 'replace', 'credit'] as const)[Math.floor(random() * 3)] ?? 'repost';
    const amount_cents = remedy === 'credit' && random() < 0.5 ? 1 + Math.floor(random() * 9_000) : null;
    campaign.moved(played, played.post === null ? null : afterTeamRemedy(played.post, { remedy, amount_cents }, at));
  },
  (campaign, played, at, random) => {
    const { line } = played.chain;
    if (line.cancelled || line.post?.status === 'completed' || random() < 0.5) return;
    played.chain = cancelLine(played.chain, at, 'cancelled', owedWhenCancelled(line, at)).chain;
    campaign.reported(played);
  },
  (campaign, played, at, random) => campaign.refund(played, 1 + Math.floor(random() * 12_000), at, random() < 0.3),
  (campaign, _played, at, random) => {
    if (random() < 0.02) campaign.cancel(at);
  },
];

/** The causes of credits that the operator pays itself once the post is proved (docs/domain/orders.md#payouts). */
const OPERATORS_COST: readonly string[] = ['dispute', 'remedy'];

/** Every cent of a line's price is a payout, a credit, or kept; `own` is what the operator pays of the credits. */
const moneyOf = ({ chain: { line }, signed, credits }: Played) => {
  const credited = creditedOf(signed.line_id, credits);
  const isProved = payoutState(line) !== 'not_due';
  const costs = credits.filter(({ cause }) => isProved && OPERATORS_COST.includes(cause));
  const own = costs.reduce((sum, one) => sum + one.amount_cents, 0);
  return { credited, kept: signed.price_cents - credited - (isProved ? payoutMost(line) : 0), own };
};

const wrongIn = (played: Played): string[] => {
  const { credited, kept, own } = moneyOf(played);
  const { price_cents } = played.signed;
  return [
    ...(credited > price_cents ? [`credits of ${credited} above the price of ${price_cents}`] : []),
    ...(kept + own < 0 ? [`${kept} kept, of which the operator pays ${own}`] : []),
  ];
};

describe('a paid campaign with claims, remedies, cancelled lines and repayments', () => {
  const RUNS = Math.max(60, Math.floor(CAMPAIGNS / 2));
  it(`has every cent of each line paid out, credited or kept, at every step, over ${RUNS} seeds`, () => {
    const met = new Map<string, number>();
    const count = (what: string) => met.set(what, (met.get(what) ?? 0) + 1);
    for (let number = 1; number <= RUNS; number += 1) {
      const random = randomOf(number);
      let steps = 0;
      const team = (campaign: Campaign, played: Played, at: Date): void => {
        steps += 1;
        for (const one of campaign.lines) if (one.late !== null && random() < 0.3) campaign.arrives(one);
        if (random() < 0.25) ACTS[Math.floor(random() * ACTS.length)]?.(campaign, played, at, random);
        for (const one of campaign.lines)
          expect({ number, steps, line: one.signed.number, wrong: wrongIn(one) }).toEqual({
            number,
            steps,
            line: one.signed.number,
            wrong: [],
          });
        expect(campaign.room()).toBeGreaterThanOrEqual(0);
      };
      const campaign = new Campaign(number, 'auto', 12, team, () => random() < 0.3, 12);
      do {
        for (const one of campaign.lines) campaign.arrives(one);
        campaign.play(END);
      } while (campaign.lines.some(({ late }) => late !== null));
      for (const played of campaign.lines) {
        const { line, proposal } = played.chain;
        expect([line.cancelled || line.post?.status === 'completed', dueNow({ line, proposal }, END)]).toEqual([
          true,
          null,
        ]);
        for (const { cause } of played.credits) count(cause);
        count(payoutState(line));
        const { kept, own, credited } = moneyOf(played);
        // Nothing is kept of a proved line, unless its credits took the whole price.
        if (!line.cancelled && credited < line.price_cents) expect([line._id, kept + own]).toEqual([line._id, 0]);
        // A line that ended for want of a post, with no amount that a person named, gives its whole price back.
        if (line.cancel_cause === 'unfilled' || line.cancel_cause === 'undated')
          expect(creditedOf(played.signed.line_id, played.credits)).toBe(played.signed.price_cents);
      }
    }
    // Each of these was met, so the property speaks of it.
    const rare = ['cancelled', 'cheaper', 'dispute', 'remedy', 'post_gone', 'unfilled', 'due', 'not_due'].filter(
      (what) => (met.get(what) ?? 0) < 3,
    );
    expect(rare).toEqual([]);
  });
});
