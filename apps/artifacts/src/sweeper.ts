import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { ROOM, type Room } from './room.js';
import { sweepUnfinished } from './sweep-unfinished.js';

const everyMs = 10 * 60 * 1000;

/** Sweeps from time to time, in every replica: they do not disturb each other. */
@Injectable()
export class Sweeper implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running = Promise.resolve();

  constructor(@Inject(ROOM) private readonly room: Room) {}

  onModuleInit(): void {
    this.timer = setInterval(() => {
      this.running = this.sweep();
    }, everyMs);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async sweep(): Promise<void> {
    try {
      await sweepUnfinished(this.room);
    } catch (err) {
      this.room.log.error({ err }, 'the sweep of unfinished uploads broke off; it is tried again in ten minutes');
    }
  }
}
