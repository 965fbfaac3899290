import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Ctx } from '../bus/context.js';
import { Deadline } from '../deadline/deadline.js';
import { inTx } from '../store/in-tx.js';
import { aCtx } from '../testing/context.js';
import { HOSTILE_TEXTS } from '../testing/hostile-texts.js';
import { storeSuite } from '../testing/suite.js';
import { Commands } from './commands.js';
import type { Sealed } from './sealed-answer.js';

describe('a stored answer with a secret in it', () => {
  const test = storeSuite('sealed', (store) => {
    const commands = new Commands(store);
    commands.openSealedBy((secret) => `opened ${secret}`);
    return { commands };
  });

  const asking = (): Ctx => aCtx({ command: { id: randomUUID(), fp: 'r1:fp' } });
  const stored = async (answer: unknown, sealed?: Sealed): Promise<string> => {
    const ctx = asking();
    await inTx(test.store, Deadline.in(30_000), (tx) =>
      test.commands.record(tx, ctx, 'approve_plan', 200, JSON.stringify(answer), sealed),
    );
    const outcome = await test.commands.stored(ctx);
    if (outcome?.ok !== true) throw new Error('nothing is stored');
    return outcome.json.toString();
  };

  it('has the secret appended at every declared place, and nowhere else', async () => {
    const answer = { a: { url: 'x/' }, url: 'x/', b: [{ url: 'x/' }] };
    const places = [['a', 'url'], ['url']];
    expect(JSON.parse(await stored(answer, { secret: 's', places }))).toEqual({
      a: { url: 'x/opened s' },
      url: 'x/opened s',
      b: [{ url: 'x/' }],
    });
  });

  it('keeps every other byte, whatever words and field names it contains', async () => {
    for (const text of HOSTILE_TEXTS) {
      const others = `${JSON.stringify(text)},"${'__proto__'}":${JSON.stringify([text, 1.5, -0, null])}`;
      const json = (link: string) => `{"1":true,"words":${others},"payment":{"url":"${link}"}}`;
      const kept = JSON.parse(json('https://a/')) as unknown;
      expect(JSON.stringify(kept)).toBe(json('https://a/').replace('-0', '0'));
      expect(await stored(kept, { secret: 's', places: [['payment', 'url']] })).toBe(
        JSON.stringify(JSON.parse(json('https://a/opened s'))),
      );
    }
  });

  it('is returned as stored without a secret, and fails if a place is missing', async () => {
    expect(await stored({ url: '/pay/~hello' })).toBe('{"url":"/pay/~hello"}');
    await expect(stored({ url: 1 }, { secret: 's', places: [['url']] })).rejects.toThrow('no text at url');
    await expect(stored({}, { secret: 's', places: [['payment', 'url']] })).rejects.toThrow('no text at payment.url');
  });

  it('is never returned with its secret missing', async () => {
    const ctx = asking();
    const closed = new Commands(test.store);
    await inTx(test.store, Deadline.in(30_000), (tx) =>
      closed.record(tx, ctx, 'approve_plan', 200, '{"url":"x/"}', { secret: 's', places: [['url']] }),
    );
    await expect(closed.stored(ctx)).rejects.toThrow('configured nothing to open it with');
  });
});
