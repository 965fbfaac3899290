// @night: random histories of writes against verdicts that have tests beside them.
import {
  type CampaignStarted,
  type Creators,
  type Input,
  MANDATE_REASONS,
  type Mandate,
  type MandateTried,
  type OperationName,
  type Quote,
  SCOPES,
} from '@cds/contracts';
import { seedFrom } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ownerSession } from '../../tools/lib/owner-session.js';
import { aDraft } from '../support/matrix-arguments.js';
import {
  aBrand,
  advanceClock,
  anIdempotencyKey,
  ask,
  type SeededWorkspace,
  type SharedStack,
  secretOf,
  sharedStack,
} from '../support/stack.js';
import { Contents } from '../support/tap.js';

/** `CDS_WORKBENCH_RUNS` sets how many histories are drawn, `CDS_WORKBENCH_SEED` repeats them. */
const RUNS = Number(process.env['CDS_WORKBENCH_RUNS'] ?? 1);
const SEED = seedFrom('CDS_WORKBENCH_SEED');
const RUN_LIMIT_MS = 90_000;

/** What the asking session itself writes, and what the database drops by itself as time passes. */
const OF_ITS_OWN: ReadonlySet<string> = new Set([
  'gateway.windows',
  'gateway.sessions',
  'gateway.shown_secrets',
  'gateway.quotas',
  'gateway.sign_in_links',
]);
const MINUTE_MS = 60_000;
const SOON_MS = 30 * MINUTE_MS;
const LATE_MS = 300 * 24 * 60 * MINUTE_MS;
/** More than SOON_MS: a mandate that ends soon has ended after it. */
const ADVANCE_S = 3_600;
/** Campaigns that a workspace starts in a day. A write that needs one more is left out: no mandate decides it. */
const STARTS = 3;

type MandateInput = Input<'key_mandate_try'>['mandate'];

/** A mandate whose amounts are multiples of the median price, and which ends soon or late. */
type Drawn = { plan: number; cap: number; channels: MandateInput['channels']; sign: boolean; soon: boolean };
type Step =
  | { do: 'mandate'; to: Drawn | null }
  | { do: 'terms' | 'advance' | 'add' | 'remove' | 'swap' | 'rename' | 'start' | 'delete' | 'approve' };

const drawn: fc.Arbitrary<Drawn> = fc.record({
  plan: fc.constantFrom(0, 1.5, 3, 10_000, 10_000),
  cap: fc.constantFrom(0, 2, 5, 10_000),
  channels: fc.constantFrom<MandateInput['channels'][]>(['x_creators'], ['x_creators', 'reddit'], ['reddit']),
  sign: fc.constantFrom(true, true, false),
  soon: fc.boolean(),
});
const doing = <D extends Step['do']>(weight: number, ...kinds: D[]) => ({
  weight,
  arbitrary: fc.constantFrom(...kinds).map((kind) => ({ do: kind }) as Step),
});
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: drawn.map((to): Step => ({ do: 'mandate', to })) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'mandate', to: null }) },
  doing(2, 'terms'),
  doing(1, 'advance'),
  doing(6, 'add'),
  doing(4, 'approve'),
  doing(6, 'remove', 'swap', 'rename', 'start', 'delete'),
);
const histories = fc.record({ steps: fc.array(steps, { minLength: 12, maxLength: 18 }), draft: drawn });

const WIDE: Drawn = { plan: 10_000, cap: 10_000, channels: ['x_creators'], sign: true, soon: false };
const act = (...kinds: Exclude<Step['do'], 'mandate'>[]): Step[] => kinds.map((kind) => ({ do: kind }));
const set = (over: Partial<Drawn>): Step => ({ do: 'mandate', to: { ...WIDE, ...over } });
/** One history that meets every reason, so that the drawn ones need not. */
const EVERY_REASON = {
  steps: [
    ...act('rename', 'add', 'approve'),
    set({ sign: false }),
    ...act('add', 'swap', 'approve', 'remove'),
    set({ cap: 0 }),
    ...act('approve', 'terms', 'approve'),
    set({ plan: 0, channels: ['x_creators', 'reddit'] }),
    ...act('add', 'approve', 'rename'),
    set({ channels: ['reddit'] }),
    ...act('add', 'start', 'approve'),
    set({ soon: true }),
    ...act('start', 'add', 'approve', 'advance', 'add', 'delete'),
    set({ cap: 2 }),
    ...act('rename', 'add'),
  ],
  draft: { ...WIDE, plan: 1.5, cap: 2 },
};

/** What the documents say that a write asks (docs/domain/orders.md#mandate-checks). */
type Asked = {
  /** On the sandbox's clock. */
  now: number;
  channels: string[];
  total: number | null;
  signing: { accepted: string | null; spent: number } | null;
};
type Verdict = { reason: string; details: Record<string, unknown> } | null;
/** A write that ended by itself or by its mandate, as its caller saw it. */
type Ended = { request: string; operation: string; asked: Asked; answered: Verdict };

describe(`the mandate workbench on recorded writes (docs/domain/orders.md#mandate-workbench), seed ${SEED}`, () => {
  let stack: SharedStack;
  let contents: Contents;
  let terms: string;
  let units: { id: string; cents: number }[];
  let median: number;
  const met = new Set<string>();

  beforeAll(async () => {
    stack = await sharedStack();
    contents = await Contents.open(stack);
    const { sandbox } = await aBrand(stack);
    const mandates = sandbox.keys.map(({ mandate }) => mandate as Mandate | null);
    terms = mandates.find((mandate) => mandate?.terms_version)?.terms_version ?? '';
    const page = await ask(stack, secretOf(sandbox, 'full'), 'creators_search', {
      sort: 'price',
      price_min: 1,
      limit: 50,
    });
    // One format of each creator, since a plan takes no creator twice.
    units = (page.body as Creators).creators.flatMap(({ offerings }) =>
      offerings
        .filter(({ buyable }) => buyable)
        .slice(0, 1)
        .map((one) => ({ id: one.unit_id, cents: one.price_cents ?? 0 })),
    );
    median = units[Math.floor(units.length / 2)]?.cents ?? 0;
  }, 180_000);
  afterAll(() => contents?.close());

  const mandateOf = ({ plan, cap, channels, sign, soon }: Drawn, clock: number): MandateInput => ({
    max_plan_cents: Math.min(100_000_000, Math.ceil(plan * median) + 1),
    monthly_cap_cents: Math.ceil(cap * median) + 1,
    channels: [...channels],
    may_approve: sign,
    expires_at: new Date(clock + (soon ? SOON_MS : LATE_MS)).toISOString(),
  });

  /** The verdict by the tables of the documents, written apart from the system's own function. */
  const verdict = (mandate: MandateInput | null, { now, channels, total, signing }: Asked): Verdict => {
    const refused = (reason: string, details: Record<string, unknown> = {}): Verdict => ({
      reason,
      details: { ...details, escalate: true },
    });
    if (mandate === null) return refused('no_mandate');
    if (now >= Date.parse(mandate.expires_at)) return refused('mandate_expired', { expired_at: mandate.expires_at });
    const missing = channels.filter((channel) => !(mandate.channels as string[]).includes(channel));
    if (missing.length > 0) return refused('channel_not_allowed', { channels: missing });
    if (signing !== null && !mandate.may_approve) return refused('approval_not_allowed');
    if (signing !== null && signing.accepted !== terms)
      return refused('terms_not_accepted', {
        current_version: terms,
        accepted_version: signing.accepted,
        url: `${stack.appUrl}/terms/brand/${terms}`,
      });
    if (total === null) return null;
    const [plan, cap] = [mandate.max_plan_cents, mandate.monthly_cap_cents];
    if (total > plan)
      return refused('over_max_plan_total', {
        limit_cents: plan,
        requested_cents: total,
        over_by_cents: total - plan,
      });
    if (signing !== null && signing.spent + total > cap)
      return refused('over_monthly_cap', {
        limit_cents: cap,
        spent_cents: signing.spent,
        requested_cents: total,
        over_by_cents: signing.spent + total - cap,
      });
    return null;
  };

  /** A key of a new sandbox, with a person who sets its mandate, and everything that its writes asked and heard. */
  class History {
    readonly ended: Ended[] = [];
    mandate: Mandate | null = null;
    private plan: Quote | undefined;
    private drafts: string[] = [];
    private starts = 0;
    private clock = 0;
    private readonly spent = new Map<string, number>();
    private count = 0;

    private constructor(
      private readonly sandbox: SeededWorkspace,
      private readonly person: Record<string, string>,
      private readonly key: { id: string; secret: string },
    ) {}

    static async begin(): Promise<History> {
      const brand = await aBrand(stack);
      const person = { origin: stack.appUrl, cookie: await ownerSession(stack, brand.live.name) };
      await ask(stack, null, 'session_workspace_set', { workspace: brand.sandbox.id }, person);
      const made = await ask(stack, null, 'key_make', { name: 'tried', scopes: [...SCOPES] }, person);
      const { key, secret } = made.body as { key: { id: string }; secret: string };
      const history = new History(brand.sandbox, person, { id: key.id, secret });
      await history.readClock();
      return history;
    }

    async play(step: Step): Promise<void> {
      if (step.do === 'mandate') return this.set(step.to);
      if (step.do === 'terms') return this.accept();
      if (step.do === 'advance') {
        await advanceClock(stack, secretOf(this.sandbox, 'full'), ADVANCE_S);
        return this.readClock();
      }
      await this.write(step.do);
    }

    /** The last mandate that a person set, as they would send it again. */
    unchanged(): MandateInput | null {
      if (this.mandate === null) return null;
      const { max_plan_cents, monthly_cap_cents, may_approve, expires_at } = this.mandate;
      const channels = [...this.mandate.channels] as MandateInput['channels'];
      return { max_plan_cents, monthly_cap_cents, channels, may_approve, expires_at };
    }

    drafted(by: Drawn): MandateInput {
      return mandateOf(by, this.clock);
    }

    async try(mandate: MandateInput): Promise<Omit<MandateTried, 'from' | 'to'>> {
      const { status, body } = await ask(stack, null, 'key_mandate_try', { id: this.key.id, mandate }, this.person);
      expect([status, body]).toEqual([200, expect.anything()]);
      const { from: _from, to: _to, ...tried } = body as MandateTried;
      return tried;
    }

    /** What the workbench must answer, from what the caller of the writes knows. */
    expected(mandate: MandateInput): unknown {
      const judged = this.ended.map((write) => ({ ...write, would: verdict(mandate, write.asked) })).reverse();
      return {
        tried: judged.length,
        refused: judged.flatMap(({ request, operation, would }) =>
          would === null ? [] : [{ at: expect.any(String), operation, request_id: request, ...would }],
        ),
        changed: judged.flatMap(({ request, answered, would }) => {
          const [was, now] = [answered?.reason ?? null, would?.reason ?? null];
          return was === now ? [] : [{ request_id: request, was, would: now }];
        }),
      };
    }

    private by(name: string, operation: OperationName, input: Record<string, unknown>) {
      return ask(stack, secretOf(this.sandbox, name), operation, input as never);
    }

    private async readClock(): Promise<void> {
      this.clock = Date.parse(((await this.by('full', 'sandbox_clock', {})).body as { now: string }).now);
    }

    private async set(to: Drawn | null): Promise<void> {
      const { id } = this.key;
      const answer =
        to === null
          ? await ask(stack, null, 'key_mandate_remove', { id }, this.person)
          : await ask(stack, null, 'key_mandate_set', { id, ...this.drafted(to) }, this.person);
      expect(answer.status).toBe(to === null ? 204 : 200);
      this.mandate = answer.body as Mandate | null;
    }

    private async accept(): Promise<void> {
      if (this.mandate?.may_approve !== true) return;
      const { id } = this.key;
      const answer = await ask(stack, null, 'key_terms_accept', { id, version: terms }, this.person);
      expect(answer.status).toBe(200);
      this.mandate = answer.body as Mandate;
    }

    /** The plan to write on; another key starts it, whose writes are not this key's. */
    private async aPlan(): Promise<Quote | null> {
      if (this.plan === undefined) {
        if (this.starts === STARTS) return null;
        this.starts += 1;
        const added = await this.by('full', 'plan_add_creator', {
          id: 'current',
          unit_id: this.freeUnit(undefined).id,
        });
        this.plan = (added.body as { plan: Quote }).plan;
      }
      return this.plan;
    }

    private freeUnit(plan: Quote | undefined): { id: string; cents: number } {
      const taken = new Set(plan?.lines.map(({ unit_id }) => unit_id));
      const free = units.filter(({ id }) => !taken.has(id));
      this.count += 1;
      return free[(this.count * 7) % free.length] ?? { id: '', cents: 0 };
    }

    /** A write of a kind, and what it asks. */
    private async wanted(
      kind: Exclude<Step['do'], 'mandate' | 'terms' | 'advance'>,
    ): Promise<{ operation: OperationName; input: Record<string, unknown>; asks: Partial<Asked> } | null> {
      const plan = await this.aPlan();
      if (plan === null) return null;
      const id = plan.plan_id;
      const [line] = plan.lines;
      const unit = this.freeUnit(plan);
      switch (kind) {
        case 'add':
          return {
            operation: 'plan_add_creator',
            input: { id, unit_id: unit.id },
            asks: { channels: ['x_creators'], total: plan.total_cents + unit.cents },
          };
        case 'swap': {
          const saved = line?.price_cents ?? 0;
          // A swap to the same or a lower price passes every check on amounts.
          const total = unit.cents > saved ? plan.total_cents - saved + unit.cents : null;
          return {
            operation: 'plan_swap_creator',
            input: { id, line_id: line?.id, unit_id: unit.id },
            asks: { channels: ['x_creators'], total },
          };
        }
        case 'remove':
          // The last creator of a plan stays, whatever the mandate says.
          if (plan.lines.length === 1) return null;
          return { operation: 'plan_remove_creator', input: { id, line_id: line?.id }, asks: {} };
        case 'rename':
          return {
            operation: 'rename_campaign',
            input: { id: plan.campaign_id, name: `Name ${this.count}` },
            asks: {},
          };
        case 'start': {
          if (this.starts === STARTS) return null;
          const input = aDraft(new Date(this.clock).toISOString().slice(0, 10));
          return { operation: 'create_campaign', input, asks: { channels: ['x_creators'] } };
        }
        case 'delete': {
          const [draft] = this.drafts;
          return draft === undefined ? null : { operation: 'delete_campaign', input: { id: draft }, asks: {} };
        }
        case 'approve': {
          const quote = (await this.by('full', 'plan_quote', { id })).body as Quote;
          return {
            operation: 'approve_plan',
            input: { id, terms_fingerprint: quote.terms_fingerprint },
            asks: {
              channels: ['x_creators'],
              total: quote.total_cents,
              signing: {
                accepted: this.mandate?.terms_version ?? null,
                spent: this.spent.get(this.month()) ?? 0,
              },
            },
          };
        }
      }
    }

    private month(): string {
      return new Date(this.clock).toISOString().slice(0, 7);
    }

    private async write(kind: Exclude<Step['do'], 'mandate' | 'terms' | 'advance'>): Promise<void> {
      const wanted = await this.wanted(kind);
      if (wanted === null) return;
      const { operation, input } = wanted;
      const asked: Asked = { now: this.clock, channels: [], total: null, signing: null, ...wanted.asks };
      const request = `try-${this.key.id}-${this.count}-${this.ended.length}`;
      const idempotency = { 'idempotency-key': anIdempotencyKey() };
      const send = (as: string) =>
        ask(stack, this.key.secret, operation, input as never, { ...idempotency, 'x-request-id': as });
      const { status, body } = await send(request);
      // A replay is not another write.
      expect((await send(`again-${request}`)).status).toBe(status);

      const { details } = (body as { error?: { details?: Record<string, unknown> } } | null)?.error ?? {};
      const { reason, ...others } = details ?? {};
      const answered: Verdict = status < 300 ? null : { reason: String(reason), details: others };
      // The tables predict the write's answer, so what they say about a draft is what it would have answered.
      expect({ operation, status: status < 300 ? 200 : status, answered }).toEqual({
        operation,
        status: answered === null ? 200 : 403,
        answered: verdict(this.unchanged(), asked),
      });
      met.add(answered?.reason ?? `${operation} allowed`);
      this.ended.push({ request, operation, asked, answered });
      if (answered === null) this.note(kind, body, asked);
    }

    private note(kind: Step['do'], body: unknown, { total }: Asked): void {
      if (kind === 'add' || kind === 'swap' || kind === 'remove') this.plan = (body as { plan: Quote }).plan;
      if (kind === 'delete') this.drafts.shift();
      if (kind === 'start') {
        this.starts += 1;
        this.drafts.push((body as CampaignStarted).id);
      }
      if (kind !== 'approve') return;
      this.plan = undefined;
      this.spent.set(this.month(), (this.spent.get(this.month()) ?? 0) + (total ?? 0));
    }
  }

  /** Drafts that differ from a mandate in one field each, tighter and looser. */
  const neighboursOf = (mandate: MandateInput): MandateInput[] => [
    { ...mandate, max_plan_cents: 1 },
    { ...mandate, max_plan_cents: 100_000_000 },
    { ...mandate, monthly_cap_cents: 1 },
    { ...mandate, monthly_cap_cents: 1_000_000_000 },
    { ...mandate, channels: ['newsletter'] },
    { ...mandate, channels: ['newsletter', 'x_creators', 'reddit'] },
    { ...mandate, may_approve: !mandate.may_approve },
  ];

  /** Everything that is stored, except the minute and the last use of the asking session. */
  const stored = async (): Promise<Record<string, string>> => {
    const all = await contents.atRest();
    return Object.fromEntries(Object.entries(all).filter(([name]) => !OF_ITS_OWN.has(name)));
  };

  it(
    'repeats the recorded verdicts for the unchanged mandate, foretells those of any draft, and changes nothing',
    async () => {
      await fc.assert(
        fc.asyncProperty(histories, async ({ steps: played, draft }) => {
          const history = await History.begin();
          /** Of the mandate in force: how many writes ended before it was set. */
          let from = 0;
          for (const step of played) {
            if (step.do === 'mandate' || step.do === 'terms') await recordedVerdicts(history, from);
            await history.play(step);
            if (step.do === 'mandate') from = history.ended.length;
          }
          await recordedVerdicts(history, from);

          const before = await stored();
          const last = history.unchanged();
          const drafts = [history.drafted(draft), ...(last === null ? [] : neighboursOf(last))];
          for (const one of drafts) expect(await history.try(one)).toEqual(history.expected(one));
          expect(await stored()).toEqual(before);
        }),
        { numRuns: RUNS + 1, seed: SEED, examples: [[EVERY_REASON]], endOnFailure: true },
      );
      expect([...met].sort()).toEqual(
        expect.arrayContaining([
          // A draft has no budget: that is the campaign's.
          ...MANDATE_REASONS.filter((reason) => reason !== 'over_budget'),
          'plan_add_creator allowed',
          'approve_plan allowed',
        ]),
      );
    },
    RUN_LIMIT_MS * (RUNS + 1),
  );

  /** The unchanged mandate says of each write that ended under it what the write itself answered, in every detail. */
  const recordedVerdicts = async (history: History, from: number): Promise<void> => {
    const mandate = history.unchanged();
    if (mandate === null) return;
    const under = history.ended.slice(from);
    const names = new Set(under.map(({ request }) => request));
    const tried = await history.try(mandate);
    expect(tried.tried).toBe(history.ended.length);
    expect(tried.changed.filter(({ request_id }) => names.has(request_id))).toEqual([]);
    expect(
      tried.refused
        .filter(({ request_id }) => names.has(request_id))
        .map(({ request_id, reason, details }) => ({ request_id, reason, details })),
    ).toEqual(
      under
        .flatMap(({ request, answered }) => (answered === null ? [] : [{ request_id: request, ...answered }]))
        .reverse(),
    );
  };
});
