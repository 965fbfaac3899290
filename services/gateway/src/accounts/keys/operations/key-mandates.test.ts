import { unavailable } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { RowRunner } from '@cds/service';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp } from '../../../test/edge-app.js';
import { type SignedIn, signIn } from '../../../test/people.js';
import { aPersonCtx } from '../../../test/person.js';
import { pendingKeyChanges } from '../pending-key-changes.js';
import { KeyChanges } from '../store/key-changes.js';
import type { KeyRow } from '../store/keys.js';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const mandate = {
  max_plan_cents: 100,
  monthly_cap_cents: 200,
  channels: ['x_creators'],
  may_approve: true,
  expires_at: inDays(30),
};

describe('a person’s changes of a mandate (docs/domain/orders.md#mandate, docs/reliability.md#authority)', () => {
  let edge: EdgeApp;
  let brand: Brand;
  let owner: SignedIn;

  beforeAll(async () => {
    edge = await startEdgeApp('gateway_mandates');
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    brand = await makeBrand(edge);
    owner = await signIn(edge, brand);
  });

  const idOf = (name: string): string => brand.ids[name] ?? '';
  const ctx = (over: Parameters<typeof aPersonCtx>[1] = {}) =>
    aPersonCtx(brand.workspaces.live, { person: owner.person_id, ...over });
  const set = (name: string, over: Partial<typeof mandate> = {}, of = ctx()) =>
    edge.run('key_mandate_set', of, { id: idOf(name), ...mandate, ...over });
  const accept = (name: string, version = '2026-11-01', of = ctx()) =>
    edge.run('key_terms_accept', of, { id: idOf(name), version });
  const stored = async (name: string): Promise<KeyRow | null> =>
    edge.deps.keys.byKeyId(brand.workspaces.live, idOf(name));
  const versions = async (name: string) => edge.deps.mandates.of(brand.workspaces.live, idOf(name));
  const own = async (): Promise<string> => (await edge.deps.keys.own(brand.workspaces.live))?.key_id ?? '';
  const refusal = (reason: string) => ({ status: 409, body: { error: { code: 'conflict', details: { reason } } } });

  test('a new version is in force, stored permanently and gated before the answer', async () => {
    proves('mandate.set-by-person');
    edge.answer('keys_spent', () => ({ spent: [{ key_id: idOf('full'), spent_this_month_cents: 70 }] }));
    const before = edge.sent.length;
    expect(await set('full')).toMatchObject({
      status: 200,
      body: {
        key_id: idOf('full'),
        version: 3,
        max_plan_cents: 100,
        terms_version: '2026-11-01',
        spent_this_month_cents: 70,
      },
    });
    edge.answer('keys_spent', () => ({ spent: [] }));
    expect(await stored('full')).toMatchObject({ mandate_version: 3, mandate: { version: 3 } });
    expect((await versions('full')).map((row) => row.version)).toEqual([1, 2, 3]);
    expect(edge.sent.slice(before).filter(({ name }) => name === 'gate_raise')).toMatchObject([
      { input: { key_id: idOf('full'), version: 3 } },
    ]);
    const outbox = edge.shell.store.db.collection('outbox');
    expect(await outbox.countDocuments({ aggregate: idOf('full'), version: 3 })).toBe(1);
  });

  test('a crash between the commit and the key is made up for by the retry, and by the sweep', async () => {
    const apply = edge.deps.keyChanges.applyOf.bind(edge.deps.keyChanges);
    const request = ctx({ idempotencyKey: 'crashed-once' });
    edge.deps.keyChanges.applyOf = () => Promise.reject(unavailable('crashed here'));
    expect(await set('full', {}, request)).toMatchObject({ status: 503 });
    expect(await set('bare')).toMatchObject({ status: 503 });
    edge.deps.keyChanges.applyOf = apply;
    expect(await stored('full')).toMatchObject({ mandate_version: 2 });

    expect(await set('full', {}, request)).toMatchObject({ status: 200, replayed: true, body: { version: 3 } });
    expect(await stored('full')).toMatchObject({ mandate_version: 3 });

    const rows = new RowRunner(edge.shell.store, edge.shell.log);
    const sweep = (changes: Pick<KeyChanges, 'apply' | 'pending'>) =>
      pendingKeyChanges(changes, rows).run({} as never, brand.workspaces.live);
    expect(await sweep(edge.deps.keyChanges)).toBe(1);
    expect(await stored('bare')).toMatchObject({ mandate_version: 1, mandate: { max_plan_cents: 100 } });
  });

  test('the next version is decided on the last one even before the key has that', async () => {
    const lost = edge.deps.keyChanges.applyOf.bind(edge.deps.keyChanges);
    edge.deps.keyChanges.applyOf = () => Promise.reject(unavailable('crashed here'));
    await set('full', { max_plan_cents: 111 });
    edge.deps.keyChanges.applyOf = lost;
    expect(await set('full', { max_plan_cents: 150 })).toMatchObject({ status: 200, body: { version: 4 } });
    expect(await stored('full')).toMatchObject({ mandate_version: 4, mandate: { max_plan_cents: 150 } });
  });

  test('a change that fails does not stop the others, and is tried again', async () => {
    const apply = edge.deps.keyChanges.applyOf.bind(edge.deps.keyChanges);
    edge.deps.keyChanges.applyOf = () => Promise.reject(unavailable('crashed here'));
    await set('full');
    await set('bare');
    edge.deps.keyChanges.applyOf = apply;
    const half = new KeyChanges(
      edge.shell.store,
      {
        apply: (one) =>
          one.kind === 'mandate' && one.key_id === idOf('full')
            ? Promise.reject(new Error('no'))
            : edge.deps.keys.apply(one),
        changedBy: (one, now) => edge.deps.keys.changedBy(one, now),
      },
      edge.deps.windows,
      edge.deps.mandates,
      edge.deps.rightEnds,
    );
    const rows = new RowRunner(edge.shell.store, edge.shell.log);
    expect(await pendingKeyChanges(half, rows).run({} as never, null)).toBe(1);
    expect(await stored('bare')).toMatchObject({ mandate: { max_plan_cents: 100 } });
    expect(await pendingKeyChanges(edge.deps.keyChanges, rows).run({} as never, brand.workspaces.live)).toBe(1);
    expect(await stored('full')).toMatchObject({ mandate: { max_plan_cents: 100 } });
  });

  test('while billing is unavailable it is 503, the version is kept, and the same request succeeds later', async () => {
    const request = ctx({ idempotencyKey: 'billing-away' });
    edge.answer('gate_raise', () => {
      throw unavailable('m');
    });
    expect(await set('bare', {}, request)).toMatchObject({ status: 503 });
    edge.answer('gate_raise', () => ({ min_mandate_version: 1 }));
    expect(await stored('bare')).toMatchObject({ mandate_version: 1 });
    expect(await edge.shell.store.db.collection('outbox').countDocuments({ aggregate: idOf('bare') })).toBe(1);
    expect(await set('bare', {}, request)).toMatchObject({ status: 200, replayed: true, body: { version: 1 } });
    expect(await versions('bare')).toHaveLength(1);
  });

  test('a mandate that may sign is 422 for a key without the scope', async () => {
    expect(await set('reader')).toMatchObject({
      status: 422,
      body: { error: { details: { problems: [{ field: 'may_approve', message: expect.any(String) }] } } },
    });
  });

  test('a removal is a version without limits, answers 204 and happens once; numbering continues', async () => {
    const remove = () => edge.run('key_mandate_remove', ctx(), { id: idOf('full') });
    expect(await remove()).toEqual({ status: 204, replayed: false, body: null });
    expect(await stored('full')).toMatchObject({ mandate: null, mandate_version: 3 });
    expect(await remove()).toMatchObject({ status: 204 });
    expect(await versions('full')).toHaveLength(3);
    expect(await set('full')).toMatchObject({ status: 200, body: { version: 4, terms_version: null } });
  });

  test('two changes at once are two versions', async () => {
    const both = await Promise.all([1, 2].map((max_plan_cents) => set('full', { max_plan_cents })));
    expect(both.map(({ body }) => (body as { version: number }).version).sort()).toEqual([3, 4]);
  });

  test('a foreign key, an absent one and a revoked one get the same answer', async () => {
    const other = await makeBrand(edge);
    await edge.run('key_revoke', ctx(), { id: idOf('muted') });
    const answers = [];
    for (const id of [other.ids['full'] ?? '', '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b', idOf('muted')])
      answers.push(await edge.run('key_mandate_set', ctx(), { id, ...mandate }));
    expect(answers[0]).toMatchObject({ status: 404 });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('accepting the current terms is a version with a record of who and how', async () => {
    proves('mandate.terms-accepted');
    await set('bare');
    expect(await accept('bare')).toMatchObject({
      status: 200,
      body: { version: 2, terms_version: '2026-11-01', terms_accepted_email: owner.email },
    });
    const rows = edge.shell.store.db.collection('terms_acceptances');
    expect(await rows.findOne({ key_id: idOf('bare') })).toMatchObject({
      mandate_version: 2,
      terms_version: '2026-11-01',
      text_sha256: 'a1',
      person: owner.person_id,
      email: owner.email,
      address: '192.0.2.1',
      user_agent: 'test',
    });
    const { body } = await edge.run('terms_get', ctx({ role: 'viewer' }));
    expect(body).toMatchObject({
      current: { version: '2026-11-01', number: 1, text: 'terms' },
      acceptances: expect.arrayContaining([
        {
          key_id: idOf('bare'),
          version: '2026-11-01',
          person: owner.person_id,
          email: owner.email,
          accepted_at: expect.any(String),
        },
      ]),
    });
  });

  test('setting may_approve to false clears the terms, the record stays, and true needs a new acceptance', async () => {
    expect(await set('full', { may_approve: false })).toMatchObject({
      body: { terms_version: null, terms_accepted_at: null },
    });
    expect(await set('full')).toMatchObject({ body: { may_approve: true, terms_version: null } });
    const rows = edge.shell.store.db.collection('terms_acceptances');
    expect(await rows.countDocuments({ key_id: idOf('full') })).toBe(1);
    expect(await accept('full')).toMatchObject({ body: { terms_version: '2026-11-01' } });
  });

  test.each([
    ['another version', 'full', '2026-01-01', 'terms_superseded'],
    ['a key that may not sign', 'muted', '2026-11-01', 'approval_not_allowed'],
    ['a key without a mandate', 'bare', '2026-11-01', 'approval_not_allowed'],
  ])('%s cannot be accepted', async (_name, key, version, reason) => {
    expect(await accept(key, version)).toMatchObject(refusal(reason));
  });

  test('the own agent key takes a mandate but no terms: whoever signs accepts them in person', async () => {
    const id = await own();
    expect(await edge.run('key_mandate_set', ctx(), { id, ...mandate })).toMatchObject({
      status: 200,
      body: { version: 2, max_plan_cents: 100, terms_version: null },
    });
    expect(await edge.run('key_terms_accept', ctx(), { id, version: '2026-11-01' })).toMatchObject(
      refusal('bad_state'),
    );
    expect(await edge.run('terms_accept', ctx(), { version: '2026-01-01' })).toMatchObject(refusal('terms_superseded'));

    expect(await edge.run('terms_accept', ctx(), { version: '2026-11-01' })).toMatchObject({
      status: 200,
      body: { key_id: null, version: '2026-11-01', person: owner.person_id, email: owner.email },
    });
    expect(await edge.deps.mandates.acceptedBy(id, owner.person_id)).toMatchObject({
      terms_version: '2026-11-01',
    });
    expect(await edge.deps.mandates.acceptedBy(id, 'another')).toBeNull();
    expect(await edge.deps.keys.byKeyId(brand.workspaces.live, id)).toMatchObject({ mandate: { terms_version: null } });
  });
});
