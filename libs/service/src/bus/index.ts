export * from '../config/of-process.js';
export * from '../config/variables.js';
export * from '../logs/logger.js';
export * from '../process/ops-port.js';
export * from '../telemetry/telemetry.js';
export * from './connection.js';
export * from './topology.js';
export * from './topology-keeper.js';
