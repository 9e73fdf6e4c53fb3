// Runs TypeScript from source: node --enable-source-maps --conditions=@skillgate/source --import ./tools/register.mjs apps/x/src/main.ts
// The hooks live in a file of their own because Node evaluates them on another thread.
import { register } from 'node:module';

register('./compile-hooks.mjs', import.meta.url);
