import { describe, expect, test } from '@jest/globals';
import { Routes } from './routes.js';
import { findMethod, findPath } from './steps/route.js';

const routes = new Routes([
  { path: '/a', method: 'GET', target: 'list' },
  { path: '/a', method: 'POST', target: 'make' },
  { path: '/a/{id}', method: 'GET', target: 'one' },
  { path: '/a/{id}/b/{other}', method: 'DELETE', target: 'drop' },
]);

describe('paths and methods (docs/domain/requests.md#order-of-errors, checks 2 and 3)', () => {
  test.each([
    ['/a', 'GET', 'list', {}],
    ['/a', 'POST', 'make', {}],
    ['/a/x%20y', 'GET', 'one', { id: 'x y' }],
    ['/a/%zz', 'GET', 'one', { id: '%zz' }],
    ['/a/1/b/2', 'DELETE', 'drop', { id: '1', other: '2' }],
  ])('%s %s', (path, method, target, params) => {
    const found = findPath(routes, path);
    expect(findMethod(found, method)).toBe(target);
    expect(found.params).toEqual(params);
  });

  test.each(['/', '/a/', '/A', '//a', '/a/1/', '/a/1/b', '/a/1/c/2', '*', 'http://x/a', ''])(
    '%s does not exist',
    (path) => {
      expect(() => findPath(routes, path)).toThrow(expect.objectContaining({ code: 'not_found' }));
    },
  );

  test.each(['HEAD', 'OPTIONS', 'PUT', 'TRACE'])('%s is refused with the methods that the path takes', (method) => {
    expect(() => findMethod(findPath(routes, '/a'), method)).toThrow(
      expect.objectContaining({ code: 'method_not_allowed', headers: { Allow: 'GET, POST' } }),
    );
  });
});
