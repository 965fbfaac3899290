import { randomUUID } from 'node:crypto';
import {
  AppError,
  type BrandRole,
  type ErrorBody,
  type Input,
  type OperationNameOf,
  type Output,
  operationByName,
  type UnitFacts,
} from '@cds/contracts';
import {
  Audit,
  type BaseShell,
  bindHandlers,
  Clocks,
  Commands,
  type Consumer,
  type Ctx,
  Deadline,
  type DepsOf,
  Encoded,
  Failpoints,
  makeLogger,
  Outbox,
  type RowRunner,
  runOperation,
  type Store,
  UnsafeFetch,
} from '@cds/service';
import { aCtx, deliver, testStore } from '@cds/service/testing';
import type { Campaign, Line, Plan } from '../domain/plan.js';
import * as handlers from '../handlers.js';
import { CurrentUnits } from '../load/current-units.js';
import { planningModule } from '../planning.module.js';
import type { Repricings } from '../store/price-moves.js';
import { aCampaign, aLine, aPlan, NOW } from './builders.js';
import { fakeCalls, someNeighbours } from './neighbours.js';

/** What operations and sweeps need. */
type Deps = DepsOf<typeof handlers> & { repricings: Repricings; rows: RowRunner; shell: Pick<BaseShell, 'log'> };

type Name = OperationNameOf<'planning'>;

/** How a call ended: with its value, checked against the contract, or with the error that the caller sees. */
export type Answer<N extends Name> =
  | { ok: true; status: number; replayed: boolean; value: Output<N> }
  | { ok: false; error: ErrorBody; replayed: boolean };

/** Planning on a real database, with catalog and billing faked at the typed client. */
export type World = Awaited<ReturnType<typeof aWorld>>;

/** Neighbours instead of the faked ones: a test of several services passes the real ones. */
export type Beside = {
  catalog?: Deps['catalog'] & ConstructorParameters<typeof CurrentUnits>[0];
  billing?: Deps['billing'];
};

export const aWorld = async (name: string, beside: Beside = {}) => {
  const { store, drop } = await testStore(name, 'planning');
  const neighbours = someNeighbours();
  const { catalog, billing } = { ...fakeCalls(neighbours), ...beside };
  const shell = {
    store,
    commands: new Commands(store),
    outbox: new Outbox(store),
    audit: new Audit(store),
    failpoints: new Failpoints(''),
    log: makeLogger('planning', 'silent'),
  };
  const unmoved = async () => ({ handled: 0, facts: 0, behind: false });
  // What is faked below is all that the module takes of the rest of a shell.
  const { deps: wired } = planningModule({ ...shell, clocks: new Clocks(store), calls: {} } as never, unmoved);
  const deps: Deps = {
    ...wired,
    fetchPage: async (url) => {
      const page = neighbours.pages.get(url);
      if (page === undefined) throw new UnsafeFetch('nobody is there');
      return { url, charset: null, body: Buffer.from(page) };
    },
    units: new CurrentUnits(catalog, wired.overrides),
    catalog,
    billing,
    clocks: { now: async () => NOW },
    beginBuilding: (workspace) => void neighbours.begun.push(workspace),
    followPrices: async ({ _id }) => void neighbours.followed.push(_id),
    shell,
  };
  await store.migrate();
  const bound = bindHandlers('planning', handlers, deps);

  const call = async <N extends Name>(operation: N, ctx: Ctx, input: Input<N>): Promise<Answer<N>> => {
    const one = bound.get(operation);
    if (one === undefined) throw new Error(`${operation} is not bound`);
    try {
      const result = await runOperation(shell, one, ctx, input as Record<string, unknown>);
      if ('ok' in result && !result.ok) return { ok: false, error: result.error, replayed: result.replayed };
      const { value, replayed } =
        'value' in result
          ? { value: result.value, replayed: false }
          : { value: JSON.parse(result.json.toString()) as unknown, replayed: result.replayed };
      if (value instanceof Encoded) throw new Error('planning answers values');
      operationByName(operation)?.output.parse(value);
      return { ok: true, status: result.status, replayed, value: value as Output<N> };
    } catch (error) {
      if (error instanceof AppError) return { ok: false, error: error.body(), replayed: false };
      throw error;
    }
  };

  return {
    store,
    drop,
    deps,
    shell,
    neighbours,
    call,
    /** The value of a call that must succeed. */
    value: async <N extends Name>(operation: N, ctx: Ctx, input: Input<N>): Promise<Output<N>> => {
      const answer = await call(operation, ctx, input);
      if (!answer.ok) throw new Error(`${operation} answered ${JSON.stringify(answer.error)}`);
      return answer.value;
    },
    /** The error of a call that must fail. */
    error: async <N extends Name>(operation: N, ctx: Ctx, input: Input<N>): Promise<ErrorBody> => {
      const answer = await call(operation, ctx, input);
      if (answer.ok) throw new Error(`${operation} succeeded`);
      return answer.error;
    },
    deliver: (consumer: Consumer, payload: unknown) => deliver(store, consumer, payload as never, new Date(0)),
    documents: (ws: string) => documentsOf(store, ws),
    /** Stores a campaign with a plan on these units, which catalog then knows. */
    planned: async (
      of: { ctx?: Ctx; units?: UnitFacts[]; lines?: Line[]; campaign?: Partial<Campaign>; plan?: Partial<Plan> } = {},
    ) => {
      const ctx = of.ctx ?? brand();
      const units = of.units ?? [];
      for (const unit of units) neighbours.units.set(unit.unit_id, unit);
      const campaign = aCampaign({ ws: ctx.principal.workspace, ...of.campaign });
      const plan = aPlan(campaign, of.lines ?? units.map((unit) => aLine(unit)), of.plan);
      const stored = { ...campaign, plan_id: plan._id };
      await deps.campaigns.rows.insertOne(stored);
      await deps.plans.rows.insertOne(plan);
      return { ctx, campaign: stored, plan };
    },
  };
};

/** A brand's request under its own command. */
export const brand = (over: Parameters<typeof aCtx>[0] = {}): Ctx =>
  aCtx({ command: { id: randomUUID(), fp: 'r1:test' }, ...over });

/** A request of a person of a brand, in a workspace of its own unless one is named. */
export const person = (of: { workspace?: string; role?: BrandRole } = {}): Ctx => {
  const ctx = brand({ mandate: null, ...(of.workspace === undefined ? {} : { workspace: of.workspace }) });
  const who = { id: randomUUID(), role: of.role ?? ('admin' as const) };
  return { ...ctx, principal: { ...ctx.principal, audience: 'person', key: '', scopes: [], person: who } };
};

/** A request of the operator's team. */
export const operator = (): Ctx => {
  const ctx = brand({ mandate: null });
  const who = { id: randomUUID(), name: 'Ola', role: 'lead' as const };
  return {
    ...ctx,
    principal: { ...ctx.principal, audience: 'operator', workspace: '', key: '', scopes: [], operator: who },
  };
};

/** The same caller's next request, under its own command unless one is named. */
export const again = (ctx: Ctx, over: Partial<Ctx> = {}): Ctx => ({
  ...ctx,
  command: { id: randomUUID(), fp: 'r1:test' },
  deadline: Deadline.in(20_000),
  ...over,
});

/** Everything that a workspace has stored except command records, to check that nothing changed. */
const documentsOf = async (store: Store, ws: string) => {
  const names = [
    'campaigns',
    'plans',
    'plan_versions',
    'campaign_starts',
    'contexts',
    'unit_overrides',
    'outbox',
    'audit',
  ];
  const found = await Promise.all(
    names.map((name) =>
      store.db
        .collection(name)
        .find({ $or: [{ ws }, { 'payload.workspace': ws }] })
        .sort({ _id: 1 })
        .toArray(),
    ),
  );
  return Object.fromEntries(names.map((name, index) => [name, found[index]]));
};
