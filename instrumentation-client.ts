/**
 * Runs in the browser before every page. zod tries to compile code from text, which the content security policy of pages
 * forbids (web/security-headers.ts) and browsers report; `jitless` prevents that. The global variable is set directly,
 * because importing zod here would load it on pages that do not need it.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
