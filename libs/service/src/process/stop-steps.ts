import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { BusServer } from '../bus/server.js';
import type { Sweeps } from '../clock/sweeps.js';
import type { Inbox } from '../inbox/inbox.js';
import type { Relay } from '../outbox/relay.js';
import type { Republisher } from '../outbox/republisher.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { BaseShell } from './shell.js';
import type { StopStep } from './stopping.js';

/** Milliseconds after a stop was requested (docs/reliability.md#deadlines). */
const LEFT_BY_MS = 3_000;
const WORK_BY_MS = 25_000;
const STOPPED_BY_MS = 30_000;

type Running = {
  shell: BaseShell;
  parts: {
    shut?: () => Promise<void>;
    close?: () => Promise<void>;
    release?: () => Promise<void>;
  };
  server: BusServer;
  inbox: Inbox;
  sweeps: Sweeps;
  /** The audit's own work, which runs in sweeps. */
  auditing: { ending: () => void; stop: () => Promise<void> };
  republisher: Republisher;
  relay: Relay;
  app: NestFastifyApplication;
  telemetry: Telemetry;
};

export const stopSteps = ({
  shell,
  parts,
  server,
  inbox,
  sweeps,
  auditing,
  republisher,
  relay,
  app,
  telemetry,
}: Running): readonly (readonly StopStep[])[] => [
  // First, so that other replicas receive new requests.
  [{ name: 'queue group', byMs: LEFT_BY_MS, run: () => server.leave() }],
  [
    { name: 'endpoints', byMs: WORK_BY_MS, run: () => parts.shut?.() },
    { name: 'requests', byMs: WORK_BY_MS, run: () => server.close() },
    { name: 'consumers', byMs: WORK_BY_MS, run: () => inbox.stop() },
    {
      name: 'sweeps',
      byMs: WORK_BY_MS,
      run: () => {
        auditing.ending();
        return sweeps.stop().finally(() => auditing.stop());
      },
    },
    { name: 'republishing', byMs: WORK_BY_MS, run: () => republisher.stop() },
  ],
  [{ name: 'work after answers', byMs: WORK_BY_MS + 1_000, run: () => parts.close?.() }],
  [{ name: 'events', byMs: WORK_BY_MS + 2_000, run: () => relay.flush().finally(() => relay.stop()) }],
  [{ name: 'application', byMs: STOPPED_BY_MS - 2_000, run: () => app.close() }],
  [
    { name: 'bus', byMs: STOPPED_BY_MS - 1_000, run: () => shell.connection.close() },
    { name: 'database', byMs: STOPPED_BY_MS - 1_000, run: () => shell.store.close() },
    { name: 'own connections', byMs: STOPPED_BY_MS - 1_000, run: () => parts.release?.() },
  ],
  [{ name: 'telemetry', byMs: STOPPED_BY_MS, run: () => telemetry.stop() }],
];
