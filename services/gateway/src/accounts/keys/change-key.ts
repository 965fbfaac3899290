import { randomUUID } from 'node:crypto';
import { conflict, notFound } from '@cds/contracts';
import {
  type Audited,
  actorOf,
  type Client,
  type Ctx,
  change,
  type Emitted,
  type Outcome,
  RecordedOutcome,
  runWrite,
  type Tx,
  type WriteShell,
} from '@cds/service';
import type { Workspaces } from '../brands/store/workspaces.js';
import { keyEnd, rightOf } from '../rights/domain/rights.js';
import type { RightEnds } from '../rights/store/right-ends.js';
import type { StoredMandate } from './domain/mandate.js';
import { mandateAudit, mandateChange, mandateChanged, versionRow } from './mandate-changes.js';
import type { KeyChanges } from './store/key-changes.js';
import type { KeyVersions } from './store/key-versions.js';
import type { KeyChange, KeyRow, KeySettings, Keys } from './store/keys.js';
import type { AcceptanceRow, Mandates, MandateVersionRow } from './store/mandates.js';

export type ChangeKeyDeps = {
  shell: WriteShell;
  workspaces: Workspaces;
  keys: Keys;
  keyVersions: KeyVersions;
  keyChanges: KeyChanges;
  rightEnds: RightEnds;
  mandates: Mandates;
  billing: Client<'gate_raise'>;
};

export type KeyDecision = {
  answer: unknown;
  settings?: KeySettings;
  mandate?: { cause: MandateVersionRow['cause']; mandate: StoredMandate | null };
  acceptance?: AcceptanceRow;
  revoked?: true;
  audit?: Audited[];
};

export type KeyWrite = { operation: string; keyId: string; status?: number };

/**
 * Changes a key. Nothing in the transaction writes to the key itself (ADR 0006); it is changed after the commit and
 * before the answer. So is billing's gate when the mandate has a new version, or when the key or its time ends. A
 * replay does all that again, so that a success means it is done. Raises not_found, unavailable.
 */
export const changeKey = async (
  ctx: Ctx,
  { operation, keyId: asked, status = 200 }: KeyWrite,
  deps: ChangeKeyDeps,
  decide: (key: KeyRow) => KeyDecision | Promise<KeyDecision>,
): Promise<Outcome> => {
  const ws = ctx.principal.workspace;
  const keyId = asked.toLowerCase();
  const outcome = await runWrite(deps.shell, ctx, operation, status, async () => {
    const workspace = await deps.workspaces.byId(ws);
    if (workspace === null) throw notFound('workspace');
    // Read before the key: a committed revocation counts, whether or not the key has it yet.
    const pending = await deps.keyChanges.revocationOf(ws, keyId);
    const current = await currentKey(deps, ws, keyId);
    const key = { ...current, revoked_at: current.revoked_at ?? pending };
    const decided = await decide(key);
    const made = madeOf(ctx, key, decided);
    return change(decided.answer, {
      save: async (tx) => {
        await deps.workspaces.lockKeys(tx, workspace);
        await made.save(tx, deps);
      },
      events: made.events,
      audit: made.audit,
    });
  });
  if (outcome.ok) {
    await deps.keyChanges.applyOf(ws, keyId);
    await deps.rightEnds.settle([rightOf.key(keyId)]);
  }
  return outcome;
};

/** Raises billing's gate to the key's newest mandate, so that no later approval uses an older one. */
export const raiseGate = async (
  ctx: Ctx,
  keyId: string,
  { mandates, billing }: Pick<ChangeKeyDeps, 'mandates' | 'billing'>,
): Promise<void> => {
  const workspace = ctx.principal.workspace;
  const newest = await mandates.newest(workspace, keyId.toLowerCase());
  if (newest !== null) await billing.gate_raise(ctx, { key_id: newest.key_id, workspace, version: newest.version });
};

/**
 * A key with the newest versions of its settings and its mandate, which the key itself gets only after the commit. A
 * foreign key and an absent one are both not_found.
 */
export const currentKey = async (
  { keys, keyVersions, mandates }: Pick<ChangeKeyDeps, 'keys' | 'keyVersions' | 'mandates'>,
  ws: string,
  asked: string,
): Promise<KeyRow> => {
  const keyId = asked.toLowerCase();
  const [key, version, mandate] = await Promise.all([
    keys.byKeyId(ws, keyId),
    keyVersions.newest(ws, keyId),
    mandates.newest(ws, keyId),
  ]);
  if (key === null) throw notFound('key');
  return {
    ...key,
    ...(version === null ? {} : { ...version.settings, settings_version: version.version }),
    ...(mandate === null ? {} : { mandate: mandate.mandate, mandate_version: mandate.version }),
  };
};

export const mustBeActive = (key: Pick<KeyRow, 'revoked_at'>): void => {
  if (key.revoked_at !== null) throw notFound('key');
};

export const mustNotBeOwn = (key: Pick<KeyRow, 'own'>, instead: string): void => {
  if (key.own) throw conflict('bad_state', `This is the workspace's own agent key. ${instead}`);
};

/** Refuses a child key, whose scopes, expiry and mandate nobody changes (docs/domain/access.md#child-keys). */
export const mustNotBeChild = (key: Pick<KeyRow, 'parent'>): void => {
  if (key.parent !== null)
    throw conflict(
      'bad_state',
      'A child key keeps what its parent gave it. Revoke it, and let the parent make another.',
    );
};

type Made = { save: (tx: Tx, deps: ChangeKeyDeps) => Promise<void>; events: Emitted[]; audit: Audited[] };

const madeOf = (ctx: Ctx, key: KeyRow, decided: KeyDecision): Made => {
  const { ws, key_id } = key;
  const [actor, at] = [actorOf(ctx), ctx.networkNow];
  const settings =
    decided.settings === undefined
      ? null
      : { _id: randomUUID(), ws, key_id, version: key.settings_version + 1, settings: decided.settings, actor, at };
  const mandate =
    decided.mandate === undefined ? null : versionRow(key, key.mandate_version + 1, { ...decided.mandate, actor, at });
  const changes: KeyChange[] = [
    ...(settings === null
      ? []
      : [{ kind: 'settings' as const, ws, key_id, version: settings.version, settings: settings.settings }]),
    ...(mandate === null ? [] : [mandateChange(key, mandate.version, mandate.mandate)]),
    ...(decided.revoked === undefined ? [] : [{ kind: 'revoked' as const, ws, key_ids: [key_id], at }]),
  ];
  return {
    save: async (tx, { keyVersions, mandates, keyChanges, rightEnds }) => {
      if (settings !== null) await keyVersions.add(tx, settings);
      if (mandate !== null) await mandates.add(tx, [mandate]);
      if (decided.acceptance !== undefined) await mandates.addAcceptances(tx, [decided.acceptance]);
      await keyChanges.add(tx, changes, at);
      if (settings !== null && endsEarlier(key, settings.settings))
        await rightEnds.add(tx, [keyEnd(key_id, settings.version)], at);
    },
    events: mandate === null ? [] : [mandateChanged(key, mandate.version)],
    audit: [...(decided.audit ?? []), ...(mandate === null ? [] : [mandateAudit(mandate)])],
  };
};

/** Whether a key's time gets shorter: approvals in progress rely on the longer one. */
const endsEarlier = ({ expires_at: before }: Pick<KeyRow, 'expires_at'>, { expires_at: after }: KeySettings): boolean =>
  after !== null && (before === null || after < before);

/** A recorded outcome whose answer is completed with what is read when it is given, such as the cents spent. */
export const completed = async <Answer>(
  outcome: Outcome,
  complete: (answer: Answer) => Promise<unknown>,
): Promise<RecordedOutcome> => {
  if (!outcome.ok) return new RecordedOutcome(outcome);
  const answer = await complete(JSON.parse(outcome.json.toString()) as Answer);
  return new RecordedOutcome({ ...outcome, json: Buffer.from(JSON.stringify(answer)) });
};
