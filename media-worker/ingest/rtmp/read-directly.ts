import type { Socket } from 'node:net';

/**
 * Resumes a socket, and passes its bytes to `onData` where the socket would queue them for its `data` event: the queue needs a
 * tick for every read (ADR 112). Bytes received before this call still arrive in the `data` event, and the end of the stream
 * passes through the queue. The socket must not be paused afterwards.
 */
export function readDirectly(socket: Socket, onData: (data: Buffer) => void): void {
  const push = socket.push.bind(socket);
  socket.resume();
  socket.push = (chunk: Buffer | null, ...rest) => {
    if (chunk === null) return push(chunk, ...rest);
    onData(chunk);
    return true;
  };
}
