import { defineEvent } from '../define-event.js';
import { entitlements } from '../entitlements.js';

export const entitlementsChanged = defineEvent('event.v1.accounts.entitlements-changed', entitlements);
