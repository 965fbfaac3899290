import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';

const SCRIPT = readFileSync(new URL('../views/assets/live.js', import.meta.url), 'utf8');
const MINUTE = 60_000;

/** A page with live state, a clock, and how often the page was read again. */
const pageOf = () => {
  const page = { now: 0, hidden: false, reads: 0, turn: () => {}, touch: new Map<string, () => void>() };
  runInNewContext(SCRIPT, {
    Date: { now: () => page.now },
    location: { href: '/developers' },
    setInterval: (turn: () => void) => Object.assign(page, { turn }),
    fetch: async () => {
      page.reads += 1;
      return { ok: false };
    },
    document: {
      get hidden() {
        return page.hidden;
      },
      querySelector: () => ({}),
      addEventListener: (event: string, touched: () => void) => page.touch.set(event, touched),
    },
  });
  const readsAt = (now: number): boolean => {
    const before = page.reads;
    page.now = now;
    page.turn();
    return page.reads > before;
  };
  return { page, readsAt };
};

/** Live state of a page that somebody left open (docs/domain/pages.md#pages). */
test.each(['pointerdown', 'keydown', 'visibilitychange'])('a page rests 10 minutes after the last %s', (event) => {
  const { page, readsAt } = pageOf();
  expect([readsAt(MINUTE), readsAt(10 * MINUTE - 1), readsAt(10 * MINUTE)]).toEqual([true, true, false]);
  page.now = 60 * MINUTE;
  page.touch.get(event)?.();
  expect([readsAt(69 * MINUTE), readsAt(70 * MINUTE)]).toEqual([true, false]);
});
