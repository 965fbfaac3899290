import type { GrantedKey } from './store/oauth-rows.js';

/** The account of a grant is its key: tokens act as the key, no matter which member signed the client in. */
export const accountIdOf = ({ ws, key_id, public_id }: GrantedKey): string => [ws, key_id, public_id].join(':');

export const accountOf = (id: string): GrantedKey => {
  const [ws = '', key_id = '', public_id = ''] = id.split(':');
  return { ws, key_id, public_id };
};
