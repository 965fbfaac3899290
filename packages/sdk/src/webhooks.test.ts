import { beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, type WebhookError } from './index.js';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another of twenty-four!!').toString('base64')}`;
const ID = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';

describe('a webhook', () => {
  const at = new Date();
  const event = { id: 'e1', kind: 'plan.signed', aggregate: { type: 'plan', id: 'p1' }, data: { text: 'Größe ✓' } };
  // As the service sends it (docs/domain/events.md#webhooks).
  const payload = JSON.stringify({ type: event.kind, timestamp: at.toISOString(), data: event });
  let headers: Record<string, string>;

  const signatureOf = (secret: string, text = payload, time = at): string => new Webhook(secret).sign(ID, time, text);
  const reasonOf = (secret: string | string[], text = payload): Promise<string> =>
    verifyWebhook(text, headers, secret).then(
      () => 'accepted',
      (error: WebhookError) => error.reason,
    );

  beforeEach(() => {
    headers = {
      'webhook-id': ID,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': signatureOf(SECRET),
    };
  });

  it('that an independent implementation signed is accepted, and what it accepts is the same', async () => {
    expect(new Webhook(SECRET).verify(payload, headers)).toEqual(await verifyWebhook(payload, headers, SECRET));
  });

  it('is accepted as text and as bytes, with headers as an object or as Headers, in any case', async () => {
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    const bytes = new TextEncoder().encode(payload);
    for (const [body, sent] of [
      [payload, new Headers(headers)],
      [bytes, upper],
      [payload, { ...headers, 'webhook-id': [ID] }],
    ] as const)
      expect(await verifyWebhook(body, sent, SECRET)).toMatchObject({ type: 'plan.signed', data: { id: 'e1' } });
  });

  it('is accepted by any of several secrets, while one is rotated', async () => {
    expect(await reasonOf([OTHER, SECRET])).toBe('accepted');
    expect(await reasonOf([OTHER])).toBe('no_match');
  });

  it('is accepted by any of several signatures, and those of another version are passed over', async () => {
    headers['webhook-signature'] = `v1a,bm90IG91cnM= ${signatureOf(OTHER)} ${signatureOf(SECRET)}`;
    expect(await reasonOf(SECRET)).toBe('accepted');
    headers['webhook-signature'] = signatureOf(SECRET).replace('v1,', 'v1a,');
    expect(await reasonOf(SECRET)).toBe('no_match');
  });

  it.each([
    ['another body', () => undefined, `${JSON.stringify({ id: 'e2' })}`, 'no_match'],
    ['another id', () => ({ 'webhook-id': 'msg_other' }), undefined, 'no_match'],
    ['a cut signature', () => ({ 'webhook-signature': signatureOf(SECRET).slice(0, -4) }), undefined, 'no_match'],
    ['a signature that is no base64', () => ({ 'webhook-signature': 'v1,%%%' }), undefined, 'no_match'],
    ['no signature', () => ({ 'webhook-signature': '' }), undefined, 'missing_header'],
    ['a time that is no number', () => ({ 'webhook-timestamp': '12 o’clock' }), undefined, 'bad_timestamp'],
  ])('with %s is refused', async (_case, changed, text, reason) => {
    Object.assign(headers, changed());
    expect(await reasonOf(SECRET, text)).toBe(reason);
  });

  it.each([
    ['300 seconds old', 300, 'accepted'],
    ['301 seconds old', 301, 'too_old'],
    ['300 seconds ahead', -300, 'accepted'],
    ['301 seconds ahead', -301, 'too_new'],
  ])('that is %s is %s', async (_case, age, expected) => {
    const seconds = Math.floor(at.getTime() / 1_000);
    const now = (seconds + Number(age)) * 1_000;
    const outcome = await verifyWebhook(payload, headers, SECRET, { now }).then(
      () => 'accepted',
      (error: WebhookError) => error.reason,
    );
    expect(outcome).toBe(expected);
  });

  it('that is signed but is no JSON is refused', async () => {
    headers['webhook-signature'] = signatureOf(SECRET, 'hello');
    expect(await reasonOf(SECRET, 'hello')).toBe('bad_payload');
  });

  it('is not checked with a secret that is no secret', async () => {
    expect(await reasonOf('whsec_%%%')).toBe('bad_secret');
  });
});
