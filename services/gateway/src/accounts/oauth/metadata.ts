import { SCOPES } from '@cds/contracts';
import { PATHS } from './provider.js';
import { resourceOf, type Transport } from './resource.js';

/** What an endpoint is, and who issues its tokens (RFC 9728). */
export const protectedResource = (appUrl: string, transport: Transport) => ({
  resource: resourceOf(appUrl, transport),
  authorization_servers: [appUrl],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Creator Distribution Service',
});

/** What the authorization server can do (RFC 8414). */
export const authorizationServer = (appUrl: string) => ({
  issuer: appUrl,
  authorization_endpoint: `${appUrl}${PATHS.authorize}`,
  token_endpoint: `${appUrl}${PATHS.token}`,
  revocation_endpoint: `${appUrl}${PATHS.revoke}`,
  registration_endpoint: `${appUrl}${PATHS.register}`,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});
