import { createHash } from 'node:crypto';
import { type Credit, creditsOfLine } from '@cds/billing/testing';
import type { EventPayload, OrderLine, Replacement } from '@cds/contracts';
import {
  afterDue,
  dueFactsOf,
  followLine,
  goLive,
  type Line,
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
  dueMove,
  dueNow,
  followOrder,
  followPost,
  isSearchOver,
  lineChanged,
} from '@cds/proposals/testing';
import { describe, expect, it } from '@jest/globals';

/**
 * Paid sandbox campaigns played to their end on the rules of proposals, metrics and billing alone, each event applied
 * at once (docs/domain/orders.md#sandbox-creators). The seed is the campaign's number.
 */
const CAMPAIGNS = Number(process.env['CDS_FULFILMENT_RUNS'] ?? 200);
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

/** One line in the three services. */
type Played = {
  chain: Chain;
  line: Line;
  post: Post | null;
  readings: Reading[];
  credits: Credit[];
  signed: OrderLine;
};

class Campaign {
  readonly order: EventPayload<'order.changed'>;
  readonly lines: Played[];
  readonly events: unknown[] = [];
  private readonly candidates: Replacement[];

  constructor(
    readonly number: number,
    private readonly replacements: 'auto' | 'ask',
    candidates: number,
  ) {
    const lines = Array.from({ length: LINES }, (_none, n) =>
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
      next[first] = this.nextOf(played, until);
    }
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

  private reported(played: Played): void {
    const event = lineChanged(played.chain);
    this.events.push(event);
    const line = withOffer(played.line, event);
    if (line !== null) {
      played.line = line;
      this.moved(played, followLine(played.post, line));
    }
    const of = { ws: event.workspace, order_id: event.order_id, line: played.signed };
    played.credits.push(...creditsOfLine(of, event.credits ?? [], played.credits, this.order.total_cents));
  }

  private posted(played: Played): void {
    const { post } = played;
    const due = post === null ? undefined : dueFactsOf(post)[0];
    if (post === null || due === undefined) return;
    if (due.kind === 'post') {
      played.readings = [];
      const postId = sandboxPostId(due.at, post._id, post.attempt);
      this.moved(played, goLive(post, due.at, { postId, profileUrl: 'https://x.com/demo' }));
    } else if (due.kind === 'reading') {
      if (post.published_at === null) throw new Error('a post that is read is published');
      played.readings.push(sandboxReading(post, post.published_at, due.at, idOf(post._id, due.at.getTime())));
      this.moved(played, withReadings(post, post.published_at, played.readings));
    } else this.moved(played, afterDue(post, due.kind, due.at));
  }

  private moved(played: Played, move: PostMove | null): void {
    if (move === null) return;
    played.post = move.post;
    if (!move.emits) return;
    const event = postChanged(move.post);
    this.events.push(event);
    const after = followPost(played.chain, event);
    if (after === null) return;
    played.chain = after.chain;
    if (after.emits) this.reported(played);
  }
}

const digest = ({ events }: Campaign): string => createHash('sha256').update(JSON.stringify(events)).digest('hex');

/** How a line ended, with what it cost: the creator's price, and what is credited. */
const endOf = ({ chain: { line }, post, credits }: Played): { kind: string; cents: number } => {
  const credited = credits.reduce((sum, one) => sum + one.amount_cents, 0);
  if (line.cancelled) return { kind: line.cancel_cause ?? 'cancelled', cents: credited };
  if (post?.status === 'completed')
    return { kind: 'completed', cents: (line.fill_cents ?? line.price_cents) + credited };
  return { kind: `left ${post?.status ?? 'without a post'}`, cents: credited };
};

describe('a paid campaign of a sandbox', () => {
  it(`ends with every line proved or cancelled, and every cent paid out or credited, over ${CAMPAIGNS} seeds`, () => {
    const met = new Map<string, number>();
    for (let number = 1; number <= CAMPAIGNS; number += 1) {
      const campaign = new Campaign(number, number % 2 === 0 ? 'ask' : 'auto', number % 5 === 0 ? 3 : 30);
      campaign.play(END);
      for (const played of campaign.lines) {
        const { kind, cents } = endOf(played);
        met.set(kind, (met.get(kind) ?? 0) + 1);
        const { price_cents } = played.signed;
        // A replacement that cost more than the line was paid for would not be one.
        expect([kind, cents]).toEqual([kind, price_cents]);
        expect(kind).not.toMatch(/^left/);
        expect(new Set(played.chain.line.tried).size).toBe(played.chain.line.tried.length);
        expect(dueNow(played.chain, END)).toBeNull();
      }
      const tried = campaign.lines.flatMap(({ chain }) => chain.line.tried);
      expect(new Set(tried).size).toBe(tried.length);
    }
    expect([...met.keys()].sort()).toEqual(['completed', 'no_disclosure', 'post_gone', 'post_missing', 'unfilled']);
  });

  it('plays the same with the same seed, at once or day by day', () => {
    const digests = new Set<string>();
    for (const number of [1, 2, 5]) {
      const [once, daily] = [new Campaign(number, 'auto', 30), new Campaign(number, 'auto', 30)];
      once.play(END);
      for (let day = 1; day <= 100; day += 1) daily.play(new Date(PAID_AT + day * DAY_MS));
      expect(digest(daily)).toBe(digest(once));
      digests.add(digest(once));
    }
    expect(digests.size).toBe(3);
  });
});
