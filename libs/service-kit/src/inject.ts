/**
 * Tokens under which the kit offers its parts to every module of a service: `@Inject(CONFIG) config: MyConfig`.
 * The connection is injected by its class, `Wire` of `@skillgate/wire/wire`; everything together as `KIT`.
 */
export const CONFIG = Symbol('skillgate.config');
export const LOG = Symbol('skillgate.log');
export const KIT = Symbol('skillgate.kit');
