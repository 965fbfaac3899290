import { createHmac, randomUUID } from 'node:crypto';
import {
  answersOf,
  BUS_ADMIN,
  CALLS,
  durableOf,
  inboxOf,
  mayCall,
  type OperationDeclaration,
  operationByName,
  operations,
  operationsOf,
  producersFor,
  type Quote,
  SERVICES,
  type ServiceName,
  streamOf,
  subjectOf,
  type WireContext,
} from '@cds/contracts';
import { encodeRequest, toWire } from '@cds/service';
import { aCtx, aMandate } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { credentialsOf } from '../support/credentials.js';
import { startPlan } from '../support/main-job.js';
import { aBrand, ask, keptStack, type Stack, secretOf } from '../support/stack.js';
import { type Frame, Tap } from '../support/tap.js';

/**
 * Each service's real credentials, as a running stack gives them out, against everything they must not open: the bus,
 * the databases, the contexts of others, and the secrets of others (ADR 0008).
 */
const others = (service: ServiceName): readonly ServiceName[] => SERVICES.filter((one) => one !== service);
const callsTo = (service: ServiceName, callee: ServiceName): boolean =>
  (CALLS[service] as readonly ServiceName[]).includes(callee);

/** Subjects that a service may not publish on, each with what publishing would mean. */
const FORBIDDEN_TO_SAY: readonly (readonly [string, (service: ServiceName) => string[]])[] = [
  ['an operation that it may not call', (service) => operations.filter((one) => !mayCall(service, one)).map(subjectOf)],
  ['a fact of another', (service) => others(service).map((other) => `evt.${other}.order.changed`)],
  [
    'an answer to who may not ask it',
    (service) =>
      SERVICES.filter((other) => !callsTo(other, service) && other !== service).map((other) => `${inboxOf(other)}.x.1`),
  ],
  [
    'an answer in the name of another',
    (service) =>
      SERVICES.flatMap((caller) => others(service).map((other) => `${answersOf(caller, other)}.x.1`)).concat(
        others(service).map((caller) => `${inboxOf(caller)}.x.1`),
      ),
  ],
  [
    'another’s stream to be made, changed, emptied or deleted',
    (service) =>
      others(service)
        .flatMap((other) => ['CREATE', 'UPDATE', 'DELETE', 'PURGE'].map((verb) => [verb, streamOf(other)]))
        .map(([verb, stream]) => `$JS.API.STREAM.${verb}.${stream}`),
  ],
  [
    'a stream that nobody has',
    () => ['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'INFO'].map((verb) => `$JS.API.STREAM.${verb}.CAPTURED`),
  ],
  [
    'its own stream to be emptied or deleted',
    (service) => ['DELETE', 'PURGE'].map((verb) => `$JS.API.STREAM.${verb}.${streamOf(service)}`),
  ],
  [
    'a message of a stream to be read or deleted',
    () =>
      SERVICES.flatMap((one) =>
        ['MSG.GET', 'MSG.DELETE']
          .map((verb) => `$JS.API.STREAM.${verb}.${streamOf(one)}`)
          .concat(`$JS.API.DIRECT.GET.${streamOf(one)}`),
      ),
  ],
  [
    'a durable of another to be made, read, acknowledged or deleted',
    (service) =>
      others(service).flatMap((other) =>
        producersFor(other).flatMap((producer) => {
          const [stream, durable] = [streamOf(producer), durableOf(other, producer)];
          return [
            `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
            `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${durable}`,
            `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
            `$JS.API.CONSUMER.DELETE.${stream}.${durable}`,
            `$JS.ACK.${stream}.${durable}.1.1.1.1.1`,
          ];
        }),
      ),
  ],
  ['a consumer without a name', () => SERVICES.map((one) => `$JS.API.CONSUMER.CREATE.${streamOf(one)}`)],
  [
    'its own durable to be deleted',
    (service) =>
      producersFor(service).map(
        (producer) => `$JS.API.CONSUMER.DELETE.${streamOf(producer)}.${durableOf(service, producer)}`,
      ),
  ],
];

/** What only the process that declares streams and durables may request from JetStream. */
const FORBIDDEN_TO_DECLARE: readonly (readonly [string, (service: ServiceName) => string[]])[] = [
  [
    'its own stream to be made or changed',
    (service) => ['CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${streamOf(service)}`),
  ],
  [
    'its own durable to be made or changed',
    (service) =>
      producersFor(service).flatMap((producer) => {
        const [stream, durable] = [streamOf(producer), durableOf(service, producer)];
        return [
          `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
          `$JS.API.CONSUMER.CREATE.${stream}.${durable}.evt.>`,
          `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${durable}`,
        ];
      }),
  ],
];

const FORBIDDEN_TO_HEAR: readonly (readonly [string, (service: ServiceName) => string[]])[] = [
  ['requests to another', (service) => others(service).flatMap((other) => operationsOf(other).map(subjectOf))],
  ['every request', () => ['cds.>', '>', '*.>', 'cds.*.*']],
  ['answers to another', (service) => others(service).map((other) => `${inboxOf(other)}.>`)],
  ['facts past their stream', () => SERVICES.map((one) => `evt.${one}.>`)],
  ['JetStream', () => ['$JS.>', '$JS.API.>', '$JS.ACK.>']],
];

/** Names of the environment whose values open something; whatever ends like one is compared with this table. */
const SECRET = /(_PASSWORD|_KEYS?|_SECRETS?|_TOKEN|_PEPPERS|_URI)$/;
const SHARED = ['CDS_AUDIT_KEY', 'CDS_CTX_KEYS', 'CDS_MONGODB_URI', 'CDS_NATS_PASSWORD'];
const SECRETS: Readonly<Record<ServiceName, readonly string[]>> = {
  gateway: [...SHARED, 'CDS_KEY_PEPPERS', 'CDS_MAIL_RELAY_TOKEN', 'CDS_OPS_TOKEN', 'CDS_SEAL_KEYS'],
  catalog: [...SHARED, 'CDS_IDENTITY_MONGODB_URI'],
  planning: SHARED,
  billing: [...SHARED, 'CDS_PAY_FORM_KEY', 'CDS_PAY_TOKEN_KEYS', 'CDS_RECEIPT_KEYS', 'CDS_SANDBOX_RAIL_SECRET'],
  proposals: [...SHARED, 'CDS_CREATOR_LINK_KEYS'],
  metrics: SHARED,
};

describe('with its credentials a service', () => {
  let stack: Stack;
  let tap: Tap;
  let root: NatsConnection;
  const heard = new Map<string, number>();

  beforeAll(async () => {
    stack = await keptStack('shared');
    tap = await Tap.open(stack);
    root = await connect({ servers: stack.natsUrl.replace(/\/\/.*@/, '//'), ...rootUser(stack) });
    root.subscribe('>', {
      callback: (_error, message) => {
        const marker = Buffer.from(message.data.subarray(0, 64)).toString();
        if (marker.startsWith('mark-')) heard.set(`${marker} ${message.subject}`, 1);
      },
    });
    await root.flush();
  }, 120_000);

  afterAll(async () => {
    await Promise.all([tap?.close(), root?.close()]);
  });

  const openAs = async (service: ServiceName): Promise<NatsConnection> => {
    const { url, user, password } = credentialsOf(stack, service).bus;
    return connect({ servers: url, user, pass: password, inboxPrefix: inboxOf(service), reconnect: false });
  };

  /**
   * The subjects of `said` that arrived, after both ends have worked off everything. What the service may say follows
   * them and must arrive, or silence would be no refusal.
   */
  const arrivedOf = async (service: ServiceName, said: readonly string[]): Promise<string[]> => {
    const allowed = operations
      .filter((one) => mayCall(service, one))
      .slice(0, 1)
      .map(subjectOf);
    const marker = `mark-${randomUUID()}`;
    const mine = await openAs(service);
    for (const subject of [...said, ...allowed]) mine.publish(subject, marker);
    await mine.flush();
    await root.flush();
    await mine.close();
    const arrived = (subject: string) => heard.has(`${marker} ${subject}`);
    expect([service, allowed.map(arrived)]).toEqual([service, [true]]);
    return said.filter(arrived);
  };

  describe.each(SERVICES.map((service) => [service] as const))('such as %s', (service) => {
    it.each(FORBIDDEN_TO_SAY)('never says %s', async (_what, subjectsOf) => {
      const subjects = subjectsOf(service);
      expect(await arrivedOf(service, subjects)).toEqual([]);
    });

    it.each(FORBIDDEN_TO_DECLARE.filter(([, subjectsOf]) => subjectsOf(service).length > 0))(
      'never asks for %s',
      async (_what, subjectsOf) => {
        expect(await arrivedOf(service, subjectsOf(service))).toEqual([]);
      },
    );

    it('hears what is its own, and nothing else', async () => {
      const mine = await openAs(service);
      const own = `${inboxOf(service)}.probe`;
      const foreign = FORBIDDEN_TO_HEAR.flatMap(([, subjectsOf]) => subjectsOf(service));
      const got: string[] = [];
      const refused: string[] = [];
      for (const subject of [own, ...foreign])
        for (const queue of [undefined, service]) {
          const callback = (error: Error | null) => void (error === null ? got : refused).push(`${subject} ${queue}`);
          mine.subscribe(subject, { callback, ...(queue === undefined ? {} : { queue }) });
        }
      await mine.flush();
      const said = others(service).flatMap((other) => [
        `${inboxOf(other)}.probe`,
        ...operationsOf(other).map(subjectOf),
      ]);
      for (const subject of [...said, own]) root.publish(subject, 'mark-heard');
      await root.flush();
      await mine.flush();
      await mine.close();
      const both = (subjects: readonly string[]) =>
        new Set(subjects.flatMap((subject) => [`${subject} undefined`, `${subject} ${service}`]));
      expect({ got: new Set(got), refused: new Set(refused) }).toEqual({ got: both([own]), refused: both(foreign) });
    });

    it('opens its own database and no other', async () => {
      const environment = stack.environmentOf(service);
      const users: [string, string[]][] = [[environment['CDS_MONGODB_URI'] ?? '', [service]]];
      const second = environment['CDS_IDENTITY_MONGODB_URI'];
      if (second !== undefined) users.push([second, ['identity', 'catalog']]);
      for (const [uri, own] of users) {
        const mongo = await MongoClient.connect(uri);
        const may = (run: () => Promise<unknown>) =>
          run().then(
            () => true,
            (error: { code?: number }) => (error.code === 13 ? false : Promise.reject(error)),
          );
        for (const name of [...SERVICES, 'identity']) {
          const rows = mongo.db(`${stack.prefix}cds_${name}`).collection('probe');
          const opened = {
            read: await may(() => rows.findOne({})),
            write: await may(() => rows.insertOne({})),
            watch: await may(() => rows.watch().tryNext()),
            drop: await may(() => rows.drop()),
          };
          const wanted = own.includes(name);
          expect({ name, ...opened }).toEqual({ name, read: wanted, write: wanted, watch: wanted, drop: wanted });
        }
        for (const command of [{ usersInfo: 1 }, { createUser: 'x', pwd: 'x', roles: [] }, { replSetGetStatus: 1 }])
          expect([command, await may(() => mongo.db('admin').command(command))]).toEqual([command, false]);
        await mongo.close();
      }
    });

    it('signs for no other issuer, to any other audience', async () => {
      const { ctxKeys } = credentialsOf(stack, service);
      const held = [...ctxKeys.to.values(), ...[...ctxKeys.from.values()].flat()];
      for (const issuer of others(service))
        for (const audience of others(service).filter((one) => operationsOf(one).length > 0 && one !== 'gateway'))
          for (const operation of [
            operationsOf(audience).find((one) => mayCall(issuer, one)),
            operationsOf(audience)[0],
          ])
            for (const key of held) {
              if (operation === undefined) continue;
              const wire = toWire(aCtx(), issuer, audience, randomUUID(), 5_000);
              const data = encodeRequest(subjectOf(operation), wire, {}, key);
              const reply = await tap.send(callerOf(operation), subjectOf(operation), data);
              expect([issuer, audience, reply.ok ? 'taken' : reply.error.code]).toEqual([
                issuer,
                audience,
                'forbidden',
              ]);
            }
    });

    it('holds only the secrets that it uses', () => {
      const names = Object.keys(stack.environmentOf(service)).filter((name) => SECRET.test(name));
      expect(new Set(names)).toEqual(new Set(SECRETS[service]));
    });
  });

  it('such as bus-admin opens the bus alone, and there only what declaring needs', async () => {
    const environment = stack.environmentOf(BUS_ADMIN);
    const secret = Object.keys(environment).filter((name) => SECRET.test(name));
    expect(secret).toEqual(['CDS_NATS_PASSWORD']);
    const admin = await connect({
      servers: environment['CDS_NATS_URL'] ?? '',
      user: environment['CDS_NATS_USER'] ?? '',
      pass: environment['CDS_NATS_PASSWORD'] ?? '',
      inboxPrefix: `_INBOX_${BUS_ADMIN}`,
      reconnect: false,
    });
    const marker = `mark-${randomUUID()}`;
    const forbidden = [
      ...operations.map(subjectOf),
      ...SERVICES.flatMap((one) => [
        `evt.${one}.order.changed`,
        `${inboxOf(one)}.x.1`,
        ...['DELETE', 'PURGE', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE'].map(
          (verb) => `$JS.API.STREAM.${verb}.${streamOf(one)}`,
        ),
        ...producersFor(one).flatMap((producer) =>
          ['DELETE', 'MSG.NEXT', 'PAUSE'].map(
            (verb) => `$JS.API.CONSUMER.${verb}.${streamOf(producer)}.${durableOf(one, producer)}`,
          ),
        ),
      ]),
      '$JS.API.STREAM.CREATE.CAPTURED',
    ];
    const may = `$JS.API.STREAM.INFO.${streamOf('billing')}`;
    for (const subject of [...forbidden, may]) admin.publish(subject, marker);
    await admin.flush();
    await root.flush();
    await admin.close();
    expect([...forbidden, may].filter((subject) => heard.has(`${marker} ${subject}`))).toEqual([may]);
  });

  it('holds no value of another, but the one that both ends of a pair share', () => {
    const holders = new Map<string, string[]>();
    const note = (value: string, who: string) => holders.set(value, [...(holders.get(value) ?? []), who]);
    for (const service of SERVICES) {
      const environment = stack.environmentOf(service);
      for (const name of SECRETS[service].filter((one) => one !== 'CDS_CTX_KEYS'))
        note(environment[name] ?? '', service);
      const keys = JSON.parse(environment['CDS_CTX_KEYS'] ?? '') as Record<'to' | 'from', Record<string, string>>;
      for (const [callee, key] of Object.entries(keys.to)) note(key, `${service}>${callee}`);
      for (const [caller, key] of Object.entries(keys.from)) note(key, `${caller}>${service}`);
    }
    for (const who of holders.values()) if (who.length > 1) expect([who.length, new Set(who).size]).toEqual([2, 1]);
  });

  describe('such as catalog cannot approve a plan: its request', () => {
    let frames: Frame[];
    let ws: string;
    let quote: Quote;
    const approve = subjectOf(operationByName('approve_plan') as OperationDeclaration);

    const frameOf = (operation: string): Frame => {
      const frame = frames.find((one) => one.operation === operation);
      if (frame === undefined) throw new Error(`no ${operation} crossed the bus`);
      return frame;
    };
    /** A context like the gateway’s, for a key without any limit. */
    const unlimited = (over: Partial<WireContext> = {}): WireContext => {
      const { context } = frameOf('plan_quote');
      const mandate = aMandate({ max_plan_cents: 1e12, monthly_cap_cents: 1e12 });
      const principal = { ...context.principal, mandate, mandate_version: 99 };
      const command = { id: randomUUID().replaceAll('-', ''), fp: 'r1:forged' };
      const time = { deadline: Date.now() + 20_000, remaining_ms: 20_000 };
      return {
        ...context,
        iss: 'gateway',
        aud: 'billing',
        frame_id: randomUUID(),
        principal,
        command,
        ...time,
        ...over,
      };
    };
    const input = () => ({ id: quote.plan_id, terms_fingerprint: quote.terms_fingerprint });
    const codeOf = async (caller: ServiceName, data: Uint8Array): Promise<string> => {
      const reply = await tap.send(caller, approve, data);
      return reply.ok ? 'signed' : reply.error.code;
    };

    beforeAll(async () => {
      const { sandbox } = await aBrand(stack);
      ws = sandbox.id;
      const key = secretOf(sandbox, 'full');
      await tap.taken();
      const started = await startPlan(stack, key);
      quote = (await ask(stack, key, 'plan_quote', { id: started.plan.plan_id })).body as Quote;
      frames = await tap.taken();
    });

    it('does not reach billing at all', async () => {
      expect(await arrivedOf('catalog', [approve])).toEqual([]);
    });

    it('is refused with a forged context under every key that catalog holds', async () => {
      const { ctxKeys } = credentialsOf(stack, 'catalog');
      for (const key of [...ctxKeys.to.values(), ...[...ctxKeys.from.values()].flat()])
        for (const iss of SERVICES)
          expect(await codeOf('gateway', encodeRequest(approve, unlimited({ iss }), input(), key))).toBe('forbidden');
    });

    it('is refused with frames that were captured: as they are, with another input, with another context', async () => {
      for (const { data } of frames) expect(await codeOf('gateway', data)).toBe('forbidden');
      const { data, context } = frameOf('quote_facts');
      const signature = Buffer.from(data.subarray(0, 44));
      for (const head of [context, unlimited(), unlimited({ iss: context.iss })]) {
        const forged = Buffer.concat([signature, Buffer.from(`${JSON.stringify(head)}\n${JSON.stringify(input())}`)]);
        expect(await codeOf('gateway', forged)).toBe('forbidden');
      }
    });

    it('is refused with a signature over the context alone', async () => {
      const [key] = [credentialsOf(stack, 'catalog').ctxKeys.from.get('gateway')].flat();
      if (key === undefined) throw new Error('catalog holds no key of the gateway');
      const head = JSON.stringify(unlimited());
      const overContext = createHmac('sha256', key).update(head).digest('base64url');
      expect(await codeOf('gateway', Buffer.from(`${overContext}\n${head}\n${JSON.stringify(input())}`))).toBe(
        'forbidden',
      );
    });

    it('is accepted under the gateway’s own key, as a control, and nothing was signed before', async () => {
      const mongo = await MongoClient.connect(stack.mongodbUri);
      const billing = mongo.db(`${stack.prefix}cds_billing`);
      expect(await billing.collection('orders').countDocuments({ ws })).toBe(0);
      expect(await billing.collection('authority').countDocuments({ ws, 'holds.0': { $exists: true } })).toBe(0);
      await mongo.close();
      const key = credentialsOf(stack, 'gateway').ctxKeys.to.get('billing');
      if (key === undefined) throw new Error('the gateway holds no key for billing');
      expect(await codeOf('gateway', encodeRequest(approve, unlimited(), input(), key))).toBe('signed');
    });
  });
});

/** Who may be answered by an operation's service: the inbox a reply is allowed to go to. */
const callerOf = (operation: OperationDeclaration): ServiceName =>
  operation.rest === undefined ? (operation.callers?.[0] ?? 'gateway') : 'gateway';

const rootUser = (stack: Stack): { user: string; pass: string } => {
  const { username, password } = new URL(stack.natsUrl.replace('nats:', 'http:'));
  return { user: username, pass: decodeURIComponent(password) };
};
