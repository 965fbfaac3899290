import { type Collection, type Store, stepping, type Tx } from '@cds/service';
import { rolesThatMay } from '../../rights/domain/roles-that-may.js';
import { hashOf } from '../token-format.js';

/** A client that registered itself; it is dropped when nobody has used it for a while. */
export type OAuthClientRow = { _id: string; metadata: Record<string, unknown>; created_at: Date; expires_at: Date };

/** A sign-in that a person has not decided yet. Its id is hashed: whoever knows it, and has its cookie, decides. */
export type OAuthRequestRow = { _id: string; payload: Record<string, unknown>; expires_at: Date };

export type GrantedKey = { ws: string; key_id: string; public_id: string };

/** That a person let a client act as a key; its tokens count only while it is there. */
export type OAuthGrantRow = GrantedKey & {
  _id: string;
  client_id: string;
  client_name: string;
  redirect_host: string;
  granted_by: string;
  /** The grant counts only while that member may connect clients; absent in rows of an earlier version until swept. */
  member_id?: string;
  session_id?: string;
  payload: Record<string, unknown>;
  created_at: Date;
  /** When the client last got tokens; null before it has any. */
  renewed_at: Date | null;
  expires_at: Date;
};

/** A code or token, by the hash of its text. */
export type OAuthTokenRow = GrantedKey & {
  _id: string;
  kind: string;
  grant_id: string;
  audience: string | null;
  payload: Record<string, unknown>;
  /** When a code or refresh token was used: the second time ends its grant. */
  consumed_at: Date | null;
  expires_at: Date;
};

const expired = [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }] as const;

const alive = { $expr: { $gt: ['$expires_at', '$$NOW'] } };

/** Fields of a row that was found alive, and how long it still lives, by the database's clock. */
type Living<Row, Fields extends keyof Row> = Pick<Row, Fields> & { left_ms: number };

const LEFT = { left_ms: { $subtract: ['$expires_at', '$$NOW'] } } as const;

const inSeconds = (seconds: number) => ({ $add: ['$$NOW', seconds * 1_000] });

const living = async <Row extends { _id: string }, Fields extends keyof Row & string>(
  rows: Collection<Row>,
  filter: object,
  fields: readonly Fields[],
): Promise<Living<Row, Fields> | null> => {
  const projection = { ...Object.fromEntries(fields.map((field) => [field, 1])), ...LEFT };
  const row = await rows.findOne({ ...filter, ...alive } as never, { projection });
  return row as Living<Row, Fields> | null;
};

/** Keeps the valid grants: their person is still that member, in a role that may connect clients. */
const VALID = [
  { $match: alive },
  { $lookup: { from: 'members', localField: 'member_id', foreignField: '_id', as: 'members' } },
  {
    $match: {
      $or: [{ member_id: { $exists: false } }, { 'members.role': { $in: rolesThatMay('client') } }],
    },
  },
  { $project: { members: 0 } },
];

/** Stages that drop what no client has fetched yet, once the session that allowed it has ended. */
const FETCHED_OR_IN_SESSION = [
  {
    $lookup: {
      from: 'sessions',
      localField: 'session_id',
      foreignField: '_id',
      pipeline: [{ $match: alive }],
      as: 'sessions',
    },
  },
  {
    $match: {
      $or: [{ renewed_at: { $ne: null } }, { session_id: { $exists: false } }, { 'sessions.0': { $exists: true } }],
    },
  },
];

/** Stages that keep the grants of keys that nobody revoked. Tokens read their key themselves. */
const OF_KEYS = [
  {
    $lookup: {
      from: 'keys',
      localField: 'key_id',
      foreignField: 'key_id',
      pipeline: [{ $match: { revoked_at: null } }],
      as: 'keys',
    },
  },
  { $match: { 'keys.0': { $exists: true } } },
  { $project: { keys: 0 } },
];

/** Majority for a write, so that it never overtakes the end of a grant or of its member. */
const concernOf = (effect: 'read' | 'write') =>
  ({ readConcern: { level: effect === 'write' ? 'majority' : 'local' } }) as const;

const PAGE = 100;

export class OAuthRows {
  readonly clients: Collection<OAuthClientRow>;
  readonly requests: Collection<OAuthRequestRow>;
  readonly grants: Collection<OAuthGrantRow>;
  readonly tokens: Collection<OAuthTokenRow>;

  constructor(store: Store) {
    this.clients = store.collection<OAuthClientRow>({ name: 'oauth_clients', indexes: expired });
    this.requests = store.collection<OAuthRequestRow>({ name: 'oauth_requests', indexes: expired });
    this.grants = store.collection<OAuthGrantRow>({
      name: 'oauth_grants',
      indexes: [{ key: { ws: 1, created_at: 1 } }, { key: { member_id: 1 } }, ...expired],
    });
    this.tokens = store.collection<OAuthTokenRow>({
      name: 'oauth_tokens',
      indexes: [{ key: { ws: 1, grant_id: 1 } }, ...expired],
    });
  }

  async saveClient(id: string, metadata: Record<string, unknown>, livesS: number): Promise<void> {
    const times = { created_at: '$$NOW', expires_at: inSeconds(livesS) };
    await this.clients.updateOne({ _id: id }, [{ $set: { metadata: { $literal: metadata }, ...times } }], {
      upsert: true,
    });
  }

  client(id: string): Promise<OAuthClientRow | null> {
    return this.clients.findOne({ _id: id, ...alive });
  }

  async saveRequest(uid: string, payload: Record<string, unknown>, livesS: number): Promise<void> {
    const set = { payload: { $literal: payload }, expires_at: inSeconds(livesS) };
    await this.requests.updateOne({ _id: hashOf(uid) }, [{ $set: set }], { upsert: true });
  }

  request(uid: string): Promise<Living<OAuthRequestRow, 'payload'> | null> {
    return living(this.requests, { _id: hashOf(uid) }, ['payload']);
  }

  /** Writes down what the person decided; false when the request has ended. */
  async decide(uid: string, result: Record<string, unknown>, tx?: Tx): Promise<boolean> {
    const decided = await this.requests.updateOne(
      { _id: hashOf(uid), ...alive },
      [{ $set: { 'payload.result': { $literal: result } } }],
      tx?.options(),
    );
    return decided.matchedCount === 1;
  }

  async dropRequest(uid: string): Promise<void> {
    await this.requests.deleteOne({ _id: hashOf(uid) });
  }

  /** Stores a grant; false when it is there. A second decision leaves it as its client renewed it. */
  async addGrant(tx: Tx, { _id, ...row }: OAuthGrantRow): Promise<boolean> {
    const added = await this.grants.updateOne({ _id }, { $setOnInsert: row }, { upsert: true, ...tx.options() });
    return added.upsertedCount === 1;
  }

  /** A valid grant and its remaining life; while no token was fetched, valid only as long as its session. */
  async grant(id: string): Promise<Living<OAuthGrantRow, 'payload'> | null> {
    const stages = [...FETCHED_OR_IN_SESSION, { $project: { payload: 1, ...LEFT } }];
    return (await this.valid<Living<OAuthGrantRow, 'payload'>>({ _id: id }, stages))[0] ?? null;
  }

  async stands(id: string, effect: 'read' | 'write'): Promise<boolean> {
    return (await this.valid({ _id: id }, [{ $project: { _id: 1 } }], effect)).length > 0;
  }

  /** The clients signed in to a workspace, oldest first. Those that never fetched their tokens do not count. */
  grantsIn(ws: string): Promise<OAuthGrantRow[]> {
    return this.valid({ ws, renewed_at: { $ne: null } }, [...OF_KEYS, { $sort: { created_at: 1, _id: 1 } }]);
  }

  async grantIn(ws: string, id: string): Promise<OAuthGrantRow | null> {
    return (await this.valid({ _id: id.toLowerCase(), ws }))[0] ?? null;
  }

  byId(id: string): Promise<OAuthGrantRow | null> {
    return this.grants.findOne({ _id: id });
  }

  /** The grants that a member gave to clients; some clients may never have fetched their tokens. */
  grantsOf(memberId: string): Promise<OAuthGrantRow[]> {
    return this.grants.find({ member_id: memberId }).sort({ created_at: 1, _id: 1 }).toArray();
  }

  grantsUnderWay(memberId: string, sessionId: string): Promise<OAuthGrantRow[]> {
    return this.grants.find({ member_id: memberId, session_id: sessionId, renewed_at: null }).toArray();
  }

  /** A page of grants whose member is not known, or that are no longer valid though nobody ended them. */
  noLongerValid(without: readonly string[]): Promise<OAuthGrantRow[]> {
    return this.grants
      .aggregate<OAuthGrantRow>([
        { $match: stepping(without) },
        { $lookup: { from: 'members', localField: 'member_id', foreignField: '_id', as: 'members' } },
        { $match: { 'members.role': { $nin: rolesThatMay('client') } } },
        { $project: { members: 0 } },
        { $limit: PAGE },
      ])
      .toArray();
  }

  async nameMember({ _id }: OAuthGrantRow, memberId: string): Promise<void> {
    await this.grants.updateOne({ _id, member_id: { $exists: false } }, { $set: { member_id: memberId } });
  }

  /**
   * Ends a grant with every unused token, whose hashes it returns; null when it is gone. Used tokens open nothing, and
   * may be more than a transaction can delete.
   */
  async endGrant(tx: Tx, id: string): Promise<string[] | null> {
    const ended = await this.grants.findOneAndDelete({ _id: id }, tx.options());
    if (ended === null) return null;
    const ofGrant = { ws: ended.ws, grant_id: id, consumed_at: null };
    const tokens = await this.tokens.find(ofGrant, { projection: { _id: 1 }, ...tx.options() }).toArray();
    await this.tokens.deleteMany(ofGrant, tx.options());
    return tokens.map(({ _id }) => _id);
  }

  /** Stores a code or token. Its grant lives as long, and its client has been used. */
  async saveToken(row: Omit<OAuthTokenRow, 'consumed_at' | 'expires_at'>, livesS: number, clientLivesS: number) {
    const whole = { $mergeObjects: [{ $literal: { ...row, consumed_at: null } }, { expires_at: inSeconds(livesS) }] };
    await this.tokens.updateOne({ _id: row._id }, [{ $replaceWith: whole }], { upsert: true });
    if (row.kind === 'AuthorizationCode') return;
    await this.grants.updateOne({ _id: row.grant_id }, [
      { $set: { renewed_at: '$$NOW', expires_at: { $max: ['$expires_at', inSeconds(livesS)] } } },
    ]);
    await this.clients.updateOne({ _id: String(row.payload['clientId']) }, [
      { $set: { expires_at: inSeconds(clientLivesS) } },
    ]);
  }

  token(text: string, kind: string): Promise<Living<OAuthTokenRow, 'payload' | 'grant_id' | 'consumed_at'> | null> {
    return living(this.tokens, { _id: hashOf(text), kind }, ['payload', 'grant_id', 'consumed_at']);
  }

  /** Uses a code or refresh token: of all who try, on every replica, one gets true. */
  async consume(text: string): Promise<boolean> {
    const used = await this.tokens.findOneAndUpdate({ _id: hashOf(text), consumed_at: null, ...alive }, [
      { $set: { consumed_at: '$$NOW' } },
    ]);
    return used !== null;
  }

  /** The key that an access token for this audience acts as, with its valid grant; null for another text. */
  async keyOf(
    text: string,
    audience: string,
    effect: 'read' | 'write',
  ): Promise<(GrantedKey & { grant_id: string }) | null> {
    const [found] = await this.tokens
      .aggregate<GrantedKey & { grant_id: string }>(
        [
          { $match: { _id: hashOf(text), kind: 'AccessToken', audience, ...alive } },
          {
            $lookup: {
              from: this.grants.name,
              localField: 'grant_id',
              foreignField: '_id',
              pipeline: VALID,
              as: 'grants',
            },
          },
          { $match: { 'grants.0': { $exists: true } } },
          { $project: { _id: 0, ws: 1, key_id: 1, public_id: 1, grant_id: 1 } },
        ],
        concernOf(effect),
      )
      .toArray();
    return found ?? null;
  }

  private valid<Shown = OAuthGrantRow>(
    filter: object,
    stages: object[] = [],
    effect: 'read' | 'write' = 'read',
  ): Promise<Shown[]> {
    const pipeline = [{ $match: filter }, ...VALID, ...stages];
    return this.grants.aggregate<Shown & object>(pipeline, concernOf(effect)).toArray();
  }
}
