import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, readConfig } from './config.js';
import { fileNamedBy, fileVariable, folderVariable } from './file-variable.js';
import { newSigningKey } from './signing-key.js';
import { databaseUrlVariable, milliseconds, signingKeyVariable } from './variables.js';

const base = { SKILLGATE_NATS_URL: 'nats://127.0.0.1:4222', SKILLGATE_NATS_PASSWORD: 'pw' };

function failure(own: z.ZodObject, env: NodeJS.ProcessEnv, service = 'accounts'): ConfigError {
  try {
    readConfig(service, own, env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('readConfig', () => {
  it('fills in what has a default', () => {
    expect(readConfig('accounts', z.object({}), base)).toEqual({
      ...base,
      SKILLGATE_LOG_LEVEL: 'info',
      SKILLGATE_HEALTH_PORT: 0,
      SKILLGATE_HTTP_PORT: 8080,
      SKILLGATE_HTTP_HOST: '127.0.0.1',
      SKILLGATE_DRAIN_MS: 25_000,
    });
  });

  it('names every bad variable at once, with its problem and an example', () => {
    const own = z.object({ SKILLGATE_LEASE_MS: milliseconds.meta({ example: '10000' }), SKILLGATE_PLAN: z.enum(['expand', 'dispatch']) });
    const error = failure(own, { ...base, SKILLGATE_NATS_URL: '', SKILLGATE_LEASE_MS: 'soon', SKILLGATE_HEALTH_PORT: '70000' });
    expect(error.message.split('\n')).toEqual([
      'accounts cannot start: 4 variables are wrong or absent.',
      '  SKILLGATE_NATS_URL: is not set; for example SKILLGATE_NATS_URL=nats://127.0.0.1:4222',
      '  SKILLGATE_HEALTH_PORT: is above 65535; for example SKILLGATE_HEALTH_PORT=8081',
      '  SKILLGATE_LEASE_MS: is no whole number of milliseconds; for example SKILLGATE_LEASE_MS=10000',
      '  SKILLGATE_PLAN: is not set; for example SKILLGATE_PLAN=expand',
    ]);
  });

  it('prefers the variable with the service behind it, hyphens as underscores', () => {
    const env = { ...base, SKILLGATE_NATS_PASSWORD_EXECUTOR_DOCS: 'own' };
    expect(readConfig('executor-docs', z.object({}), env).SKILLGATE_NATS_PASSWORD).toBe('own');
    expect(readConfig('accounts', z.object({}), env).SKILLGATE_NATS_PASSWORD).toBe('pw');
  });

  it('names the variable that was read, not the general one', () => {
    const error = failure(z.object({}), { ...base, SKILLGATE_LOG_LEVEL: 'info', SKILLGATE_LOG_LEVEL_ACCOUNTS: 'loud' });
    expect(error.variables).toEqual([
      { name: 'SKILLGATE_LOG_LEVEL_ACCOUNTS', problem: expect.stringContaining('expected one of'), example: 'info' },
    ]);
  });

  it('never repeats a value: it may be a secret', () => {
    const own = z.object({ SKILLGATE_DATABASE_URL: databaseUrlVariable, SKILLGATE_SIGNING_KEY: signingKeyVariable });
    const env = {
      ...base,
      SKILLGATE_NATS_URL: 'nats://u:canary@h',
      SKILLGATE_DATABASE_URL: 'mysql://u:canary@h/d',
      SKILLGATE_SIGNING_KEY: 'canary',
      SKILLGATE_LOG_LEVEL: 'canary',
    };
    const error = failure(own, env);
    expect(error.variables.map(({ name }) => name).sort()).toEqual([
      'SKILLGATE_DATABASE_URL',
      'SKILLGATE_LOG_LEVEL',
      'SKILLGATE_NATS_URL',
      'SKILLGATE_SIGNING_KEY',
    ]);
    expect(error.message).not.toContain('canary');
  });

  it('reads a signing key, and refuses one whose halves do not belong together', async () => {
    const own = z.object({ SKILLGATE_SIGNING_KEY: signingKeyVariable });
    const key = await newSigningKey();
    expect(readConfig('gateway', own, { ...base, SKILLGATE_SIGNING_KEY: JSON.stringify(key) }).SKILLGATE_SIGNING_KEY).toEqual(key);
    const mixed = { ...key, x: (await newSigningKey()).x };
    expect(failure(own, { ...base, SKILLGATE_SIGNING_KEY: JSON.stringify(mixed) }).message).toContain('belong to different keys');
  });

  it('means the name of a file from where the command was called, and names variable and whole path when it is not there', () => {
    const own = z.object({ SKILLGATE_MODELS_FILE: fileVariable.meta({ example: '/etc/models.yaml' }), SKILLGATE_SKILLS_DIR: folderVariable });
    const before = process.env.SKILLGATE_CALLED_FROM;
    process.env.SKILLGATE_CALLED_FROM = import.meta.dirname;
    try {
      const here = (name: string) => `${import.meta.dirname}/${name}`;
      const read = (file: string) => readConfig('orchestrator', own, { ...base, SKILLGATE_MODELS_FILE: file, SKILLGATE_SKILLS_DIR: './skills' });
      expect(read('config.ts')).toMatchObject({ SKILLGATE_MODELS_FILE: here('config.ts'), SKILLGATE_SKILLS_DIR: here('skills') });
      expect(read(here('config.ts')).SKILLGATE_MODELS_FILE).toBe(here('config.ts'));
      expect(() => read('gone.yaml')).toThrow(`SKILLGATE_MODELS_FILE: names ${here('gone.yaml')}, which is not there; a relative name counts`);
      expect(() => read('.')).toThrow(`SKILLGATE_MODELS_FILE: names ${import.meta.dirname}, which is a folder`);
      expect(fileNamedBy('OWN', { OWN: 'config.ts' })).toBe(here('config.ts'));
      expect(() => fileNamedBy('OWN', { OWN: 'gone' })).toThrow(`OWN names ${here('gone')}, which is not there`);
    } finally {
      if (before === undefined) delete process.env.SKILLGATE_CALLED_FROM;
      else process.env.SKILLGATE_CALLED_FROM = before;
    }
  });

  it('gives no suffix to names that are not ours', () => {
    const env = { ...base, OTEL_EXPORTER_OTLP_ENDPOINT_ACCOUNTS: 'http://one', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://two' };
    expect(readConfig('accounts', z.object({}), env).OTEL_EXPORTER_OTLP_ENDPOINT).toBe('http://two');
  });
});
