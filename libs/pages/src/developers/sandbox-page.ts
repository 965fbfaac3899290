import { page } from '../foundation/page.js';
import { errorAt, NOTHING_WRONG, type Shown, shownOf } from '../foundation/problems.js';
import { type SessionVisit, SWITCH_PATH, sessionForm, sessionPage } from '../foundation/session.js';
import type { Answer, Route } from '../port.js';
import { connectionsOf } from './key-new-model.js';

const PATH = '/developers/sandboxes/new';
const FIELDS = { name: { field: 'name', label: 'Name' } };

const formPage = (visit: SessionVisit, name: string, shown: Shown, status = 200): Answer =>
  page(
    'developers/sandbox-new',
    {
      ...visit.frame('New sandbox', '/developers'),
      ...shown,
      action: PATH,
      token: visit.token(PATH),
      name: {
        name: 'name',
        label: 'Name',
        help: 'Optional. Left empty, it is made from the name of your company.',
        autocomplete: 'off',
        value: name,
        error: errorAt(shown.problems, 'name'),
      },
    },
    { status },
  );

/** Makes a sandbox of the brand and shows the secret of its test key once (docs/domain/access.md#developers-area). */
export const sandboxRoutes: readonly Route[] = [
  {
    path: PATH,
    method: 'GET',
    target: sessionPage(async (visit) => formPage(visit, '', NOTHING_WRONG)),
  },
  {
    path: PATH,
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      const name = form.one('name').trim();
      const made = await visit.call('sandbox_make', { body: name === '' ? {} : { name }, key });
      if (!made.ok) return formPage(visit, name, shownOf(made.error, FIELDS), made.status);
      const { workspace, secret } = made.value;
      return page('developers/sandbox-made', {
        ...visit.frame('New sandbox', '/developers'),
        workspace,
        secret: { id: 'secret', label: 'Secret of its test key', secret: true, code: secret },
        connections: connectionsOf(visit.request.appUrl, secret),
        action: SWITCH_PATH,
        token: visit.token(SWITCH_PATH),
      });
    }),
  },
];
