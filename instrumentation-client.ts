/**
 * Runs in the browser before any page does. The schema library asks whether it may compile code from text, which the
 * policy of every page forbids (web/security-headers.ts) and browsers report; this tells it not to ask. Set as the
 * library keeps it, because importing the library here would load it on pages that need none.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
