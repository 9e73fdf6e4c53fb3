import { describe, expect, it } from '@jest/globals';
import { Socket } from 'node:net';
import { guardSocket } from './guard-socket.js';

describe('a guarded socket', () => {
  it('still hears an error after all its listeners were taken off', () => {
    const socket = new Socket();
    guardSocket(socket);
    socket.on('error', () => {
      throw new Error('this listener was taken off');
    });
    socket.removeAllListeners();
    expect(socket.emit('error', new Error('write after end'))).toBe(true); // without a listener, emit throws
  });

  it('is guarded once, however often it is asked for', () => {
    const socket = new Socket();
    guardSocket(socket);
    guardSocket(socket);
    socket.removeAllListeners();
    expect(socket.listenerCount('error')).toBe(1);
  });
});
