import { randomBytes, randomUUID } from 'node:crypto';
import { durableOf, type EventName, eventByName, eventSubject } from '@cds/contracts';
import { AUDIT_FORMAT, type AuditRow, type CommandRow, type OutboxRow, uuid7 } from '@cds/service';
import type { Collection, Document, MongoClient } from 'mongodb';
import type { Stack } from '../../../tools/lib/stack.js';
import { ROWS, say } from './settings.js';

/** The services whose collections are filled, each with an event of its own and the service whose events it applies. */
const FILLED = [
  { service: 'planning', emits: 'plan.changed', follows: 'proposals' },
  { service: 'billing', emits: 'order.changed', follows: 'proposals' },
] as const satisfies { service: string; emits: EventName; follows: string }[];
type Filled = (typeof FILLED)[number];

type Made = { index: number; at: Date; ws: string };

/** A collection that every write adds to, and how old the oldest row is made, which is less than rows are kept. */
type Kind = {
  name: string;
  days: number;
  row: (made: Made, of: Filled) => Document & { _id: string };
};

const DAY_MS = 86_400_000;
const WORKSPACES = 1_000;
const INSERTED_AT_ONCE = 2_000;
/** While the database stores some, others are made. */
const INSERTERS = 2;
/** Whole answers would take 20 GB, and no statement reads those of others. */
const ANSWER = Buffer.alloc(200, '{}');

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

const KINDS: readonly Kind[] = [
  {
    name: 'commands',
    days: 6,
    row: ({ at }) =>
      ({
        _id: hex(32),
        op: 'plan_swap_creator',
        fp: `r1:${randomBytes(32).toString('base64url')}`,
        status: 200,
        body: ANSWER,
        headers: {},
        created_at: at,
        expires_at: new Date(at.getTime() + 7 * DAY_MS),
      }) satisfies Record<Exclude<keyof CommandRow, 'large' | 'sealed' | 'run' | 'sandbox'>, unknown>,
  },
  {
    name: 'outbox',
    days: 0.8,
    row: ({ at, ws }, { emits }) => {
      const aggregate = randomUUID();
      return {
        _id: uuid7(at),
        subject: eventSubject(eventByName(emits)),
        aggregate,
        version: 1,
        payload: { aggregate, version: 1, workspace: ws },
        state: 'sent',
        at,
        sent_at: at,
      } satisfies Record<Exclude<keyof OutboxRow, 'kept' | 'traceparent'>, unknown>;
    },
  },
  {
    name: 'inbox',
    days: 40,
    row: ({ at }, { service, follows }) => ({ _id: `${durableOf(service, follows)}|${uuid7(at)}`, at }),
  },
  {
    name: 'audit',
    days: 365,
    row: ({ index, at, ws }) =>
      ({
        _id: uuid7(at),
        ws,
        actor: `key:${randomUUID()}`,
        action: 'plan_swap_creator',
        object: randomUUID(),
        payload_hash: hex(32),
        at,
        format: AUDIT_FORMAT,
        sealed: true,
        seq: Math.floor(index / WORKSPACES) + 1,
        prev: hex(32),
        hash: hex(32),
        // Before the first one that the sealer counts.
        place: index - ROWS,
      }) satisfies Record<Exclude<keyof AuditRow, 'reason'>, unknown>,
  },
];

const filledOf = (client: MongoClient, { prefix }: Pick<Stack, 'prefix'>) =>
  FILLED.flatMap((of) =>
    KINDS.map((kind) => ({
      of,
      kind,
      title: `${of.service}.${kind.name}`,
      rows: client.db(`${prefix}cds_${of.service}`).collection<Document & { _id: string }>(kind.name),
    })),
  );

export const fill = async (client: MongoClient, stack: Stack): Promise<void> => {
  const workspaces = Array.from({ length: WORKSPACES }, () => randomUUID());
  const now = Date.now();
  for (const { service } of FILLED) await countAsVerified(client, stack, service);
  for (const { of, kind, title, rows } of filledOf(client, stack)) {
    say(`adding ${ROWS.toLocaleString('en')} rows to ${title}`);
    const oldest = now - kind.days * DAY_MS;
    await insert(rows, (index) => {
      const at = new Date(oldest + ((now - oldest) * index) / ROWS);
      return kind.row({ index, at, ws: workspaces[index % WORKSPACES] ?? '' }, of);
    });
  }
  // Otherwise the database still writes them to its files while operations are measured.
  await client.db('admin').command({ fsync: 1 });
};

/** The chains are made up, so the daily verification of the audit would find each of them broken. */
const countAsVerified = async (client: MongoClient, { prefix }: Stack, service: string): Promise<void> => {
  await client
    .db(`${prefix}cds_${service}`)
    .collection<Document & { _id: string }>('audit_duties')
    .updateOne({ _id: 'verify' }, { $set: { done_at: new Date() } }, { upsert: true });
};

const insert = async (
  rows: Collection<Document & { _id: string }>,
  rowAt: (index: number) => Document & { _id: string },
): Promise<void> => {
  let begun = 0;
  const inserter = async () => {
    while (begun < ROWS) {
      const from = begun;
      begun += INSERTED_AT_ONCE;
      const batch = Array.from({ length: Math.min(INSERTED_AT_ONCE, ROWS - from) }, (_none, at) => rowAt(from + at));
      await rows.insertMany(batch, { ordered: false, writeConcern: { w: 1 } });
    }
  };
  await Promise.all(Array.from({ length: INSERTERS }, inserter));
};
