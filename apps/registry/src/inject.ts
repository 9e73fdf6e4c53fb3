/** Injection tokens of this service for what has no class. */
export const PROFILES = Symbol('registry.profiles');
export const SIGNER = Symbol('registry.signer');
