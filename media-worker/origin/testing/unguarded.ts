import type { GuardViewers } from '../viewer-gate';

/** Everybody may watch everything. */
export const unguarded: GuardViewers = (request, _folder, serve) => serve(request.url ?? '', request.headers);
