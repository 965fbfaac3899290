import {
  API_VERSION,
  deprecatedAt,
  extensionTools,
  isServed,
  operations,
  RAILS,
  SCOPES,
  type Switches,
  sunsetOf,
  toolNameOf,
} from '@cds/contracts';
import { VERSIONS } from '../edge/port.js';

/** Where each part is, by its name in the capability document; a part that is not served is left out. */
const ENDPOINTS = {
  rest: '/api/v1',
  mcp: '/api/mcp',
  mcp_guest: '/api/mcp/guest',
  sign_in: '/connect',
  openapi: '/openapi.json',
  docs: '/docs/',
  llms: '/llms.txt',
  changelog: '/changelog.json',
  receipt_keys: '/.well-known/cds-keys.json',
} as const;

/** Deprecated fields that no answer's headers name: one of a body, and one that is constant. */
const ALWAYS_DEPRECATED = [
  { operation: 'approve_plan', field: 'confirm_over_budget_cents', sunset: null },
  { operation: 'plan_quote', field: 'mandate.may_exceed_budget', sunset: null },
] as const;

/** The deprecated fields that are still served, each with its last day. */
const deprecatedFields = (at: { switches: Switches; networkNow: Date }) => [
  ...operations.flatMap(({ name, deprecated = [] }) =>
    deprecated.flatMap((field) => {
      const known = deprecatedAt(field);
      return known === null || !isServed(known, at)
        ? []
        : [{ operation: name, field, sunset: sunsetOf(known, at.switches.deprecated_until) }];
    }),
  ),
  ...ALWAYS_DEPRECATED,
];

/**
 * The capability document (docs/domain/pages.md#health-and-documents). `serves`: something at or below a path is
 * served.
 */
export const versionDocument = (
  appUrl: string,
  at: { switches: Switches; networkNow: Date },
  serves: (path: string) => boolean,
) => ({
  version: API_VERSION,
  endpoints: Object.fromEntries(
    Object.entries(ENDPOINTS)
      .filter(([, path]) => serves(path))
      .map(([name, path]) => [name, `${appUrl}${path}`]),
  ),
  mcp: { protocol_versions: VERSIONS },
  scopes: SCOPES,
  writes_open: at.switches.writes_open,
  payments: {
    open: at.switches.payments_open,
    rails: RAILS.filter((rail) => rail !== 'invoice' || at.switches.invoice_rail),
  },
  extensions: { enabled: at.switches.extensions, tools: extensionTools().map(toolNameOf) },
  deprecated: { served: deprecatedFields(at).some(({ sunset }) => sunset !== null), fields: deprecatedFields(at) },
});
