import { describe, expect, it } from '@jest/globals';
import { root } from '@skillgate/standalone/run-from-source';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { exampleEnvironment, newEnvironment } from './environment.js';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('a new environment', () => {
  it('has no secret twice, and none in common with the next one', async () => {
    const values = [parseEnv(await newEnvironment()), parseEnv(await newEnvironment())].flatMap((each) => Object.values(each));
    expect(values.length).toBeGreaterThan(30);
    expect(new Set(values).size).toBe(values.length);
  });

  it('gives the administrator the password with which PostgreSQL starts', async () => {
    const { POSTGRES_PASSWORD, SKILLGATE_DATABASE_ADMIN_URL = '' } = parseEnv(await newEnvironment());
    expect(new URL(SKILLGATE_DATABASE_ADMIN_URL).password).toBe(POSTGRES_PASSWORD);
  });

  it('needs no quotes: no value has a blank, a # or a $ in it', async () => {
    expect(Object.entries(parseEnv(await newEnvironment())).filter(([, value]) => /[\s#$']/.test(value ?? ''))).toEqual([]);
  });
});

describe('what is committed', () => {
  it('names every variable in .env.example (else: deploy/make-env --example > .env.example)', async () => {
    expect(read('.env.example')).toBe(await exampleEnvironment());
  });

  it('holds no secret', () => {
    const deploy = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' }).filter((path) => /\.(yaml|conf|md|sh)$/.test(path));
    const files = ['docker-compose.yml', '.env.example', ...deploy.map((path) => join('deploy', path))];
    expect(files.length).toBeGreaterThan(20);
    const shapes = /sk-sg-[\w-]{43}|"d":\s*"|:\/\/\w+:[^@\s$]+@|\bp[0-9a-f]{36}\b|password: "/;
    expect(files.filter((file) => shapes.test(read(file)))).toEqual([]);
  });
});
