import { randomUUID } from 'node:crypto';
import type { EventPayload } from '@cds/contracts';
import { draws, randomOf, seedFrom } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { postChanged } from '../present/post-changed.js';
import { aBooking, anOrder, aSignedLine } from '../test/builders.js';
import { newClaim, openClaim } from './claim.js';
import { changedBy, sandboxReading } from './fake-network.js';
import { brokenAt, type IntegrityEntry, withEntries } from './integrity.js';
import { type Line, withOffer, withSigned } from './line.js';
import { sandboxPostId } from './persona.js';
import { dueFactsOf, isUnderWay, type Post, type PostMove } from './post.js';
import { afterDue, claimDecided, claimed, goLive, mayRemedy, submitted, withReadings } from './post-moves.js';
import { followLine } from './post-planning.js';
import type { Reading } from './reading.js';
import { afterLook, afterTeamRemedy } from './team-moves.js';

const SEED = seedFrom('CDS_POST_SEED');
const HISTORIES = draws(400);
const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-21T12:00:00.000Z');
/** After it nothing may be left to do: the last reading of a post comes thirty days after the window. */
const END = START + 120 * 24 * HOUR_MS;
const ACTS_UNTIL = START + 45 * 24 * HOUR_MS;
/** The longest pause between two acts, drawn for each history: few posts that change all the time are ever proved. */
const PAUSES_MS = [60 * HOUR_MS, 400 * HOUR_MS] as const;

/** What the event of a post states, but for what is due next. */
const statedOf = (post: Post) => {
  const { version: _version, next: _next, ...stated } = postChanged(post);
  return stated;
};
const NOTHING_KNOWN = { status: 'booked', facts: { listed: false, still_up: null, integrity: null, claims: [] } };

/** The post of one sandbox line, with all that people, the network and other services do to it at random moments. */
class History {
  readonly entries: IntegrityEntry[] = [];
  readonly remedies = new Map<number, Set<string>>();
  post: Post;
  private readings: Reading[] = [];
  private line: Line;
  private booking: EventPayload<'line.changed'>;
  private now = START;

  constructor(
    number: number,
    private readonly random: () => number,
  ) {
    const campaign = { ...anOrder().campaign, campaign_number: number };
    const order = anOrder({ lines: [aSignedLine()], campaign });
    const [signed] = order.lines;
    if (signed === undefined) throw new Error('the order has no line');
    this.booking = aBooking(order, signed);
    const line = withOffer(withSigned(null, order, signed), this.booking);
    const move = line && followLine(null, line);
    if (line === null || move == null) throw new Error('the line was booked');
    [this.line, this.post] = [line, move.post];
  }

  /** Acts at random moments, each after what was due before it, then lets time pass. */
  play(): void {
    const pauseMs = PAUSES_MS[Math.floor(this.random() * PAUSES_MS.length)] ?? PAUSES_MS[0];
    for (;;) {
      const next = this.now + Math.floor(this.random() * pauseMs);
      if (next > ACTS_UNTIL) break;
      this.handleDue(next);
      this.now = next;
      this.act(new Date(next));
    }
    this.handleDue(END);
  }

  private handleDue(until: number): void {
    for (;;) {
      const [due] = dueFactsOf(this.post);
      if (due === undefined || due.at.getTime() > until) return;
      // Nothing becomes due in the past.
      expect(due.at.getTime()).toBeGreaterThanOrEqual(this.now);
      this.now = due.at.getTime();
      const before = this.post;
      if (due.kind === 'post') this.take(this.live(due.at), due.at);
      else if (due.kind === 'reading') this.take(this.read(due.at), due.at);
      else this.take(afterDue(this.post, due.kind, due.at), due.at);
      if (this.post.remedy != null && before.remedy == null) this.proposalsReact(new Date(this.now));
    }
  }

  private live(at: Date): PostMove {
    const postId = sandboxPostId(at, this.post._id, this.post.attempt);
    return goLive(this.post, at, { postId, profileUrl: 'https://x.com/demo_ada' });
  }

  private read(at: Date): PostMove {
    const published = this.post.published_at ?? at;
    const reading = sandboxReading(this.post, published, at, randomUUID());
    this.readings.push(reading);
    return withReadings(this.post, published, this.readings);
  }

  private act(at: Date): void {
    const { post, random } = this;
    const oneOf = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)] as T;
    const before = post.remedy ?? null;
    const move = oneOf<() => PostMove | null>(
      () => changedBy(post, oneOf('edit', 'delete', 'restore', 'hide_disclosure', 'inflate'), at),
      () => changedBy(post, oneOf('delete', 'restore', 'hide_disclosure'), at),
      () => afterLook(post, { verdict: oneOf('accepted', 'rejected'), disclosure: oneOf(null, '#ad') }, at),
      () => afterTeamRemedy(post, { remedy: oneOf('repost', 'replace', 'credit'), amount_cents: null }, at),
      () => this.submit(at),
      () => (post.published_at !== null && post.gone_at === null && isUnderWay(post) ? this.read(at) : null),
      () => this.claim(at),
      () => this.decide(at, oneOf('makegood', 'credit', 'none')),
      () => (random() < 0.1 ? this.followed({ cancelled: true, booked: false }) : null),
      () => null,
    )();
    if (move !== null) this.take(move, at);
    if (this.post.remedy != null && before === null) this.proposalsReact(at);
  }

  private submit(at: Date): PostMove | null {
    if (!isUnderWay(this.post) || (this.post.status !== 'booked' && this.post.status !== 'blocked')) return null;
    const publishedAt = new Date(at.getTime() - HOUR_MS);
    const postId = sandboxPostId(publishedAt, this.post._id, this.post.attempt);
    const url = `https://x.com/demo_ada/status/${postId}`;
    return submitted(this.post, at, { postId, url, publishedAt, disclosure: null });
  }

  private claim(at: Date): PostMove | null {
    if (!isUnderWay(this.post) || openClaim(this.post) !== null) return null;
    const of = { id: randomUUID(), claim: 'gone' as const, text: 'It is gone.', evidence: [], opened_by: 'key' };
    return claimed(this.post, newClaim({ ...of, attempt: this.post.attempt }, at, true));
  }

  private decide(at: Date, remedy: 'makegood' | 'credit' | 'none'): PostMove | null {
    const claim = openClaim(this.post);
    if (claim === null || (remedy !== 'none' && !mayRemedy(this.post, claim))) return null;
    if (remedy === 'makegood' && this.post.status === 'completed') return null;
    return claimDecided(this.post, { remedy, amount_cents: null, reason: 'A test.', by: 'team' }, at);
  }

  /** Proposals carries a remedy out: a credit ends a line without its proof, a replacement asks another creator. */
  private proposalsReact(at: Date): void {
    const { remedy, status } = this.post;
    if (remedy == null || (remedy.kind === 'credit' && status === 'completed')) return;
    if (remedy.kind === 'credit') this.take(this.followed({ cancelled: true, booked: false }), at);
    else {
      this.take(this.followed({ booked: false }), at);
      const day = new Date(at.getTime() + 72 * HOUR_MS).toISOString().slice(0, 10);
      const attempt = this.booking.attempt + 1;
      if (this.random() < 0.8)
        this.take(this.followed({ booked: true, attempt, creator_id: randomUUID(), scheduled_date: day }), at);
    }
  }

  private followed(over: Partial<EventPayload<'line.changed'>>): PostMove | null {
    this.booking = { ...this.booking, version: this.booking.version + 1, ...over };
    const line = withOffer(this.line, this.booking);
    if (line === null) throw new Error('the event was newer');
    this.line = line;
    return followLine(this.post, line);
  }

  private take(move: PostMove | null, at: Date): void {
    if (move === null) return;
    const before = this.post;
    const { post, entries } = withEntries(before, move.post, at);
    this.post = post;
    this.entries.push(...entries);
    if (post.remedy != null)
      this.remedies.set(post.attempt, (this.remedies.get(post.attempt) ?? new Set()).add(post.remedy.id));
    // What has ended, or waits for another creator, is not reported as anything else.
    if (before.stopped || (!before.booked && !post.booked)) expect(post.status).toBe(before.status);
    // The newest event states the post as it is; one that had none is booked, and nothing else is known of it.
    if (!move.emits && post.version > 0) expect(statedOf(post)).toEqual(statedOf(before));
    if (post.version === 0) expect(statedOf(post)).toMatchObject(NOTHING_KNOWN);
    if (before.status === 'completed' && before.attempt === post.attempt) expect(post.status).toBe('completed');
    expect(post.version).toBe(before.version + (move.emits ? 1 : 0));
  }
}

/** docs/domain/orders.md#line-status, docs/domain/orders.md#remedies, docs/domain/orders.md#integrity. */
describe('every history of a post', () => {
  it(`ends in proof, a remedy or the end of its line (CDS_POST_SEED=${SEED})`, () => {
    const ends = { completed: 0, remedied: 0, ended: 0 };
    for (let number = 1; number <= HISTORIES; number += 1) {
      const history = new History(number, randomOf(SEED + number));
      history.play();
      const { post, entries, remedies } = history;
      const end =
        post.status === 'completed' ? 'completed' : post.stopped ? 'ended' : post.remedy != null ? 'remedied' : null;
      if (end === null) throw new Error(`history ${number} ends as ${JSON.stringify(post)}`);
      ends[end] += 1;
      expect(dueFactsOf(post)).toEqual([]);
      expect(openClaim(post)).toBeNull();
      expect(Math.max(0, ...[...remedies.values()].map(({ size }) => size))).toBeLessThanOrEqual(1);
      expect(brokenAt(entries)).toBeNull();
      const times = entries.map(({ at }) => at.getTime());
      expect(times).toEqual([...times].sort((one, other) => one - other));
    }
    for (const count of Object.values(ends)) expect(count).toBeGreaterThan(HISTORIES / 40);
  });
});
