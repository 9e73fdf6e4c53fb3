import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startNats, type LocalNats } from './nats.js';
import { findNatsServer, howToInstallNats } from './nats-binary.js';
import { greetNats } from './nats-greeting.js';
import { claimState, commandLine } from './state-holder.js';

const jetstream = (_port: number, storeDir: string) => `jetstream { store_dir: ${JSON.stringify(storeDir)} }`;
const alive = { running: () => true };

let stateDir: string;
const started: LocalNats[] = [];
const start = async (options: Partial<Parameters<typeof startNats>[0]> = {}): Promise<LocalNats> => {
  const nats = await startNats({ stateDir, config: jetstream, ...options });
  started.push(nats);
  return nats;
};
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'skillgate-test-'));
});
afterEach(async () => {
  for (const nats of started.splice(0)) await nats.stop();
  rmSync(stateDir, { recursive: true });
});

describe('a local NATS server', () => {
  it('comes back on its port with its state folder, after a stop and after a kill', async () => {
    const nats = await start();
    const first = nats.pid;
    await nats.restart();
    const second = nats.pid;
    await nats.kill();
    expect(commandLine(second)).toBeUndefined();
    await nats.restart();
    expect(new Set([first, second, nats.pid]).size).toBe(3);
    expect(nats.url).toBe(`nats://127.0.0.1:${nats.port}`);
    expect(await greetNats(nats.port, 'a name that it does not have', alive)).toBe('somebody-else');
    expect(statSync(join(stateDir, 'nats-data', 'jetstream')).isDirectory()).toBe(true);
  });

  it('keeps JetStream in its own folder also when the configuration names none', async () => {
    await start({ config: () => 'jetstream: enabled' });
    expect(statSync(join(stateDir, 'nats-data')).isDirectory()).toBe(true);
  });

  it('never takes another server on the port for its own, and leaves it alone', async () => {
    const other = createServer((socket) => socket.write('INFO {"server_name":"somebody else"} \r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(start({ port })).rejects.toThrow(`another process answers on 127.0.0.1:${port}`);
    expect(other.listening).toBe(true);
    await new Promise((resolve) => other.close(resolve));
  });

  it('starts in a folder whose pid file was left by a crash, also when its number now belongs to another process', async () => {
    writeFileSync(join(stateDir, 'nats.pid'), String(process.pid));
    await start();
    expect(commandLine(process.pid)).toBeDefined();
  });

  it('does not start in a folder that a running server uses', async () => {
    const nats = await start();
    const configFile = join(stateDir, 'nats.conf');
    await expect(claimState(join(stateDir, 'nats.pid'), configFile, 200)).rejects.toThrow(`another run is using ${configFile}: its server is process ${nats.pid}`);
  });

  it('tells what the server said about a configuration that it refuses', async () => {
    await expect(start({ config: () => 'authorization { nonsense' })).rejects.toThrow(/did not come up[^]*nats\.conf/);
  });

  it('keeps the passwords in its configuration from other users of the machine', async () => {
    writeFileSync(join(stateDir, 'nats.conf'), 'from an earlier run', { mode: 0o644 });
    await start();
    expect(statSync(join(stateDir, 'nats.conf')).mode & 0o077).toBe(0);
  });
});

describe('finding nats-server', () => {
  it('prefers SKILLGATE_NATS_BIN, then NATS_SERVER_BIN, then PATH', () => {
    const place = (name: string) => {
      mkdirSync(join(stateDir, name));
      writeFileSync(join(stateDir, name, 'nats-server'), '', { mode: 0o755 });
      return join(stateDir, name);
    };
    const [one, two, three] = [place('one'), place('two'), place('three')];
    const [first, second, third] = [`${one}/nats-server`, `${two}/nats-server`, `${three}/nats-server`];
    expect(findNatsServer({ SKILLGATE_NATS_BIN: first, NATS_SERVER_BIN: second, PATH: three })).toBe(first);
    expect(findNatsServer({ NATS_SERVER_BIN: second, PATH: three })).toBe(second);
    expect(findNatsServer({ PATH: three })).toBe(third);
  });

  it('names the variable that points at nothing', () => {
    expect(() => findNatsServer({ SKILLGATE_NATS_BIN: '/no/such/nats-server' })).toThrow('SKILLGATE_NATS_BIN is "/no/such/nats-server"');
  });

  it('says the command that installs it here', () => {
    expect(howToInstallNats('darwin', false)).toBe('brew install nats-server');
    expect(howToInstallNats('linux', true)).toContain('apt-get install -y nats-server');
    expect(howToInstallNats('linux', false)).toContain('SKILLGATE_NATS_BIN');
  });
});
