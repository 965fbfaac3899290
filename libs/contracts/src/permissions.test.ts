import { describe, expect, test } from '@jest/globals';
import { answersOf, BUS_ADMIN, busAdminPermissions, inboxOf, mayCall, natsPermissions } from './permissions.js';
import { events, operations } from './registry.js';
import { CALLS, SERVICES } from './service.js';
import { DURABLES, producersFor, STREAMS, WINDOWS, windowSubject } from './topology.js';

/** Whether a permission with wildcards covers a NATS subject. */
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

  test('receives only its own requests and replies', () => {
    expect(subscribe).toEqual([`cds.${service}.*`, `_INBOX_${service}.>`]);
  });

  test('sends exactly the requests it is allowed', () => {
    const sent = publish.filter((subject) => subject.startsWith('cds.'));
    expect(sent).toEqual(
      operations
        .filter((operation) => mayCall(service, operation))
        .map((operation) => `cds.${operation.service}.${operation.name}`),
    );
    expect(sent.every((subject) => !subject.includes('*') && !subject.includes('>'))).toBe(true);
  });

  test('replies exactly to its allowed callers', () => {
    const callers = SERVICES.filter((caller) => (CALLS[caller] as readonly string[]).includes(service));
    expect(publish.filter((subject) => subject.startsWith('_INBOX'))).toEqual(
      callers.map((caller) => `${answersOf(caller, service)}.>`),
    );
  });

  test('cannot reply for another service', () => {
    for (const caller of SERVICES)
      for (const other of SERVICES.filter((one) => one !== service)) {
        expect(mayPublish(service, `${answersOf(caller, other)}.x.1`)).toBe(false);
        expect(mayPublish(service, `${inboxOf(caller)}.x.1`)).toBe(false);
      }
  });

  test('counts in windows only as the gateway', () => {
    expect(mayPublish(service, windowSubject('id', 1))).toBe(service === 'gateway');
  });

  test('publishes only its own events', () => {
    for (const other of SERVICES) expect(mayPublish(service, `evt.${other}.order.changed`)).toBe(other === service);
  });

  test('cannot create, change or delete any stream or durable, not even its own', () => {
    for (const { name } of STREAMS)
      for (const verb of ['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'RESTORE', 'MSG.DELETE'])
        expect(mayPublish(service, `$JS.API.STREAM.${verb}.${name}`)).toBe(false);
    for (const { stream, name } of DURABLES) {
      for (const verb of ['CREATE', 'DURABLE.CREATE', 'DELETE', 'PAUSE'])
        expect(mayPublish(service, `$JS.API.CONSUMER.${verb}.${stream}.${name}`)).toBe(false);
      expect(mayPublish(service, `$JS.API.CONSUMER.CREATE.${stream}.${name}.evt.x`)).toBe(false);
    }
    expect(mayPublish(service, '$JS.API.CONSUMER.CREATE.EVT_BILLING')).toBe(false);
    expect(mayPublish(service, '$JS.API.STREAM.CREATE.OTHER')).toBe(false);
  });

  test('pulls only from its own durables', () => {
    for (const producer of SERVICES) {
      const own = `$JS.API.CONSUMER.MSG.NEXT.EVT_${producer.toUpperCase()}.${service}_from_${producer}`;
      const foreign = `$JS.API.CONSUMER.MSG.NEXT.EVT_${producer.toUpperCase()}.other_from_${producer}`;
      expect(mayPublish(service, own)).toBe(producersFor(service).includes(producer));
      expect(mayPublish(service, foreign)).toBe(false);
    }
  });

  test('lists each subject once', () => {
    expect(new Set(publish).size).toBe(publish.length);
  });
});

test('the gateway reaches every REST operation of other services', () => {
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

describe('bus-admin', () => {
  const { publish, subscribe } = busAdminPermissions();
  const may = (subject: string) => publish.some((permission) => covers(permission, subject));

  test('creates and changes exactly the declared streams and durables', () => {
    for (const { name } of STREAMS)
      for (const verb of ['CREATE', 'UPDATE', 'INFO']) expect(may(`$JS.API.STREAM.${verb}.${name}`)).toBe(true);
    for (const { stream, name } of DURABLES)
      for (const verb of ['CREATE', 'INFO']) expect(may(`$JS.API.CONSUMER.${verb}.${stream}.${name}`)).toBe(true);
    for (const name of WINDOWS.names)
      expect(['CREATE', 'UPDATE', 'INFO'].map((verb) => may(`$JS.API.STREAM.${verb}.${name}`))).toEqual([
        true,
        false,
        true,
      ]);
    expect(may('$JS.API.STREAM.NAMES')).toBe(true);
    expect(may('$JS.API.STREAM.CREATE.OTHER')).toBe(false);
    expect(may('$JS.API.CONSUMER.CREATE.EVT_BILLING.other')).toBe(false);
  });

  test('cannot delete, purge, pull, call an operation or publish an event', () => {
    for (const { name } of STREAMS)
      for (const verb of ['DELETE', 'PURGE', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE'])
        expect(may(`$JS.API.STREAM.${verb}.${name}`)).toBe(false);
    for (const { stream, name } of DURABLES)
      for (const verb of ['DELETE', 'MSG.NEXT']) expect(may(`$JS.API.CONSUMER.${verb}.${stream}.${name}`)).toBe(false);
    for (const { service, name } of operations) expect(may(`cds.${service}.${name}`)).toBe(false);
    for (const service of SERVICES) {
      expect(may(`evt.${service}.order.changed`)).toBe(false);
      expect(may(`_INBOX_${service}.x`)).toBe(false);
    }
    expect(subscribe).toEqual([`_INBOX_${BUS_ADMIN}.>`]);
  });
});

test('every consumer of an event has a durable on the stream of its producer', () => {
  for (const event of events)
    for (const consumer of event.consumers)
      expect(DURABLES.some((one) => one.consumer === consumer && one.producer === event.service)).toBe(true);
});
