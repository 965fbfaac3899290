import { describe, expect, test } from '@jest/globals';
import { inboxOf, mayCall, natsPermissions, producersFor } from './permissions.js';
import { operations } from './registry.js';
import { CALLS, SERVICES } from './service.js';

/** Whether a NATS subject stands under a permission with its wildcards. */
const covers = (permission: string, subject: string): boolean => {
  const [parts, tokens] = [permission.split('.'), subject.split('.')];
  const rest = parts.indexOf('>');
  if (rest === -1 && parts.length !== tokens.length) return false;
  if (rest !== -1 && tokens.length <= rest) return false;
  return parts.slice(0, rest === -1 ? undefined : rest).every((part, index) => part === '*' || part === tokens[index]);
};

const mayPublish = (service: (typeof SERVICES)[number], subject: string): boolean =>
  natsPermissions(service).publish.some((permission) => covers(permission, subject));

describe.each(SERVICES.map((service) => [service] as const))('%s', (service) => {
  const { publish, subscribe } = natsPermissions(service);

  test('reads its own requests and its own answers only', () => {
    expect(subscribe).toEqual([`cds.${service}.*`, `_INBOX_${service}.>`]);
  });

  test('sends exactly the requests that it may', () => {
    const sent = publish.filter((subject) => subject.startsWith('cds.'));
    expect(sent).toEqual(
      operations
        .filter((operation) => mayCall(service, operation))
        .map((operation) => `cds.${operation.service}.${operation.name}`),
    );
    expect(sent.every((subject) => !subject.includes('*') && !subject.includes('>'))).toBe(true);
  });

  test('answers exactly those who may call it', () => {
    const callers = SERVICES.filter((caller) => (CALLS[caller] as readonly string[]).includes(service));
    expect(publish.filter((subject) => subject.startsWith('_INBOX'))).toEqual(
      callers.map((caller) => `${inboxOf(caller)}.>`),
    );
  });

  test('writes its own stream and no other', () => {
    for (const other of SERVICES) {
      expect(mayPublish(service, `evt.${other}.order.changed`)).toBe(other === service);
      expect(mayPublish(service, `$JS.API.STREAM.UPDATE.EVT_${other.toUpperCase()}`)).toBe(other === service);
      expect(mayPublish(service, `$JS.API.STREAM.DELETE.EVT_${other.toUpperCase()}`)).toBe(false);
    }
  });

  test('pulls only the durables that are its own', () => {
    for (const producer of SERVICES) {
      const own = `$JS.API.CONSUMER.MSG.NEXT.EVT_${producer.toUpperCase()}.${service}_from_${producer}`;
      const foreign = `$JS.API.CONSUMER.MSG.NEXT.EVT_${producer.toUpperCase()}.other_from_${producer}`;
      expect(mayPublish(service, own)).toBe(producersFor(service).includes(producer));
      expect(mayPublish(service, foreign)).toBe(false);
    }
  });

  test('names each subject once', () => {
    expect(new Set(publish).size).toBe(publish.length);
  });
});

test('the gateway reaches every operation with a door of another service', () => {
  const missing = operations.filter(
    (operation) =>
      operation.rest !== undefined &&
      operation.service !== 'gateway' &&
      !mayPublish('gateway', `cds.${operation.service}.${operation.name}`),
  );
  expect(missing).toEqual([]);
});

test('billing reaches the signing of planning, and metrics does not', () => {
  expect(mayPublish('billing', 'cds.planning.plan_sign')).toBe(true);
  expect(mayPublish('metrics', 'cds.planning.plan_sign')).toBe(false);
});
