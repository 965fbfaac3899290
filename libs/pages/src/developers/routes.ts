import type { Route } from '../port.js';
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

/** The Developers area (docs/domain/pages.md#pages). */
export const developersRoutes = (development: boolean): Route[] => [
  ...keysRoutes,
  ...keyNewRoutes,
  ...keyRoutes,
  ...keyConfirmRoutes,
  ...sandboxRoutes,
  ...usageRoutes,
  ...ordersRoutes,
  ...webhooksRoutes,
  ...webhookRoutes,
  ...membersRoutes,
  ...termsRoutes,
  ...(development ? componentsRoutes : []),
];
