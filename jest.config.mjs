// ES modules straight from source: swc compiles, package exports resolve to `src` through the source condition.
const base = {
  rootDir: import.meta.dirname,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { configFile: `${import.meta.dirname}/.swcrc` }] },
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@skillgate/source', 'node', 'node-addons'] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['/dist/', '/.skillgate/'],
};

export default {
  // The service and house tests mostly wait for servers: all cores, not one less.
  maxWorkers: '100%',
  // On a busy machine a start takes longer; how fast something is, a bench says.
  testTimeout: 20_000,
  // A worker keeps what ES modules of earlier files took; in the end it would collect garbage for seconds, and deadlines would pass.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['**/src/**/*.spec.ts'],
      testPathIgnorePatterns: ['\\.(service|suite)\\.spec\\.ts$', '/apps/e2e/', '/node_modules/', '/dist/'],
    },
    {
      ...base,
      displayName: 'service',
      testMatch: ['**/src/**/*.service.spec.ts'],
      globalSetup: '<rootDir>/libs/testing/jest-global-setup.mjs',
      globalTeardown: '<rootDir>/libs/testing/jest-global-teardown.mjs',
    },
    {
      ...base,
      displayName: 'house',
      testMatch: ['<rootDir>/apps/e2e/src/**/*.spec.ts'],
      globalSetup: '<rootDir>/libs/testing/jest-global-setup.mjs',
      globalTeardown: '<rootDir>/libs/testing/jest-global-teardown.mjs',
    },
    // What a run of all the others has left behind; bin/test keeps it.
    ...(process.env.SKILLGATE_SUITE_WORDS ? [{ ...base, displayName: 'suite', testMatch: ['**/src/**/*.suite.spec.ts'] }] : []),
  ],
};
