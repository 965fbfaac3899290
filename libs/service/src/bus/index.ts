// What a process on the bus without a database is made of.
export * from '../logs/logger.js';
export * from '../process/small-port.js';
export * from '../telemetry/telemetry.js';
export * from './connection.js';
export * from './topology.js';
export * from './topology-keeper.js';
