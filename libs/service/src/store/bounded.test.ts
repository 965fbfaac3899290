import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Deadline, DeadlineOver } from '../deadline/deadline.js';
import { testStore } from '../testing/store.js';
import type { Collection } from './collection.js';
import { Store } from './store.js';

type Row = { _id: number };

/** A way to the test run's mongod on which the server's answers can be held back, as if it were frozen. */
class Line {
  private silent = false;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async open(host: string, port: number): Promise<Line> {
    const server = createServer();
    const line = new Line(server);
    server.on('connection', (near) => {
      const far = connect(port, host);
      for (const socket of [near, far]) {
        line.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => void [near.destroy(), far.destroy()]);
      }
      near.pipe(far);
      far.on('data', (bytes) => (line.silent ? undefined : near.write(bytes)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return line;
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  hush(): void {
    this.silent = true;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** docs/reliability.md#mongodb: the driver, too, ends a statement at its deadline. */
describe('a statement of a server that does not answer', () => {
  let test: Awaited<ReturnType<typeof testStore>>;
  const opened: { store: Store; line: Line }[] = [];
  beforeAll(async () => {
    test = await testStore('bounded');
  });
  afterAll(async () => {
    for (const { store, line } of opened) {
      await line.close();
      await store.close();
    }
    await test.drop();
  });

  /** Rows behind a line that has just gone silent, with a connection in use. */
  const silenced = async (): Promise<Collection<Row>> => {
    const { host, username, password } = new URL((process.env['CDS_TEST_MONGODB_URI'] ?? '').replace(/,[^/]*/, ''));
    const [name = '', port = '27017'] = host.split(':');
    const line = await Line.open(name, Number(port));
    const who = username === '' ? '' : `${username}:${password}@`;
    const uri = `mongodb://${who}127.0.0.1:${line.port}/?directConnection=true`;
    const store = await Store.open({ uri, db: test.store.name }, pino({ level: 'silent' }), () => undefined);
    opened.push({ store, line });
    const rows = store.db.collection<Row>('rows');
    await rows.findOne({});
    line.hush();
    return rows;
  };

  it.each<[string, (rows: Collection<Row>) => Promise<unknown>]>([
    ['a read of one', (rows) => rows.findOne({}, { maxTimeMS: 200 })],
    ['a read of many', (rows) => rows.find({}, { maxTimeMS: 200 }).toArray()],
    ['an aggregation', (rows) => rows.aggregate([], { maxTimeMS: 200 }).toArray()],
    ['an insert', (rows) => rows.insertOne({ _id: 1 }, { maxTimeMS: 200 })],
    ['an update', (rows) => rows.updateOne({ _id: 1 }, { $set: {} }, { maxTimeMS: 200 })],
    ['inserts', (rows) => rows.insertMany([{ _id: 3 }], { maxTimeMS: 200 })],
    ['a bulk of writes', (rows) => rows.bulkWrite([{ insertOne: { document: { _id: 2 } } }], { maxTimeMS: 200 })],
  ])('%s ends with its own time', async (_name, statement) => {
    const rows = await silenced();
    expect(await Deadline.detached(() => statement(rows)).catch((error: unknown) => error)).toBeInstanceOf(
      DeadlineOver,
    );
  });
});
