import { type Collection, counterOf, Deadline } from '@cds/service';
import type { CountedWindow, WindowFields, Windows } from '../../../edge/port.js';
import { type Credential, type Peppers, possibleSecrets } from '../key-format.js';
import type { KeyRow, Keys } from './keys.js';

export type AdmittedKey = Omit<KeyRow, 'secret_hmac'> & WindowFields;

/** A key that a request was counted on; a child key with its parent, on which the request counts too. */
export type Admitted = { key: AdmittedKey; parent: AdmittedKey | null };

export const KEY_LIMIT = 60;

/** The keys that a gateway remembers: those that it admitted last. */
const KEPT = 10_000;

/** The longest a statement may take, in milliseconds. Several requests share it, so it has none of their deadlines. */
const READ_MS = 1_000;

const admissions = counterOf('cds_admissions_total');

type Effect = 'read' | 'write';

/**
 * A key as it was read after a counter had shown this epoch. It counts for requests that see the same minute, epoch and
 * era; a write also needs it read `strictly`, so that no primary that was deposed answered.
 */
type Held = Pick<CountedWindow, 'minute' | 'epoch' | 'era'> & { strictly: boolean; row: Promise<KeyRow | null> };

/**
 * Authenticates and counts the requests of API keys (docs/reliability.md#authentication). Whoever changes a key raises
 * the epoch of its counters before that is answered, and every request counts, so a remembered key is never older than
 * the newest change that was answered before the request began.
 */
export class KeyAdmission {
  private readonly held = new Map<string, Held>();
  private readonly rows: Collection<KeyRow>;
  /** The keys that the next statement reads, and its outcome. */
  private next: { ids: Set<string>; found: Promise<ReadonlyMap<string, KeyRow>> } | undefined;

  constructor(
    keys: Pick<Keys, 'rows'>,
    private readonly windows: Pick<Windows, 'count' | 'minute'>,
    private readonly peppers: Peppers,
  ) {
    this.rows = keys.rows;
  }

  /** Admits a request by its key's secret; null for a key that is unknown, revoked or expired, which counts nothing. */
  admit({ publicId, secret, sandbox }: Credential, effect: Effect): Promise<Admitted | null> {
    const secrets = possibleSecrets(this.peppers, secret);
    const isOwn = (row: KeyRow) =>
      row.sandbox === sandbox && row.secret_hmac !== null && secrets.includes(row.secret_hmac);
    return this.admitIf(publicId, isOwn, effect);
  }

  /** Admits a request of a client that a person let act as a key; null when the key has ended. */
  admitGranted({ key_id, public_id }: { key_id: string; public_id: string }, effect: Effect): Promise<Admitted | null> {
    return this.admitIf(public_id, (row) => row.key_id === key_id, effect);
  }

  private async admitIf(id: string, isOwn: (row: KeyRow) => boolean, effect: Effect): Promise<Admitted | null> {
    const before = await this.beforeCounting(id, isOwn);
    if (before === null) return null;
    const { parent: maker } = before;
    const [own, parents] = await Promise.all([
      this.counted(id, effect),
      maker === null ? null : this.counted(maker.public_id, effect),
    ]);
    if (own === null || !isOwn(own.row) || hasEnded(own.row, own.window.seen_at)) return null;
    if (parents === null) return maker === null ? { key: admitted(own), parent: null } : null;
    // The end of a parent ends its children (docs/domain/access.md#child-keys).
    const isParent = parents.row.key_id === maker?.key_id && !hasEnded(parents.row, parents.window.seen_at);
    return isParent ? { key: admitted(own), parent: admitted(parents) } : null;
  }

  /** The key as last known, or as it is now if that would refuse it. */
  private async beforeCounting(id: string, isOwn: (row: KeyRow) => boolean): Promise<KeyRow | null> {
    const { now } = await this.windows.minute();
    const isGood = (row: KeyRow | null | undefined): row is KeyRow => row != null && isOwn(row) && !hasEnded(row, now);
    const known = await this.held.get(id)?.row;
    if (isGood(known)) return known;
    const row = await this.read(id);
    return isGood(row) ? row : null;
  }

  private async counted(id: string, effect: Effect): Promise<{ row: KeyRow; window: CountedWindow } | null> {
    const window = await this.windows.count(id);
    const row = await this.asOf(id, window, effect);
    return row === null ? null : { row, window };
  }

  /** The key, read after the last change that its counter shows. */
  private asOf(id: string, { minute, epoch, era }: CountedWindow, effect: Effect): Promise<KeyRow | null> {
    const held = this.held.get(id);
    const isCurrent = held?.minute === minute && held.epoch === epoch && held.era === era;
    if (held !== undefined && isCurrent && (held.strictly || effect === 'read')) {
      admissions.add(1, { by: 'remembered' });
      return held.row;
    }
    admissions.add(1, { by: 'read' });
    const row = effect === 'write' ? this.readStrictly(id) : this.read(id);
    this.remember(id, { minute, epoch, era, strictly: effect === 'write', row });
    return row;
  }

  private remember(id: string, held: Held): void {
    this.held.delete(id);
    this.held.set(id, held);
    for (const oldest of this.held.keys()) {
      if (this.held.size <= KEPT) break;
      this.held.delete(oldest);
    }
    held.row.catch(() => {
      if (this.held.get(id) === held) this.held.delete(id);
    });
  }

  /** Reads of one turn share a statement. */
  private async read(id: string): Promise<KeyRow | null> {
    if (this.next === undefined) {
      const ids = new Set<string>();
      const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        this.next = undefined;
        return this.readAll([...ids]);
      });
      this.next = { ids, found };
    }
    this.next.ids.add(id);
    return (await this.next.found).get(id) ?? null;
  }

  private async readAll(ids: readonly string[]): Promise<ReadonlyMap<string, KeyRow>> {
    const query = { readConcern: { level: 'majority' as const }, batchSize: ids.length + 1 };
    const rows = await Deadline.in(READ_MS).run(() => this.rows.find({ _id: { $in: [...ids] } }, query).toArray());
    return new Map(rows.map((row) => [row._id, row]));
  }

  private readStrictly(id: string): Promise<KeyRow | null> {
    const query = { readConcern: { level: 'linearizable' as const } };
    return Deadline.in(READ_MS).run(() => this.rows.findOne({ _id: id }, query));
  }
}

const hasEnded = ({ revoked_at, expires_at }: KeyRow, now: Date): boolean =>
  revoked_at !== null || (expires_at !== null && expires_at <= now);

const admitted = ({ row, window }: { row: KeyRow; window: CountedWindow }): AdmittedKey => {
  const { secret_hmac: _hidden, ...shown } = row;
  const { win, n, seen_at } = window;
  return { ...shown, win, n, seen_at };
};
