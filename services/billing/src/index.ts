export * from './audits/authority.js';
export * from './billing.module.js';
