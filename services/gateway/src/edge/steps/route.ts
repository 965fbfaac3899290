import { AppError } from '@cds/contracts';
import { EdgeRefusal } from '../http/refusal.js';
import type { Found, Routes } from '../routes.js';

export const findPath = <Target>(routes: Routes<Target>, path: string): Found<Target> => {
  const found = routes.find(path);
  if (found === undefined)
    throw new AppError('not_found', 'Nothing is served at this path. GET /openapi.json lists the paths.');
  return found;
};

export const findMethod = <Target>(found: Found<Target>, method: string): Target => {
  const target = found.methods.get(method);
  if (target !== undefined) return target;
  const allow = [...found.methods.keys()].join(', ');
  throw new EdgeRefusal(
    'method_not_allowed',
    `This path does not take ${/^[A-Z]{1,20}$/.test(method) ? method : 'that method'}. It takes ${allow}.`,
    undefined,
    { Allow: allow },
  );
};
