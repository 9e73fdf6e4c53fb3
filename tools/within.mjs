// node tools/within.mjs SECONDS COMMAND [ARGUMENT …]: runs a command and ends it, and all that it started, when it takes longer.
// Exit code 124 then, as coreutils' timeout has it; that one is not on macOS.
import { spawn } from 'node:child_process';

const [seconds, command, ...rest] = process.argv.slice(2);
if (!(Number(seconds) > 0) || !command) {
  console.error('usage: node tools/within.mjs SECONDS COMMAND [ARGUMENT …]');
  process.exit(64);
}

/** Seconds between asking a command to end and ending it. */
const graceSeconds = 20;

const child = spawn(command, rest, { stdio: 'inherit', detached: true }); // a group of its own, so that the whole of it can be ended
let late = false;
const end = (signal) => {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // it has ended meanwhile
  }
};
const timer = setTimeout(() => {
  late = true;
  console.error(`${command} took longer than ${seconds} s and is stopped`);
  end('SIGTERM');
  setTimeout(() => end('SIGKILL'), graceSeconds * 1000).unref();
}, Number(seconds) * 1000);

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(signal));
child.on('error', (error) => {
  console.error(`${command} cannot be run: ${error.message}`);
  process.exit(127);
});
child.on('exit', (code, signal) => {
  clearTimeout(timer);
  process.exit(late ? 124 : (code ?? (signal === 'SIGINT' ? 130 : 143)));
});
