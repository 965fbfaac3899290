import type { Store } from '@cds/service';
import type { Quotas, Windows } from '../../edge/port.js';
import type { Workspaces } from '../brands/store/workspaces.js';
import type { SealKeys } from '../keys/seal.js';
import type { Keys } from '../keys/store/keys.js';
import type { Mandates } from '../keys/store/mandates.js';
import { OperatorPeople } from '../operators/operators.js';
import { type Auth, makeAuth } from './auth.js';
import { SessionAdmission } from './session-admission.js';
import { Members } from './store/members.js';
import { type MessageRow, Messages } from './store/messages.js';
import { People } from './store/people.js';
import { Sessions } from './store/sessions.js';
import { SignInLinks } from './store/sign-in-links.js';

export type PeopleConfig = {
  appUrl: string;
  sealKeys: SealKeys;
  /** Called with each queued message and its link: a development start prints them. */
  queued?: (row: MessageRow, link: string | null) => void;
};

export type PeopleModule = {
  appUrl: string;
  people: People;
  members: Members;
  sessions: Sessions;
  messages: Messages;
  quotas: Quotas;
  auth: Auth;
  operators: OperatorPeople;
  admission: SessionAdmission;
  workspaces: Workspaces;
  keys: Keys;
};

export const peopleModule = (
  store: Store,
  { appUrl, sealKeys, queued }: PeopleConfig,
  {
    workspaces,
    keys,
    mandates,
    windows,
    quotas,
  }: { workspaces: Workspaces; keys: Keys; mandates: Mandates; windows: Windows; quotas: Quotas },
): PeopleModule => {
  const people = new People(store, 'people');
  const sessions = new Sessions(store, 'sessions', windows);
  const members = new Members(store);
  return {
    appUrl,
    people,
    members,
    sessions,
    messages: new Messages(store, sealKeys, queued),
    quotas,
    auth: makeAuth(store, appUrl, { people, sessions, links: new SignInLinks(store, 'sign_in_links') }),
    operators: new OperatorPeople(store, appUrl, windows),
    admission: new SessionAdmission(sessions, members, keys, mandates),
    workspaces,
    keys,
  };
};
