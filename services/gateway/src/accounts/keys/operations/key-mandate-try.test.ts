import { randomUUID } from 'node:crypto';
import type { MandateTried, MandateTryPage } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp } from '../../../test/edge-app.js';
import { ask } from '../../../test/http.js';
import { type SignedIn, signIn } from '../../../test/people.js';

const DAY_MS = 86_400_000;
const NOTHING: MandateTryPage = { tried: 0, refused: [], changed: [], next: null };

/** A refused write of a service, so many seconds ago. */
const refusedAt = (seconds: number) => ({
  at: new Date(Date.now() - seconds * 1_000).toISOString(),
  operation: 'rename_campaign',
  request_id: `ago-${seconds}`,
  reason: 'mandate_expired' as const,
  details: { expired_at: '2026-01-01T00:00:00.000Z', escalate: true },
});

describe('the mandate workbench (docs/domain/orders.md#mandate-workbench)', () => {
  let edge: EdgeApp;
  let brand: Brand;
  let admin: SignedIn;
  beforeAll(async () => {
    edge = await startEdgeApp('key_mandate_try');
    brand = await makeBrand(edge);
    admin = await signIn(edge, brand, 'admin');
  });
  afterAll(() => edge.stop());

  const draft = (over: object = {}) => ({
    max_plan_cents: 100_000,
    monthly_cap_cents: 200_000,
    channels: ['x_creators'],
    may_approve: true,
    expires_at: new Date(Date.now() + 30 * DAY_MS).toISOString(),
    ...over,
  });
  const answers = (planning: MandateTryPage[], billing: MandateTryPage[] = [NOTHING]): void => {
    const pages = { planning_mandate_try: [...planning], billing_mandate_try: [...billing], proposals_mandate_try: [] };
    for (const [name, left] of Object.entries(pages)) edge.answer(name, () => left.shift() ?? NOTHING);
    edge.sent.length = 0;
  };
  const tryOn = (body: object, of: { id?: string; cookie?: string } = {}) =>
    ask(edge.url, `/api/brand/keys/${of.id ?? brand.ids['full']}/mandate/try`, {
      method: 'POST',
      headers: { cookie: of.cookie ?? admin.cookie, origin: edge.url },
      body,
    });

  test('joins the pages of both services by time, without an Idempotency-Key', async () => {
    const [one, two, three] = [refusedAt(10), refusedAt(20), refusedAt(30)];
    const changed = { at: two.at, request_id: two.request_id, was: null, would: two.reason };
    const next = { at: one.at, id: 'a' };
    answers(
      [
        { ...NOTHING, tried: 1_000, refused: [one], next },
        { ...NOTHING, tried: 7, refused: [three] },
      ],
      [{ ...NOTHING, tried: 2, refused: [two], changed: [changed] }],
    );
    const answer = await tryOn({ mandate: draft(), days: 7 });
    expect(answer.status).toBe(200);
    const { from, to, ...rest } = answer.json as MandateTried;
    expect(Date.parse(to) - Date.parse(from)).toBe(7 * DAY_MS);
    expect(rest).toEqual({
      tried: 1_009,
      refused: [one, two, three],
      changed: [{ request_id: two.request_id, was: null, would: two.reason }],
    });
    const asked = edge.sent.filter(({ name }) => name === 'planning_mandate_try').map(({ input }) => input);
    expect(asked).toMatchObject([
      { keys: [brand.ids['full']], from, to, after: null },
      { keys: [brand.ids['full']], from, to, after: next },
    ]);
  });

  test('counts every write, and lists the newest 1,000', async () => {
    const refused = Array.from({ length: 700 }, (_one, index) => refusedAt(index * 2));
    const others = Array.from({ length: 700 }, (_one, index) => refusedAt(index * 2 + 1));
    answers([{ ...NOTHING, tried: 900, refused }], [{ ...NOTHING, tried: 800, refused: others }]);
    const { tried, refused: listed } = (await tryOn({ mandate: draft() })).json as MandateTried;
    expect(tried).toBe(1_700);
    expect(listed.map(({ request_id }) => request_id)).toEqual(
      Array.from({ length: 1_000 }, (_one, index) => `ago-${index}`),
    );
  });

  test('tries 30 days by default, and changes nothing', async () => {
    answers([NOTHING]);
    const versions = edge.shell.store.db.collection('mandates');
    const before = await versions.countDocuments();
    const { from, to } = (await tryOn({ mandate: draft() })).json as MandateTried;
    expect(Date.parse(to) - Date.parse(from)).toBe(30 * DAY_MS);
    expect(await versions.countDocuments()).toBe(before);
    expect(new Set(edge.sent.map(({ name }) => name))).toEqual(
      new Set(['billing_mandate_try', 'planning_mandate_try', 'proposals_mandate_try']),
    );
  });

  test.each([
    ['no days', { mandate: {}, days: 0 }, 422, 'days'],
    ['more days than are kept', { mandate: {}, days: 91 }, 422, 'days'],
    ['a mandate that has ended', { mandate: { expires_at: '2026-01-01T00:00:00Z' } }, 422, 'mandate.expires_at'],
    ['a cap of nothing', { mandate: { monthly_cap_cents: 0 } }, 422, 'mandate.monthly_cap_cents'],
    ['a field of another name', { mandate: { may_exceed_budget: false } }, 400, 'mandate.may_exceed_budget'],
  ])('refuses %s', async (_name, { mandate, ...rest }, status, field) => {
    const answer = await tryOn({ mandate: draft(mandate), ...rest });
    expect(answer).toMatchObject({ status, json: { error: { details: { problems: [{ field }] } } } });
  });

  test('tries the unchanged mandate of a key even after it has ended', async () => {
    answers([NOTHING]);
    const ended = new Date(Date.now() - DAY_MS);
    await edge.shell.store.db
      .collection('mandates')
      .updateMany({ key_id: brand.ids['full'], mandate: { $ne: null } }, { $set: { 'mandate.expires_at': ended } });
    expect((await tryOn({ mandate: draft({ expires_at: ended.toISOString() }) })).status).toBe(200);
  });

  test('is for admins, and for keys of the workspace', async () => {
    const member = await signIn(edge, brand, 'member');
    expect((await tryOn({ mandate: draft() }, { cookie: member.cookie })).status).toBe(403);
    const other = await makeBrand(edge);
    for (const id of [other.ids['full'] ?? '', randomUUID()])
      expect((await tryOn({ mandate: draft() }, { id })).status).toBe(404);
  });
});
