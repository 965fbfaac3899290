export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  // These two publish their TypeScript under the condition `source` too, which is ours; they are compiled like our own.
  transformIgnorePatterns: ['/node_modules/(?!eventsource(-parser)?/)'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.cds/'],
  testMatch: ['**/src/**/*.test.ts', '<rootDir>/tests/**/*.test.ts'],
  testTimeout: 30000,
};
