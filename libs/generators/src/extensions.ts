import { limitsOf, type OperationDeclaration, toolNameOf } from '@cds/contracts';

/** What OpenAPI has no field for: the scope, the tool and who has it, and the limits, as GET /limits names them. */
export const extensionsOf = (operation: OperationDeclaration) => ({
  'x-scope': operation.scope,
  ...(operation.tool === undefined
    ? {}
    : {
        'x-mcp-tool': {
          name: toolNameOf(operation),
          listed: operation.audience === 'sandbox' ? 'sandbox' : operation.extension ? 'extensions' : 'always',
        },
      }),
  'x-limits': limitsOf(operation),
});
