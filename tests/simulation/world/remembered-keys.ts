import { createSecretKey } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { KeyAdmission, type KeyChange, type KeyRow, Keys, newKey, storedSecret, Windows } from '@cds/gateway/bench';
import { Counters, RequestMux } from '@cds/service';
import { Bus } from '../bus/bus.js';
import { anActor, type Scheduler } from '../platform/scheduler.js';
import { Database } from '../store/database.js';
import { Connection } from '../store/driver.js';
import { connectionTo, storeOver } from './shell.js';

const GATEWAYS = 3;
const LIMIT = 60;
const WORKSPACE = 'a-workspace';
const peppers = { 1: createSecretKey(Buffer.alloc(32, 7)) };

/** How long people and agents pause at most, and when they begin: many at once, around a minute's end, and rarely. */
const PLANS = [
  { beginsMs: 0, spanMs: 2_000, agentsMs: [1, 20, 20, 100, 300], personMs: 100 },
  { beginsMs: 55_000, spanMs: 10_000, agentsMs: [50, 50, 100, 100, 300, 500], personMs: 400 },
  { beginsMs: 0, spanMs: 90_000, agentsMs: [300, 1_000, 3_000, 10_000], personMs: 20_000 },
  { beginsMs: 0, spanMs: 600_000, agentsMs: [60_000, 120_000, 150_000, 150_000], personMs: 150_000 },
] as const;

type Gateway = { keys: Keys; windows: Windows; admission: KeyAdmission };
type Made = { row: KeyRow; credential: Parameters<KeyAdmission['admit']>[0] };

/** What was answered of a key, with the time at which the answer began. */
type Answered = { revoked: boolean; settings: number; suspension: number; at: number };

/**
 * Gateways that remember keys, on a simulated database and stream of windows, whose clocks differ, whose statements and
 * acknowledgements are lost or late, and whose stream is lost. A request never sees a key older than a change that was
 * answered before it began, and no window serves more than its limit (docs/reliability.md#authentication).
 */
export class RememberedKeys {
  readonly violations: string[] = [];
  private readonly bus: Bus;
  private readonly database = new Database();
  private readonly gateways: Gateway[];
  private readonly made: Made[] = [];
  private readonly answered = new Map<string, Answered[]>();
  private readonly served = new Map<string, number>();
  private until = 0;
  private readonly plan: (typeof PLANS)[number];

  constructor(private readonly scheduler: Scheduler) {
    const { random } = scheduler;
    this.plan = random.one(PLANS);
    const bad = (chance: number): boolean => scheduler.now < this.until && random.chance(chance);
    const [lost, late, slow] = [random.one([0, 0.02, 0.1]), random.one([0, 0.02, 0.1]), random.one([0.02, 0.3])];
    const latencyMs = () =>
      bad(late) ? random.between(300, 4_000) : bad(slow) ? random.between(1, 200) : random.between(0.1, 1);
    this.bus = new Bus(scheduler, { latencyMs, lost: () => bad(lost), doubled: () => false });
    const server = anActor('database');
    const weather = {
      fate: () => (bad(lost) ? random.one(['lost', 'reply_lost'] as const) : 'arrives'),
      latencyMs,
      downUntil: () => 0,
    };
    this.gateways = Array.from({ length: GATEWAYS }, (_none, index) => {
      const actor = anActor(`gateway-${index}`, { mortal: true, skewMs: random.between(-300_000, 300_000) });
      return scheduler.as(actor, () => {
        const store = storeOver(new Connection(scheduler, actor, server, this.database, weather), 'gateway');
        const connection = connectionTo(this.bus, actor, 'gateway');
        // Two readings of the database's clock differ by less than a minute.
        const offMs = random.one([0, random.between(-28_000, 28_000)]);
        const about = async () => new Date((await store.about()).getTime() + offMs);
        const windows = new Windows(new Counters(connection, new RequestMux(connection)), { about });
        const keys = new Keys(store);
        return { keys, windows, admission: new KeyAdmission(keys, windows, peppers) };
      });
    });
  }

  /** Agents ask and people change keys, for some simulated minutes; resolves once everybody was answered. */
  async run(): Promise<void> {
    const { random } = this.scheduler;
    for (let count = 0; count < 3; count += 1) await this.make(count === 2 ? this.made[0] : undefined);
    const { plan } = this;
    this.until = this.scheduler.now + plan.beginsMs + plan.spanMs;
    await delay(plan.beginsMs);
    const agents = plan.agentsMs.map((mostMs) => this.agent(mostMs));
    const people = [this.person(plan.personMs), this.person(plan.personMs)];
    const losses = random.chance(0.5) ? [this.loseStreams()] : [];
    await Promise.all([...agents, ...people, ...losses]);
  }

  private at(index: number): Gateway {
    return this.gateways[index % GATEWAYS] as Gateway;
  }

  private async make(parent: Made | undefined): Promise<void> {
    const { publicId, secret } = newKey(false);
    const row = {
      _id: publicId,
      key_id: `key-of-${publicId}`,
      ws: WORKSPACE,
      sandbox: false,
      secret_hmac: storedSecret(peppers, secret),
      parent: parent === undefined ? null : { key_id: parent.row.key_id, public_id: parent.row._id },
      revoked_at: null,
      expires_at: null,
      suspended: false,
      suspension_version: 0,
      settings_version: 0,
    } as unknown as KeyRow;
    await this.at(0).keys.rows.insertOne(row);
    this.made.push({ row, credential: { publicId, secret, sandbox: false } });
    this.answered.set(row.key_id, [{ revoked: false, settings: 0, suspension: 0, at: 0 }]);
  }

  private async agent(mostMs: number): Promise<void> {
    const { random } = this.scheduler;
    while (this.scheduler.now < this.until) {
      await delay(mostMs * random.next());
      await this.ask(random.one(this.made), random.one(this.gateways), random.one(['read', 'read', 'write']));
    }
  }

  private async ask({ row, credential }: Made, { admission }: Gateway, effect: 'read' | 'write'): Promise<void> {
    const ids = [row.key_id, ...(row.parent === null ? [] : [row.parent.key_id])];
    // What had been answered of these keys when the request began.
    const due = ids.map((id) => (this.answered.get(id) ?? []).at(-1) as Answered);
    const found = await admission.admit(credential, effect).catch(() => undefined);
    if (found === undefined) return;
    if (found === null) {
      // A refusal is right only if somebody has begun to revoke one of them.
      if (!ids.some((id) => this.revoking.has(id))) this.violations.push(`${row.key_id} was refused though it is good`);
      return;
    }
    const seen = [found.key, ...(found.parent === null ? [] : [found.parent])];
    for (const [index, { settings_version, suspension_version, key_id }] of seen.entries()) {
      const least = due[index] as Answered;
      if (least.revoked) this.violations.push(`I48: ${key_id} was admitted after its revocation was answered`);
      if (settings_version < least.settings)
        this.violations.push(`I48: ${key_id} was seen as before answered settings`);
      if (suspension_version < least.suspension) this.violations.push(`I48: ${key_id} was seen as before a suspension`);
    }
    const { win, n } = found.parent ?? found.key;
    if (n > LIMIT) return;
    const window = `${(found.parent ?? found.key).key_id} ${win.toISOString()}`;
    this.served.set(window, (this.served.get(window) ?? 0) + 1);
  }

  private readonly revoking = new Set<string>();
  private losses = 0;
  private version = 0;

  private async person(mostMs: number): Promise<void> {
    const { random } = this.scheduler;
    while (this.scheduler.now < this.until) {
      await delay(mostMs * random.next());
      const { row } = random.one(this.made);
      const { ws, key_id } = row;
      this.version += 1;
      const { version } = this;
      const kind = random.one(['settings', 'settings', 'suspension', 'revoked'] as const);
      if (kind === 'revoked' && random.chance(0.6)) continue;
      if (kind === 'revoked') this.revoking.add(key_id);
      const change = {
        settings: { kind: 'settings', ws, key_id, version, settings: { name: 'k' } },
        suspension: { kind: 'suspension', ws, version, suspended: false },
        revoked: { kind: 'revoked', ws, key_ids: [key_id], at: this.scheduler.date() },
      }[kind] as KeyChange;
      await this.change(change, random.one(this.gateways));
      const changed = kind === 'suspension' ? this.made.map((one) => one.row.key_id) : [key_id];
      for (const id of changed) {
        const before = (this.answered.get(id) ?? []).at(-1) as Answered;
        // A workspace-wide change reaches no key that has ended.
        if (before.revoked) continue;
        const next = { ...before, at: this.scheduler.now };
        if (kind === 'settings') next.settings = Math.max(before.settings, version);
        if (kind === 'suspension') next.suspension = Math.max(before.suspension, version);
        if (kind === 'revoked') next.revoked = true;
        this.answered.get(id)?.push(next);
      }
    }
  }

  /** As KeyChanges applies what was committed: again until it succeeds, on any gateway; only then it is answered. */
  private async change(change: KeyChange, first: Gateway): Promise<void> {
    let gateway = first;
    for (;;)
      try {
        await gateway.keys.apply(change);
        const { now } = await gateway.windows.minute();
        await gateway.windows.changed(await gateway.keys.changedBy(change, now));
        return;
      } catch {
        await delay(100);
        gateway = this.scheduler.random.one(this.gateways);
      }
  }

  private async loseStreams(): Promise<void> {
    const { random } = this.scheduler;
    while (this.scheduler.now < this.until) {
      await delay(random.between(0, 30_000));
      this.losses += 1;
      this.bus.loseWindows(random.between(1, 2_000), random.chance(0.5));
    }
  }

  /** Checks what is true of a whole run: each loss of the stream lets a window begin again. */
  atRest(): void {
    for (const [window, count] of this.served)
      if (count > LIMIT * (1 + this.losses)) this.violations.push(`I36: the window ${window} served ${count} requests`);
  }
}
