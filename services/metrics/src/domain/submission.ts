// A post that somebody submits as the proof of a line (docs/domain/orders.md#proof).
import type { Problem } from '@cds/contracts';
import { addDays, dayOf } from '@cds/service/calendar';
import { LATE_DAYS, X_EPOCH_MS } from './constants.js';

export type PostUrl = { handle: string; postId: string };

const HOSTS = new Set(['x.com', 'www.x.com', 'mobile.x.com', 'twitter.com', 'www.twitter.com', 'mobile.twitter.com']);
const PATH = /^\/([A-Za-z0-9_]{1,15})\/status(?:es)?\/(\d{1,20})(?:\/.*)?$/;

export const readPostUrl = (text: string): PostUrl | null => {
  const url = parsed(text.trim());
  if (url === null || !HOSTS.has(url.hostname) || url.port !== '' || url.username !== '') return null;
  const [, handle, postId] = PATH.exec(url.pathname) ?? [];
  // X writes /i/status/{id} where it does not name the author.
  if (handle === undefined || postId === undefined || handle === 'i') return null;
  return { handle, postId: BigInt(postId).toString() };
};

const parsed = (text: string): URL | null => {
  try {
    const url = new URL(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
};

export const madeAt = (postId: string): Date => new Date(Number(BigInt(postId) >> 22n) + X_EPOCH_MS);

export type SubmissionFacts = {
  handle: string;
  paidAt: Date;
  windowStart: string;
  windowEnd: string;
  agreedDate: string;
  now: Date;
};

export const submissionProblems = ({ handle, postId }: PostUrl, facts: SubmissionFacts): Problem[] => {
  if (handle.toLowerCase() !== facts.handle.toLowerCase())
    return [
      { field: 'url', message: `must be a post of the line's creator @${facts.handle}; this one is of @${handle}` },
    ];
  const at = madeAt(postId);
  const day = dayOf(at);
  if (at > facts.now) return [{ field: 'url', message: `must exist already; its id says ${at.toISOString()}` }];
  if (at < facts.paidAt)
    return [
      { field: 'url', message: `must be newer than the payment of ${facts.paidAt.toISOString()}; it is of ${day}` },
    ];
  if (day < facts.windowStart)
    return [
      {
        field: 'url',
        message: `must not be older than the launch window, which begins ${facts.windowStart}; it is of ${day}`,
      },
    ];
  const last = addDays(facts.windowEnd > facts.agreedDate ? facts.windowEnd : facts.agreedDate, LATE_DAYS);
  return day > last ? [{ field: 'url', message: `must be of ${last} at the latest; it is of ${day}` }] : [];
};

export const postAddress = (handle: string, postId: string): string => `https://x.com/${handle}/status/${postId}`;
