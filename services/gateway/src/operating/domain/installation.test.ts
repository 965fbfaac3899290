import { SERVICES } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { checkInstallation, type InstallationFacts, isOlder, mendOf } from './installation.js';

const WELL: InstallationFacts = {
  database: { version: '8.0.4', replicaSet: 'cds', offsetMs: 0 },
  bus: { version: '2.12.1', jetstream: true },
  keys: [{ variable: 'CDS_KEY_PEPPERS', bytes: 32 }],
  mail: { development: false, server: true, relay: false },
};
const NO_MAIL = { development: false, server: false, relay: false };
const DATABASE = { version: '8.0.4', replicaSet: 'cds', offsetMs: 0 };

describe('the checks of an installation', () => {
  it.each<[string, Partial<InstallationFacts>, string, string | null]>([
    ['nothing is wrong', {}, 'database_version', null],
    ['MongoDB is as old as may be', { database: { ...DATABASE, version: '6.0.0' } }, 'database_version', null],
    [
      'MongoDB is too old',
      { database: { ...DATABASE, version: '5.0.30' } },
      'database_version',
      'MongoDB 5.0.30 is older than 6.0.0',
    ],
    [
      'it is not a replica set',
      { database: { ...DATABASE, replicaSet: null } },
      'replica_set',
      'the database is not a replica set, so there are no transactions',
    ],
    ['the clocks are a second apart', { database: { ...DATABASE, offsetMs: -1_000 } }, 'clock', null],
    [
      'this clock is behind',
      { database: { ...DATABASE, offsetMs: -1_001 } },
      'clock',
      "the clock of this machine is 1.0 s behind the database's",
    ],
    [
      'this clock is ahead',
      { database: { ...DATABASE, offsetMs: 3_600_000 } },
      'clock',
      "the clock of this machine is 3600.0 s ahead of the database's",
    ],
    ['the database is silent', { database: null }, 'clock', 'it could not be asked'],
    [
      'nats-server is too old',
      { bus: { version: '2.11.9', jetstream: true } },
      'bus_version',
      'nats-server 2.11.9 is older than 2.12.0',
    ],
    [
      'JetStream is off',
      { bus: { version: '2.12.0', jetstream: false } },
      'bus_version',
      'nats-server runs without JetStream, which carries the events',
    ],
    ['the bus is silent', { bus: null }, 'bus_version', 'it could not be asked'],
    [
      'keys are short',
      {
        keys: [
          { variable: 'CDS_KEY_PEPPERS', bytes: 31 },
          { variable: 'CDS_SEAL_KEYS', bytes: 32 },
          { variable: 'CDS_OPS_TOKEN', bytes: 16 },
        ],
      },
      'keys',
      'CDS_KEY_PEPPERS, CDS_OPS_TOKEN: shorter than 32 bytes',
    ],
    ['a mail server is named', { mail: { ...NO_MAIL, server: true } }, 'mail', null],
    ['a mail relay has a token', { mail: { ...NO_MAIL, relay: true } }, 'mail', null],
    ['a development start shows links', { mail: { ...NO_MAIL, development: true } }, 'mail', null],
    ['messages cannot leave', { mail: NO_MAIL }, 'mail', 'sign-in links and all other messages reach nobody'],
  ])('when %s', (_what, facts, name, problem) => {
    const checks = checkInstallation({ ...WELL, ...facts });
    expect(checks.find((one) => one.name === name)?.problem).toBe(problem);
    for (const one of checks) expect([one.name, one.mend === null]).toEqual([one.name, one.problem === null]);
  });

  it('say how to fix each dependency', () => {
    for (const name of ['database', 'bus', ...SERVICES]) expect(mendOf(name)).toMatch(/^See whether .+\.$/);
  });
});

describe('a version', () => {
  it.each([
    ['6.0.0', '6.0.0', false],
    ['6.0.5', '6.0.0', false],
    ['5.9.99', '6.0.0', true],
    ['2.9.10', '2.10.23', true],
    ['2.10.22', '2.10.23', true],
    ['2.10.23-RC.1', '2.10.23', false],
    ['2.15.2', '2.10.23', false],
    ['8', '6.0.0', false],
    ['2', '2.10.23', true],
  ])('%s is older than %s: %s', (version, floor, older) => {
    expect(isOlder(version, floor)).toBe(older);
  });
});
