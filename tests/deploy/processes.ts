import * as billing from '@cds/billing/config';
import * as busAdmin from '@cds/bus-admin/config';
import * as catalog from '@cds/catalog/config';
import { SERVICES, type ServiceName } from '@cds/contracts';
import * as gateway from '@cds/gateway/config';
import * as metrics from '@cds/metrics/config';
import * as planning from '@cds/planning/config';
import * as proposals from '@cds/proposals/config';
import type { Variable } from '@cds/service';

type Config = {
  variables: readonly Variable[];
  readConfig: (env: Record<string, string | undefined>) => unknown;
};

/** What each process reads from its environment. */
export const CONFIGS: Record<ServiceName | 'bus-admin', Config> = {
  'bus-admin': busAdmin,
  gateway,
  catalog,
  planning,
  billing,
  proposals,
  metrics,
};

/** Every process of the system, by the name of its folder. */
export const PROCESSES = ['bus-admin', ...SERVICES] as const;

/** The port of /livez, /readyz and /metrics in a container, and that of the gateway's pages and API. */
export const OPS_PORT = 9_090;
export const HTTP_PORT = 8_080;

/** What is wrong with an environment: names that no schema has, and what reading it reports. */
export const problemsOf = (process: keyof typeof CONFIGS, env: Record<string, string>): string[] => {
  const { variables, readConfig } = CONFIGS[process];
  const known = new Set(variables.map(({ name }) => name));
  const unknown = Object.keys(env)
    .filter((name) => !known.has(name) && !name.startsWith('NODE_'))
    .map((name) => `${name} is no variable of ${process}`);
  try {
    readConfig(env);
    return unknown;
  } catch (error) {
    return [...unknown, String(error)];
  }
};
