import type { ReadHandler } from '@cds/service';
import type { OAuthGrantRow, OAuthRows } from '../store/oauth-rows.js';

const presentClient = (row: OAuthGrantRow) => ({
  id: row._id,
  key_id: row.key_id,
  name: row.client_name,
  answers_go_to: row.redirect_host,
  connected_at: row.created_at.toISOString(),
  connected_by: row.granted_by,
  renewed_at: (row.renewed_at ?? row.created_at).toISOString(),
  expires_at: row.expires_at.toISOString(),
});

export const clientsList: ReadHandler<'clients_list', { oauthRows: Pick<OAuthRows, 'grantsIn'> }> = async (
  ctx,
  _input,
  { oauthRows },
) => ({ clients: (await oauthRows.grantsIn(ctx.principal.workspace)).map(presentClient) });
