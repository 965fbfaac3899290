import { avatarRoutes } from './avatars.js';
import { askRoutes } from './connect/ask-page.js';
import { connectKeyRoutes } from './connect/key-page.js';
import { creatorRoutes } from './creator/creator-pages.js';
import { joinRoutes } from './creator/join-pages.js';
import { developersRoutes } from './developers/routes.js';
import { docsRoutes } from './docs/docs-pages.js';
import type { Library } from './docs/library.js';
import { assetRoutes } from './foundation/assets.js';
import { payRoutes } from './pay/pay-pages.js';
import { opsSignInRoutes } from './people/ops-sign-in-pages.js';
import { signInRoutes } from './people/sign-in-pages.js';
import { signUpRoutes } from './people/sign-up-pages.js';
import type { Route } from './port.js';
import { publicPageRoutes } from './public-pages.js';

export { byHandPage } from './connect/by-hand-page.js';
export { type Document, markdownPath } from './docs/document.js';
export { type File, fileOf } from './docs/file.js';
export { type Contents, Library } from './docs/library.js';
export { errorPage } from './foundation/error-page.js';
export { pageHeaders } from './foundation/page.js';
export * from './port.js';

/** Every page, picture and document. `development` adds the page that shows every component, and says where
 * messages are that no mail server delivers. */
export const pageRoutes = (library: Pick<Library, 'contents'>, development: boolean): Route[] => [
  ...payRoutes,
  ...creatorRoutes,
  ...publicPageRoutes,
  ...avatarRoutes,
  ...assetRoutes,
  ...signInRoutes(development),
  ...opsSignInRoutes,
  ...signUpRoutes,
  ...joinRoutes,
  ...developersRoutes(development),
  ...docsRoutes(library),
  ...askRoutes,
  ...connectKeyRoutes,
];
