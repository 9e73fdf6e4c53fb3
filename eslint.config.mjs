import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

const only = (sourceTag, ...onlyDependOnLibsWithTags) => ({ sourceTag, onlyDependOnLibsWithTags });
const banned = (sourceTag, ...bannedExternalImports) => ({ sourceTag, bannedExternalImports });

// The plan of the house as a rule: who may import whom, and which libraries belong to which room.
const rooms = [
  only('type:app', 'type:kit', 'type:platform', 'type:wire', 'type:domain', 'type:contract'),
  only('type:standalone', 'type:app', 'type:kit', 'type:platform', 'type:wire', 'type:domain', 'type:contract'),
  only('type:tool', 'type:standalone', 'type:app', 'type:kit', 'type:platform', 'type:wire', 'type:domain', 'type:contract'),
  only('type:e2e', 'type:standalone', 'type:testing', 'type:app', 'type:kit', 'type:platform', 'type:wire', 'type:domain', 'type:contract'),
  only('type:kit', 'type:platform', 'type:wire', 'type:contract'),
  only('type:platform', 'type:wire', 'type:contract'),
  only('type:wire', 'type:contract'),
  only('type:domain', 'type:domain', 'type:contract'),
  only('type:contract'),
  only('type:testing', 'type:kit', 'type:platform', 'type:wire', 'type:contract'),
  ...['gateway', 'accounts', 'catalog', 'registry', 'orchestrator', 'artifacts', 'executor-docs', 'executor-web', 'offline-model'].map((app) =>
    only(`scope:${app}`, `scope:${app}`, 'scope:shared'),
  ),
  banned('type:contract', '@nestjs/*', '@nats-io/*', 'typeorm', 'pg', 'openai', '@opentelemetry/*'),
  banned('type:domain', '@nestjs/*', '@nats-io/*', 'typeorm', 'pg', 'openai', '@opentelemetry/*'),
  banned('type:wire', 'typeorm', 'pg', 'openai'),
  banned('type:platform', '@nats-io/*', 'openai'),
  banned('type:kit', '@nats-io/*', 'typeorm', 'pg', 'openai'),
  banned('type:app', '@nats-io/*', 'pg'),
  banned('role:executor', 'typeorm', 'openai'),
  // The orchestrator alone talks to models.
  ...['gateway', 'accounts', 'catalog', 'registry', 'artifacts'].map((app) => banned(`scope:${app}`, 'openai')),
];

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '.nx/', '.skillgate/'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommended],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@nx/enforce-module-boundaries': ['error', { allow: [], enforceBuildableLibDependency: false, depConstraints: rooms }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // One process of all services, and the commands that run it, start from what each app defines and from nothing else of it.
    files: ['apps/standalone/src/**/*.ts', 'tools/src/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': ['error', { allow: ['^@skillgate/[a-z-]+/([a-z-]+\\.service-definition|store-definition|docs-executor|web-executor)$', '^@skillgate/(standalone|offline-model)/'], enforceBuildableLibDependency: false, depConstraints: rooms }],
    },
  },
  {
    // Specs stand beside what they test and may use the house's test room.
    files: ['**/*.spec.ts', '**/*.fixture.ts', '**/spec-support/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
);
