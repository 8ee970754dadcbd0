import type { IncomingHttpHeaders } from 'node:http';

/** Header with which an edge marks a player report if the edge has waited for its origin in the seconds before. */
const edgeWaitedName = 'x-edge-waited';

export const edgeWaitedHeader: Readonly<Record<string, string>> = { [edgeWaitedName]: '1' };

export const hasEdgeWaited = (headers: IncomingHttpHeaders): boolean => headers[edgeWaitedName] === '1';
