import type { DynamicModule } from '@nestjs/common';
import { Wire } from '@skillgate/wire/wire';
import { CONFIG, KIT, LOG } from './inject.js';
import type { Kit } from './service-definition.js';

/** The service's module with the kit's tokens around it, for all of its modules. */
export class KitModule {
  static around(kit: Kit, service: DynamicModule['module'] | DynamicModule): DynamicModule {
    const parts = [
      { provide: KIT, useValue: kit },
      { provide: CONFIG, useValue: kit.config },
      { provide: LOG, useValue: kit.log },
      { provide: Wire, useValue: kit.wire },
    ];
    return { module: KitModule, global: true, imports: [service], providers: parts, exports: parts };
  }
}
