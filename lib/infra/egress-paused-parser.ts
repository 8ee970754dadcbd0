import type { Socket } from 'node:net';

/** Fields that undici adds to its sockets, as far as they are used here. */
interface Parser {
  readonly paused: boolean;
  shouldKeepAlive: boolean;
  resume(): void;
}

/** More than any connection has buffered, in pieces of a parser's smallest step. */
const mostSteps = 10_000;

/**
 * Keeps a server from ending this process: undici 7 throws an uncatchable error when a connection ends while the
 * reader of its body is slower than the network (nodejs/undici#5360; mended in version 8, which needs Node 22). What has
 * arrived by then is given to the reader first, as version 8 does. Call it before undici listens to the socket.
 */
export function drainPausedParser(socket: Socket): void {
  const drain = () => {
    const parser = parserOf(socket);
    if (!parser) return;
    for (let step = 0; parser.paused && !socket.destroyed && step < mostSteps; step++) parser.resume();
    // Nothing more can be read: the body ends with an error instead of looking complete.
    if (parser.paused) parser.shouldKeepAlive = true;
  };
  for (const event of ['end', 'error', 'close']) socket.on(event, drain);
}

function parserOf(socket: Socket): Parser | null {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  return symbol ? (Reflect.get(socket, symbol) as Parser | null) : null;
}
