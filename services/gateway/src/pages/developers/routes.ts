import type { Edge } from '../../edge/edge.js';
import type { Endpoint } from '../../edge/endpoint.js';
import type { Route } from '../../edge/routes.js';
import { componentsRoutes } from './components-page.js';
import { keyConfirmRoutes } from './key-confirm-pages.js';
import { keyNewRoutes } from './key-new-page.js';
import { keyRoutes } from './key-page.js';
import { keysRoutes } from './keys-page.js';
import { membersRoutes } from './members-page.js';
import { ordersRoutes } from './orders-pages.js';
import { sandboxRoutes } from './sandbox-page.js';
import { termsRoutes } from './terms-page.js';
import { usageRoutes } from './usage-page.js';
import { webhookRoutes } from './webhook-page.js';
import { webhooksRoutes } from './webhooks-page.js';

/** The Developers area (docs/domain/access.md#pages). */
export const developersRoutes = (edge: Edge, development: boolean): Route<Endpoint>[] => [
  ...keysRoutes(edge),
  ...keyNewRoutes(edge),
  ...keyRoutes(edge),
  ...keyConfirmRoutes(edge),
  ...sandboxRoutes(edge),
  ...usageRoutes(edge),
  ...ordersRoutes(edge),
  ...webhooksRoutes(edge),
  ...webhookRoutes(edge),
  ...membersRoutes(edge),
  ...termsRoutes(edge),
  ...(development ? componentsRoutes(edge) : []),
];
