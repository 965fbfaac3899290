import type { Offer } from '../domain/line.js';
import { withOffer, withSigned } from '../domain/line.js';
import type { Post } from '../domain/post.js';
import { followLine } from '../domain/post-planning.js';
import { NO_FIGURES } from '../domain/reading.js';
import { aBooking, anOrder, aSignedLine, PUBLISHED_AT } from './builders.js';

/** The post of a booked line, on 1 December 2026, which is still to come; a live workspace has no plan for it. */
export const aBookedPost = (over: Partial<Post> = {}, offer: Partial<Offer> = {}): Post => {
  const order = anOrder({ lines: [aSignedLine()], sandbox: over.sandbox ?? true });
  const [signed] = order.lines;
  const line = signed && withSigned(null, order, signed);
  const booked = signed && line && withOffer(line, aBooking(order, signed, offer as object));
  const move = booked && followLine(null, booked);
  if (move == null) throw new Error('the line was booked');
  return { ...move.post, ...over };
};

/** A post that is up since 1 December 2026, 12:00 UTC. */
export const aLivePost = (over: Partial<Post> = {}): Post => ({
  ...aBookedPost(over),
  status: 'live',
  plan: null,
  missing_at: null,
  post_id: '77',
  proof_url: 'https://x.com/ada/status/77',
  published_at: PUBLISHED_AT,
  disclosure: '#ad',
  figures: NO_FIGURES,
  ...over,
});

/** The instant `hours` after the live posts of tests were published. */
export const hoursAfter = (hours: number): Date => new Date(PUBLISHED_AT.getTime() + hours * 3_600_000);
