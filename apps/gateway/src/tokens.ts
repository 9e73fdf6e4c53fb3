/** The signer of tickets, from `SKILLGATE_SIGNING_KEY`. */
export const SIGNER = Symbol('gateway.signer');
/** What running a turn takes; see `chat/turn-house.ts`. */
export const TURN_HOUSE = Symbol('gateway.turn-house');
