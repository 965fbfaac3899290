import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeBrand } from '../../test/edge-app.js';
import { ask, errorOf, type HttpAnswer } from '../../test/http.js';
import { type SignedIn, signIn } from '../../test/people.js';
import { testEdge } from '../../test/suite.js';

/** Sign-up of a company (docs/domain/sign-in.md#sign-up). */
describe('sign-up', () => {
  const edge = testEdge('sign_up', 'test', ['127.0.0.0/8']);
  let known: SignedIn;
  const statements: string[] = [];

  beforeAll(async () => {
    known = await signIn(edge, await makeBrand(edge));
    edge.shell.store.onCommand(({ commandName, command }) => {
      statements.push(`${commandName} ${JSON.stringify(command[commandName])}`);
    });
  });
  beforeEach(async () => {
    edge.counters.reset();
    await rows('quotas').deleteMany({});
  });

  const rows = (name: string) => edge.shell.store.db.collection<Record<string, unknown>>(name);
  const form = { company: 'Acme', website: 'https://acme.example', name: 'Ada Lovelace', email: 'ada@acme.example' };
  const signUp = (over: Record<string, unknown> = {}): Promise<HttpAnswer> =>
    ask(edge.url, '/api/signup', { method: 'POST', body: { ...form, ...over } });
  const brandsOf = (email: string) => rows('brands').find({ 'applicant.email': email }).toArray();
  const kindsTo = async (to: string) =>
    (await edge.people.messages.rows.find({ to, blank: false }).toArray()).map(({ kind }) => kind);

  test('a company becomes a pending brand, and its person gets a receipt', async () => {
    expect(await signUp()).toMatchObject({ status: 202, json: { status: 'pending' } });
    expect(await brandsOf(form.email)).toMatchObject([
      {
        name: 'Acme',
        status: 'pending',
        website: 'https://acme.example/',
        applicant: { name: 'Ada Lovelace', email: form.email },
      },
    ]);
    expect(await kindsTo(form.email)).toEqual(['signed_up']);
  });

  test('a pending address opens nothing', async () => {
    await ask(edge.url, '/api/brand/sign-in', { method: 'POST', body: { email: form.email } });
    expect(await kindsTo(form.email)).not.toContain('sign_in');
  });

  test('an address that was invited, or removed, may sign up; one that works in a brand gets the same answer and no brand', async () => {
    const brand = await makeBrand(edge);
    const people = { joined: await signIn(edge, brand), invited: await signIn(edge, brand) };
    const removed = await signIn(edge, brand);
    await rows('members').updateOne({ person_id: people.invited.person_id }, { $set: { joined_at: null } });
    await rows('members').deleteOne({ person_id: removed.person_id });
    for (const [{ email }, brands] of [
      [people.joined, 0],
      [people.invited, 1],
      [removed, 1],
    ] as const) {
      const answer = await signUp({ email, company: `Of ${email.slice(0, 20)}` });
      expect(answer).toMatchObject({ status: 202, json: { status: 'pending' } });
      expect(await brandsOf(email)).toHaveLength(brands);
      expect(await kindsTo(email)).toContain(brands === 0 ? 'known_address' : 'signed_up');
    }
  });

  test('a receipt repeats nothing that was typed', async () => {
    await signUp({ email: 'victim@mail.example', company: 'Buy at spam dot example', name: 'Cheap Pills' });
    const sent = JSON.stringify(await rows('messages').find({ to: 'victim@mail.example' }).toArray());
    expect(sent).not.toMatch(/spam dot|Pills|acme/i);
  });

  test('known and unknown addresses take equal work', async () => {
    const workOf = async (email: string, company: string) => {
      statements.length = 0;
      await signUp({ email, company });
      const counted = statements.filter((one) => !one.includes('switches'));
      // Which of two collections an insert goes to is all that differs.
      return counted
        .map((one) => one.replace(/^insert "(brands|messages)"/, 'insert'))
        .sort((a, b) => (a < b ? -1 : 1));
    };
    const unknown = await workOf('work@new.example', 'Work');
    expect(await workOf(known.email, 'Work known')).toEqual(unknown);
    expect(unknown.length).toBeGreaterThan(5);
  });

  test('one address that signs up many times at once makes one brand', async () => {
    const email = 'many@new.example';
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => signUp({ email, company: `Many ${n}` })));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    expect(await brandsOf(email)).toHaveLength(1);
  });

  test('two companies of one name both become brands', async () => {
    const answers = await Promise.all(
      ['a@same.example', 'b@same.example'].map((email) => signUp({ email, company: 'Same' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(await rows('brands').countDocuments({ name: /^Same/ })).toBe(2);
  });

  test('a /64 of IPv6 signs up 10 times a day', async () => {
    const from = (address: string, email: string) =>
      ask(edge.url, '/api/signup', {
        method: 'POST',
        body: { ...form, company: email, email },
        headers: { 'x-forwarded-for': address },
      });
    for (let n = 0; n < 10; n += 1)
      expect((await from(`2001:db8:1:2::${n + 1}`, `n${n}@net.example`)).status).toBe(202);
    const refused = await from('2001:db8:1:2:ffff::1', 'late@net.example');
    expect(refused.status).toBe(429);
    expect(errorOf(refused)).toMatchObject({
      code: 'rate_limited',
      details: { reason: 'sign_up_limit', scope: 'address', limit: 10 },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(await brandsOf('late@net.example')).toEqual([]);
    expect((await from('2001:db8:1:3::1', 'next@net.example')).status).toBe(202);
  });

  test.each([
    ['company', { company: 'Аpple' }],
    ['company', { company: 'Acme\u202Eexe' }],
    ['website', { website: 'javascript:alert(1)' }],
    ['website', { website: 'https://user:secret@acme.example' }],
    ['website', { website: 'https://localhost' }],
    ['name', { name: 'Ada\r\nBcc: x@evil.example' }],
    ['email', { email: 'ada@acme.example\nBcc: x@evil.example' }],
  ])('a bad %s is 422', async (field, over) => {
    expect(errorOf(await signUp(over))).toMatchObject({ code: 'unprocessable', fields: [field] });
  });

  test('an unknown field is 400', async () => {
    expect(errorOf(await signUp({ role: 'owner' })).code).toBe('bad_request');
  });
});
