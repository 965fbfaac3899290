import { isDeepStrictEqual } from 'node:util';
import {
  type Authority,
  type Hold,
  type LedgerEntry,
  type Order,
  receiptsMissing,
  wrongInAuthorities,
} from '@cds/billing/testing';
import type { Plan, SignVerdict } from '@cds/planning/testing';
import type { Change } from '../store/database.js';
import type { Doc } from '../store/documents.js';
import { type Agents, reasonOf, type Write } from './agents.js';
import { moneyFaults } from './money.js';
import { orderOf } from './workload.js';
import type { World } from './world.js';

type Audited = { action: string; actor: string };
type Receipt = { _id: string; kind: 'signed' | 'refused'; signing_id: string };
type Row = {
  _id: string;
  op: string;
  fp: string;
  status: number;
  body: { buffer: Uint8Array };
  run?: object;
  large?: { status: number };
};

/** The status of the answer that a row holds; a large answer has it in another field. */
const statusOf = ({ status, large }: Row): number => large?.status ?? status;

/** What is watched at every commit: caps, gates, ends that were answered, and verdicts that never change. */
export class Watch {
  readonly violations: string[] = [];
  /** The command of each signing that ever had a hold. */
  readonly commandOf = new Map<string, string>();
  private readonly holdOf = new Map<string, Hold>();

  constructor(private readonly world: World) {
    world.onCommit = (service, changes) => {
      this.records(changes);
      if (service === 'billing') this.billing(changes);
      else this.planning(changes);
    };
  }

  private records(changes: readonly Change[]): void {
    for (const { collection, id, before } of changes)
      if (collection === 'commands' && before !== null && before['run'] === undefined)
        this.violations.push(`I02: the record of ${id.slice(0, 8)} changed`);
  }

  private billing(changes: readonly Change[]): void {
    for (const { collection, id, before, after } of changes) {
      if (collection === 'authority' && after !== null) this.authority(before as Authority | null, after as never);
      if (collection === 'ledger' && before !== null) this.violations.push(`I23: the ledger entry ${id} changed`);
    }
  }

  private authority(before: Authority | null, after: Authority): void {
    const known = new Set(before?.holds.map((hold) => hold.signing_id));
    for (const hold of after.holds) {
      if (known.has(hold.signing_id)) continue;
      this.commandOf.set(hold.signing_id, hold.command_id);
      this.holdOf.set(hold.signing_id, hold);
      if (hold.refusal === undefined) this.reserved(hold, after);
    }
    const commands = after.holds.map((hold) => hold.command_id);
    if (new Set(commands).size !== commands.length) this.violations.push('I55: two holds of one command');
    for (const [month, counted] of Object.entries(after.months))
      for (const { held } of [counted, ...Object.values(counted.children ?? {})])
        if (held < 0) this.violations.push(`I55: held of ${month} is ${held}`);
  }

  private reserved(hold: Hold, after: Authority): void {
    const { key, mandate, parent, until } = hold.principal;
    if (until !== undefined && new Date(until) <= this.world.scheduler.date())
      this.violations.push(`I74: held cents after the key expired at ${until}`);
    const month = after.months[hold.month];
    const own = { held: (parent === undefined ? month : month?.children?.[key])?.held ?? 0, of: mandate };
    const shared = { held: month?.held ?? 0, of: parent ?? mandate };
    for (const { held, of } of [own, shared]) {
      const cap = of?.monthly_cap_cents ?? 0;
      if (held > cap) this.violations.push(`I12: ${held} held of a cap of ${cap}`);
    }
    const version = parent?.mandate_version ?? hold.mandate_version;
    if (version < after.min_mandate_version)
      this.violations.push(`I13: reserved under version ${version}, the gate is ${after.min_mandate_version}`);
    if (hold.month !== hold.approved_at.toISOString().slice(0, 7)) this.violations.push('I12: a hold of another month');
  }

  private planning(changes: readonly Change[]): void {
    for (const { collection, id, before, after } of changes) {
      if (collection !== 'sign_verdicts') continue;
      if (before !== null) this.violations.push(`I56: the verdict ${id} changed`);
      else if (after?.['kind'] === 'signed') this.signed(id);
    }
  }

  /** I74: nothing is signed on a right, or under a mandate, once its end was answered. */
  private signed(signing: string): void {
    const hold = this.holdOf.get(signing);
    if (hold === undefined) return;
    const { mandates, ends } = this.world.answered;
    const { key, rights = {}, parent } = hold.principal;
    for (const [right, version] of Object.entries(rights))
      if ((ends.get(right) ?? 0) > version) this.violations.push(`I74: signed on ${right} after its end was answered`);
    const version = parent?.mandate_version ?? hold.mandate_version;
    if ((mandates.get(parent?.key ?? key) ?? 0) > version)
      this.violations.push(`I74: signed under version ${version} after the next one was answered`);
  }
}

/** What must hold once everything is at rest; answers what does not. */
export const faultsAtRest = (world: World, agents: Agents, watch: Watch): string[] => {
  const read = <T>(of: 'billing' | 'planning', name: string): T[] => world.databases[of].documents(name) as T[];
  const found = {
    authorities: read<Authority>('billing', 'authority'),
    orders: read<Order>('billing', 'orders'),
    ledger: read<LedgerEntry>('billing', 'ledger'),
    receipts: read<Receipt>('billing', 'receipts'),
    rows: new Map(
      [...read<Row>('billing', 'commands'), ...read<Row>('planning', 'commands')]
        .filter(({ run }) => run === undefined)
        .map((row) => [row._id, row]),
    ),
    plans: read<Plan>('planning', 'plans'),
    verdicts: read<SignVerdict>('planning', 'sign_verdicts'),
    audit: [...read<Audited>('billing', 'audit'), ...read<Audited>('planning', 'audit')],
  };
  return [
    ...watch.violations,
    ...world.alarms.filter((alarm) => !EXPECTED.some((one) => alarm.startsWith(one))).map((alarm) => `alarm ${alarm}`),
    ...counters(found),
    ...signatures(found, watch),
    ...receiptsMissing(
      found.receipts,
      found.orders,
      [...found.rows.values()].filter(({ op, status }) => op === 'approve_plan' && status === 403),
    ),
    ...effects(found),
    ...(world.relays ? facts(world) : []),
    ...agents.writes.flatMap((write) => answers(write, found)),
    ...agreement(agents),
    ...moneyFaults(world),
  ];
};

/** What a rail does that the team has to hear of. */
const EXPECTED: readonly string[] = ['stray_charge:', 'refund_refused:'];

type Found = {
  authorities: Authority[];
  orders: Order[];
  ledger: LedgerEntry[];
  receipts: Receipt[];
  rows: Map<string, Row>;
  plans: Plan[];
  verdicts: SignVerdict[];
  audit: Audited[];
};

/** What operations leave in the audit, once for each record of a success; `of` names the actor where others do too. */
const EFFECTS: readonly { by: readonly string[]; action: string; of?: string }[] = [
  { by: ['approve_plan'], action: 'order.signed' },
  { by: ['delete_campaign'], action: 'campaign.delete' },
  { by: ['rename_campaign'], action: 'campaign.rename' },
  { by: ['plan_remove_creator'], action: 'plan.remove_creator' },
  { by: ['sandbox_order_payment'], action: 'ledger.charge', of: 'rail:sandbox' },
  { by: ['order_cancel', 'ops_order_cancel'], action: 'order.cancel' },
  { by: ['ops_order_refund', 'ops_credit_refund'], action: 'refund.requested' },
  { by: ['ops_credit_waive'], action: 'credit.waived' },
  { by: ['ops_order_invoice_sent'], action: 'invoice.sent' },
  { by: ['ops_order_invoice_withdrawn'], action: 'invoice.withdrawn' },
  { by: ['ops_order_invoice_paid'], action: 'invoice.paid' },
];

/** The events that are not published yet. */
export const waitingFacts = (world: World): Doc[] =>
  (['billing', 'planning'] as const).flatMap((service) =>
    world.databases[service].documents('outbox').filter((row) => row['state'] === 'new'),
  );

/** I54: every committed event was published, and no other. */
const facts = (world: World): string[] => {
  const kept = new Set(world.bus.facts.map((fact) => fact.id));
  const rows = (['billing', 'planning'] as const).flatMap((service) => world.databases[service].documents('outbox'));
  const known = new Set(rows.map((row) => row._id));
  return [
    ...waitingFacts(world).map((row) => `I54: ${String(row['subject'])} was never published`),
    ...rows.filter((row) => row['state'] === 'sent' && !kept.has(row._id)).map(() => 'I54: a fact sent to nobody'),
    ...[...kept].filter((id) => !known.has(id)).map(() => 'I54: a published fact that was never committed'),
  ];
};

/** I01: as many effects as records of a success. */
const effects = ({ audit, rows }: Found): string[] =>
  EFFECTS.flatMap(({ by, action, of }) => {
    const recorded = [...rows.values()].filter((row) => by.includes(row.op) && statusOf(row) < 300).length;
    const happened = audit.filter((one) => one.action === action && (of === undefined || one.actor === of)).length;
    return recorded === happened
      ? []
      : [`I01: ${by.join(' or ')} happened ${happened} times, recorded ${recorded} times`];
  });

/** I12, I55, I23: no hold remains, and every counter and state matches its facts. */
const counters = ({ authorities, orders, ledger }: Found): string[] => [
  ...authorities.flatMap(({ holds }) =>
    holds.map(({ refusal }) => `I55: a hold remains (${refusal === undefined ? 'reserved' : 'a refusal'})`),
  ),
  ...wrongInAuthorities(
    authorities,
    orders,
    ledger.toSorted((one, other) => one.seq - other.seq),
  ).map(({ invariant, problem }) => `${invariant}: ${problem}`),
  ...[...Map.groupBy(ledger, ({ order_id }) => order_id).values()]
    .filter((entries) => entries.filter(({ kind }) => kind === 'charge').length > 1)
    .map(() => 'I21: a payment booked twice'),
];

/** I01, I15, I19, I56: one verdict signs a plan, one order follows it, one command caused it. */
const signatures = ({ orders, plans, verdicts }: Found, watch: Watch): string[] => {
  const faults: string[] = [];
  const signed = verdicts.filter((verdict) => verdict.kind === 'signed');
  for (const verdict of signed)
    if (!orders.some((order) => order._id === verdict.order_id)) faults.push('I19: a signed plan has no order');
  for (const order of orders) {
    if (!signed.some((verdict) => verdict._id === order.signing_id)) faults.push('I56: an order without a signature');
    if (order.month !== order.signed_at.toISOString().slice(0, 7)) faults.push('I12: an order of another month');
  }
  for (const plan of plans) {
    const own = signed.filter((verdict) => verdict.plan_id === plan._id);
    if (own.length > 1) faults.push('I15: a plan was signed twice');
    if ((plan.status === 'approved') !== (own.length === 1))
      faults.push(`I15: a plan is ${plan.status} with ${own.length} signatures`);
    if (orders.filter((order) => order.plan_id === plan._id).length > 1) faults.push('I19: two orders of one plan');
  }
  const commands = signed.map((verdict) => watch.commandOf.get(verdict._id));
  if (new Set(commands).size !== commands.length) faults.push('I01: one command signed twice');
  return faults;
};

/** Answers that leave open what the record says. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['idempotency_conflict', 'unauthorized']);

/** I01 to I04, I17: what was answered is what the record says, and what the record says happened. */
const answers = (write: Write, { rows, orders }: Found): string[] => {
  const faults: string[] = [];
  const say = (text: string) => faults.push(`${text} (${write.operation} ${write.name})`);
  const row = rows.get(write.command.id);
  const last = write.answers.at(-1);
  if (!write.finished || last === undefined) return [`I01: a key is blocked: ${write.operation} ${write.name}`];

  // A conflict is not stored: it is returned while another request runs, and that one may come to nothing.
  // A revoked key is refused whatever it was answered before.
  const own = write.answers.filter((answer) => !SAYS_NOTHING.has(answer.code));
  const [first] = own;
  for (const answer of own)
    if (first !== undefined && !isDeepStrictEqual(answer, first))
      say(`I02: answered ${first.code} ${reasonOf(first)}, then ${answer.code} ${reasonOf(answer)}`);
  if (row === undefined) {
    if (first?.code === 'ok') say('I11: a success without a record');
  } else if (row.fp !== write.command.fp) {
    if (first !== undefined && first.code !== 'not_found') say(`I03: answered ${first.code} beside another's record`);
    // A 404 binds no key, so it may have been answered before the other's record was there.
    if (!['not_found', ...SAYS_NOTHING].includes(last.code)) say(`I03: answered ${last.code} for another's record`);
  } else if (first !== undefined && first.status !== statusOf(row)) {
    say(`I02: answered ${first.status} ${first.code}, recorded ${statusOf(row)}`);
  }
  if (write.operation === 'approve_plan' && first?.code === 'ok') {
    const order = orders.find((one) => one._id === orderOf(first.body));
    if (order === undefined) say('I11: an approval without its order');
    else if (order.plan_id !== write.input['id']) say('I19: the order of another plan');
  }
  return faults;
};

/** I03: of several requests under one key at most one is answered as if it ran. */
const agreement = (agents: Agents): string[] => {
  const ran = new Map<string, string>();
  const faults: string[] = [];
  for (const write of agents.writes) {
    if (write.answers[0]?.code !== 'ok') continue;
    const other = ran.get(write.command.id);
    if (other !== undefined && other !== write.command.fp) faults.push(`I03: two requests ran under ${write.name}`);
    ran.set(write.command.id, write.command.fp);
  }
  return faults;
};
