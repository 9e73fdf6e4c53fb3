import { type DynamicModule, Inject, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { callLedgerBucket } from '@skillgate/contracts/call-ledger-bucket';
import { registryPublicKeys } from '@skillgate/contracts/calls/registry';
import { grantClaims } from '@skillgate/contracts/tokens';
import { KIT } from '@skillgate/service-kit/inject';
import { PolicyEpochs, watchPolicy } from '@skillgate/service-kit/policy-epochs';
import type { Kit } from '@skillgate/service-kit/service-definition';
import { makeVerifier } from '@skillgate/service-kit/signing';
import { type Desk, answerCall } from './answer-call.js';
import { CallLedger } from './call-ledger.js';
import { inCallSpan } from './call-span.js';
import type { Executor } from './define-executor.js';
import { openContext } from './open-context.js';
import { type Presence, startPresence } from './presence.js';
import { SharedLedger } from './shared-ledger.js';
import { Slots } from './slots.js';

const EXECUTOR = Symbol('skillgate.executor');

/** Hears the executor's tools and keeps the house told that it is there. */
@Module({})
export class ExecutorModule implements OnApplicationBootstrap, OnModuleDestroy {
  private presence?: Presence;
  private policy?: { close(): void };

  constructor(
    @Inject(KIT) private readonly kit: Kit,
    @Inject(EXECUTOR) private readonly executor: Executor,
  ) {}

  static of(executor: Executor): DynamicModule {
    return { module: ExecutorModule, providers: [{ provide: EXECUTOR, useValue: executor }] };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { kit, executor } = this;
    const epochs = new PolicyEpochs();
    this.policy = await watchPolicy(kit.wire, epochs, kit.log); // before the first call is heard
    for (const [part, check] of Object.entries(executor.health)) kit.health.add(part, check);
    const desk = openDesk(kit, executor, epochs);
    kit.health.add('calls', () => ({ up: true, facts: desk.slots.use }));
    const hearing = kit.wire.serveTools(executor.name, (tool, request, context) => {
      const call = { ...context, tool, arguments: request.arguments };
      return inCallSpan(kit.telemetry.tracer, call, (span) => answerCall(desk, call, span));
    });
    const settling = kit.wire.serveSettle(executor.name, (request, { deadline }) => desk.shared.settle(request, deadline - answerMs));
    await Promise.all([hearing.ready, settling.ready]);
    this.presence = startPresence(executor, kit.wire, kit.draining);
  }

  /** Also when the start failed later on, in which case no drain begins. */
  onModuleDestroy(): void {
    this.presence?.stop();
    this.policy?.close();
  }
}

/** Milliseconds of a settling's deadline that are left for its answer. */
const answerMs = 500;

function openDesk(kit: Kit, executor: Executor, epochs: PolicyEpochs): Desk & { shared: SharedLedger } {
  const fetchKeys = () => kit.wire.call(registryPublicKeys, {});
  const { verify } = makeVerifier({ issuer: 'registry', typ: 'grant', schema: grantClaims, fetchKeys });
  return {
    executor,
    verify,
    newestEpoch: (account) => epochs.newest(account),
    ledger: new CallLedger(),
    shared: new SharedLedger(kit.wire, callLedgerBucket(executor.name), kit.log),
    slots: new Slots(executor.concurrency),
    openContext: openContext(kit, executor.name),
  };
}
