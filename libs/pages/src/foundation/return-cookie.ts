import { CONNECT, type PageRequest } from '../port.js';

/** Where a browser was led to sign-in from, so that its person comes back there. It proves nothing. */
const COOKIE = 'cds_return';
const HOME = '/developers';
/** Pages of Developers, and those of a client's sign-in that is under way. */
const PAGE = new RegExp(`^(${HOME}(/[\\w-]+){0,4}|${CONNECT.ask}/[\\w-]{43}(/[\\w-]+){0,2})$`);

/** Whether a browser shows what it asked for; a page of live state asks for itself again in the background. */
const isShown = ({ header }: PageRequest): boolean => header('sec-fetch-dest').every((to) => to === 'document');

/** Notes the page that a browser asked for, instead of one that it asked for before. */
export const returnHere = (request: PageRequest): void => {
  const { path } = request;
  if (isShown(request) && PAGE.test(path)) request.setCookie(COOKIE, path, CONNECT.waitsS);
};

/** Where somebody goes who has just signed in: back to the page that they asked for, or to Developers. */
export const afterSignIn = (request: PageRequest): `/${string}` => {
  const path = request.cookie(COOKIE);
  if (path === null || !PAGE.test(path)) return HOME;
  request.setCookie(COOKIE, '', 0);
  return path as `/${string}`;
};
