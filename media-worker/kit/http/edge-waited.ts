import type { IncomingHttpHeaders } from 'node:http';

/** Header in which an edge says that it waited for its origin in the seconds before it forwards a player's report. */
const edgeWaitedName = 'x-edge-waited';

export const edgeWaitedHeader: Readonly<Record<string, string>> = { [edgeWaitedName]: '1' };

export const hasEdgeWaited = (headers: IncomingHttpHeaders): boolean => headers[edgeWaitedName] === '1';
