/** The environment of each service: its bus and database users, its keys and its addresses. */
import { userUri } from './mongo-users.js';

/**
 * @typedef {Awaited<ReturnType<typeof loadContracts>>} Contracts
 * @typedef {{
 *   home: import('./home.js').Home,
 *   contracts: Contracts,
 *   secrets: import('./secrets.js').Secrets,
 *   databases: string,
 *   bus: (service: string) => { url: string, user?: string, password?: string },
 *   prefix?: string,
 *   environment: string,
 *   env?: Record<string, string>,
 *   envOf?: (service: string) => Record<string, string>,
 *   failpoints?: Record<string, string>,
 *   appUrl: (port?: number) => string,
 * }} Settings What the environment of a service is made of; `env` is the same for all, `envOf` is asked at each start.
 */

const PASSED_ON =
  /^(PATH|HOME|TZ|NODE_OPTIONS|CDS_LOG_LEVEL|CDS_FAILPOINTS|CDS_ALLOWED_HOSTS|CDS_TRUSTED_PROXIES|CDS_SMTP_URL|CDS_MAIL_FROM|CDS_WEBHOOK_ALLOW_LOOPBACK|CDS_OTEL_.*)$/;

// Stripe's keys open the money, so no other service gets them.
const OF_BILLING = /^CDS_(STRIPE|SELLER)_/;

/**
 * The services, who calls whom and who may use which subjects. The contracts hold these, so they are readable only
 * after the build.
 */
export async function loadContracts() {
  const { SERVICES, CALLS, BUS_ADMIN, natsPermissions, busAdminPermissions } = await import('@cds/contracts');
  return {
    /** @type {readonly string[]} */
    services: SERVICES,
    /** @type {Record<string, readonly string[]>} */
    calls: CALLS,
    busAdmin: BUS_ADMIN,
    natsPermissions: /** @type {(service: string) => import('./nats.js').Permissions} */ (natsPermissions),
    busAdminPermissions,
  };
}

/**
 * A user per service, and the one that may create and change streams and durables.
 * @param {{ contracts: Contracts, secrets: import('./secrets.js').Secrets }} options
 * @returns {import('./nats.js').NatsUser[]}
 */
export function natsUsers({ contracts, secrets }) {
  /**
   * @param {string} user
   * @param {import('./nats.js').Permissions} permissions
   */
  const one = (user, permissions) => ({ user, password: secrets.servicePassword(`nats_${user}`), permissions });
  return [
    one(contracts.busAdmin, contracts.busAdminPermissions()),
    ...contracts.services.map((service) => one(service, contracts.natsPermissions(service))),
  ];
}

/**
 * The variables of this process that a service gets, by their names.
 * @param {RegExp} names
 * @returns {Record<string, string>}
 */
function passedOn(names) {
  const named = Object.entries(process.env).filter(([name]) => names.test(name));
  return Object.fromEntries(named.map(([name, value]) => [name, value ?? '']));
}

/**
 * The whole environment of a service, and nothing else of what this process knows.
 * @param {string} service
 * @param {Settings & { opsPort: number, httpPort: number | undefined }} settings
 * @returns {Record<string, string>}
 */
export function environmentOf(
  service,
  {
    home,
    contracts,
    secrets,
    databases,
    bus,
    prefix = '',
    environment,
    env = {},
    envOf = () => ({}),
    failpoints = {},
    appUrl,
    opsPort,
    httpPort,
  },
) {
  const { url, user, password } = bus(service);
  /** @type {Record<string, string>} */
  const shared = {
    CDS_LOG_LEVEL: 'info',
    ...passedOn(PASSED_ON),
    CDS_NATS_URL: url,
    CDS_NATS_USER: user ?? '',
    CDS_NATS_PASSWORD: password ?? '',
    CDS_OPS_HOST: '127.0.0.1',
    CDS_OPS_PORT: String(opsPort),
  };
  // It has no database and signs nothing, so it gets neither.
  if (service === contracts.busAdmin) return { ...shared, ...env };
  const values = secrets.values;
  const callers = contracts.services.filter((caller) => contracts.calls[caller].includes(service));
  /** @param {string} who */
  const database = (who) => userUri(databases, `${prefix}${who}`, secrets.servicePassword(who));
  /** @type {Record<string, Record<string, string>>} */
  const own = {
    gateway: {
      CDS_HTTP_HOST: '127.0.0.1',
      CDS_HTTP_PORT: String(httpPort),
      CDS_APP_URL: appUrl(httpPort),
      CDS_KEY_PEPPERS: JSON.stringify(values.key_peppers),
      CDS_SEAL_KEYS: JSON.stringify(values.seal_keys),
      CDS_OPS_TOKEN: values.ops_token,
      CDS_MAIL_RELAY_TOKEN: values.relay_token,
    },
    catalog: {
      CDS_APP_URL: appUrl(),
      CDS_IDENTITY_MONGODB_URI: database('catalog_identity'),
      CDS_IDENTITY_DB: `${prefix}cds_identity`,
    },
    billing: {
      CDS_APP_URL: appUrl(),
      CDS_SANDBOX_RAIL_SECRET: values.sandbox_rail_secret,
      CDS_PAY_TOKEN_KEYS: JSON.stringify(values.pay_token_keys),
      CDS_PAY_FORM_KEY: values.pay_form_key,
      CDS_RECEIPT_KEYS: JSON.stringify(values.receipt_keys),
      ...passedOn(OF_BILLING),
    },
    proposals: {
      CDS_APP_URL: appUrl(),
      CDS_CREATOR_LINK_KEYS: JSON.stringify(values.creator_link_keys),
    },
  };
  return {
    ...shared,
    CDS_ENV: environment,
    CDS_AUDIT_DIR: home.folder('audit'),
    CDS_AUDIT_KEY: secrets.auditKey(service),
    CDS_MONGODB_URI: database(service),
    CDS_MONGODB_DB: `${prefix}cds_${service}`,
    CDS_CTX_KEYS: JSON.stringify({
      to: Object.fromEntries(contracts.calls[service].map((callee) => [callee, secrets.contextKey(service, callee)])),
      from: Object.fromEntries(callers.map((caller) => [caller, secrets.contextKey(caller, service)])),
    }),
    ...own[service],
    ...(failpoints[service] && { CDS_FAILPOINTS: failpoints[service] }),
    ...env,
    ...envOf(service),
  };
}
