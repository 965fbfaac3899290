export default {
  // Suites run on Node's own loader and globals (tools/test/jest).
  runtime: '<rootDir>/tools/test/jest/runtime.ts',
  reporters: ['<rootDir>/tools/test/reporter.ts'],
  testEnvironment: '<rootDir>/tools/test/jest/environment.ts',
  transform: {},
  // How `--findRelatedTests` follows imports.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.cds/'],
  testMatch: ['**/src/**/*.test.ts', '<rootDir>/tests/**/*.test.ts'],
  testTimeout: 60000,
};
