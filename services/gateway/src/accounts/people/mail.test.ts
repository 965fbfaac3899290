import { createSecretKey } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Store } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { Mail } from './mail.js';
import { type Message, Messages } from './store/messages.js';

type Received = { from: string; to: string[]; text: string };

/** A mail server in this process, which takes messages or refuses them. */
const startServer = async () => {
  const received: Received[] = [];
  const server = { received, refuse: false, port: 0, close: async () => {} };
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (server.refuse) {
          callback(Object.assign(new Error('not now'), { responseCode: 451 }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  server.port = (smtp.server.address() as AddressInfo).port;
  server.close = () => new Promise((resolve) => smtp.close(() => resolve()));
  return server;
};

/** The delivery of messages to a mail server (docs/domain/pages.md#messages). */
describe('mail', () => {
  let store: Store;
  let drop: () => Promise<void>;
  let messages: Messages;
  let server: Awaited<ReturnType<typeof startServer>>;
  const warnings: object[] = [];
  let mail: Mail;

  const makeMail = () =>
    new Mail(
      messages,
      { smtpUrl: `smtp://127.0.0.1:${server.port}`, from: 'team@app.example', appUrl: 'https://app.example' },
      { warn: (line: object) => void warnings.push(line) } as never,
    );
  const queue = async (over: Partial<Message> = {}) =>
    messages.add(
      { kind: 'sign_in', to: 'ada@people.example', subject: 'Your link', text: 'Open it.', ...over },
      await store.now(),
    );
  const isDueNow = () => messages.rows.updateMany({}, [{ $set: { due_at: '$$NOW' } }]);

  beforeAll(async () => {
    ({ store, drop } = await testStore('mail'));
    messages = new Messages(store, { 1: createSecretKey(Buffer.alloc(32, 1)) });
    await store.migrate();
    server = await startServer();
  });
  afterAll(async () => {
    await server.close();
    await drop();
  });
  beforeEach(async () => {
    server.received.length = 0;
    server.refuse = false;
    warnings.length = 0;
    await messages.rows.deleteMany({});
    mail = makeMail();
  });
  afterEach(() => mail.close());

  test('a queued message is delivered once, with its link', async () => {
    await queue({ link: 'https://app.example/sign-in/secret' });
    expect(await mail.deliver()).toBe(1);
    expect(await mail.deliver()).toBe(0);

    const [row] = await messages.rows.find({}).toArray();
    expect(row?.sent_at).toBeInstanceOf(Date);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({ from: 'team@app.example', to: ['ada@people.example'] });
    expect(server.received[0]?.text).toContain('https://app.example/sign-in/secret');
    expect(server.received[0]?.text).toContain(`Message-ID: <${row?._id}@app.example>`);
  });

  test('a message for an address that nobody signs in with is never sent', async () => {
    await queue({ blank: true });
    expect(await mail.deliver()).toBe(0);
    expect(server.received).toEqual([]);
  });

  test('unsent messages are found by an index that holds no others', async () => {
    for (let n = 0; n < 20; n += 1) await queue({ to: `p${n}@people.example` });
    await messages.rows.updateMany({}, [{ $set: { sent_at: '$$NOW' } }]);
    for (let n = 0; n < 3; n += 1) await queue({ to: `q${n}@people.example` });
    let found: Record<string, unknown> = {};
    store.onCommand(({ commandName, command }) => {
      if (commandName === 'find') found = command;
    });
    expect(await messages.page(false, null, 50)).toHaveLength(3);
    const { find, filter, sort } = found;
    const { executionStats } = await store.db.command({ explain: { find, filter, sort }, verbosity: 'executionStats' });
    expect(executionStats).toMatchObject({ nReturned: 3, totalDocsExamined: 3 });
  });

  test('two processes deliver each message once', async () => {
    for (let n = 0; n < 20; n += 1) await queue({ to: `p${n}@people.example` });
    const other = makeMail();
    const sent = await Promise.all([mail.deliver(), other.deliver()]);
    other.close();
    expect(sent[0] + sent[1]).toBe(20);
    expect(new Set(server.received.map(({ to }) => to[0])).size).toBe(20);
    expect(server.received).toHaveLength(20);
  });

  test('a refused message is tried again later, and the log gets no address', async () => {
    server.refuse = true;
    await queue();
    expect(await mail.deliver()).toBe(0);
    expect(await mail.deliver()).toBe(0);
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toContain('ada@');

    server.refuse = false;
    await isDueNow();
    expect(await mail.deliver()).toBe(1);
    expect(await messages.rows.findOne({})).toMatchObject({ tries: 2 });
  });

  test('what a killed process took is sent again under the same Message-ID', async () => {
    await queue();
    const [row] = await messages.due();
    if (row === undefined) throw new Error('nothing is due');
    expect(await messages.take(row, 60_000)).toBe(true);
    expect(await mail.deliver()).toBe(0);
    await isDueNow();
    expect(await mail.deliver()).toBe(1);
    await messages.rows.updateMany({}, [{ $set: { sent_at: null, due_at: '$$NOW' } }]);
    expect(await mail.deliver()).toBe(1);
    const ids = server.received.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1]);
    expect(ids[0]).toBe(ids[1]);
  });

  test('while the mail server is away, nothing is lost', async () => {
    await server.close();
    await queue();
    expect(await mail.deliver()).toBe(0);
    server = await startServer();
    mail.close();
    mail = makeMail();
    await isDueNow();
    expect(await mail.deliver()).toBe(1);
  });

  test.each([
    ['a subject', { subject: 'Hello\r\nBcc: spy@evil.example\r\n\r\nbody' }],
    ['an address', { to: 'ada@people.example\r\nBcc: spy@evil.example' }],
    ['a line separator', { subject: 'Hello\u2028Bcc: spy@evil.example' }],
  ])('%s adds no header and no recipient', async (_name, over) => {
    await queue(over);
    await mail.deliver();
    for (const { to, text } of server.received) {
      expect(to).not.toContain('spy@evil.example');
      expect(text.split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im);
    }
  });
});
