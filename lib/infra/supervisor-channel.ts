import { open } from 'node:fs/promises';
import { devNull } from 'node:os';

/**
 * Request and responses between the supervisor (scripts/service) and a process of the service, over Node's IPC channel.
 * Without a supervisor there is no channel, and these functions do nothing.
 */
export const aliveProbe = 'alive?';
export type AliveAnswer = 'starting' | 'ready';

let state: AliveAnswer = 'starting';

/**
 * Responds to the supervisor's liveness checks. There is no response while the event loop is blocked, or if the process
 * has no free descriptor, because it cannot accept connections then either.
 */
export function answerSupervisor(): void {
  process.on('message', (message) => {
    if (message !== aliveProbe) return;
    open(devNull)
      .then((file) => file.close())
      .then(sendState, () => undefined);
  });
  // In a process of a group (process-group.ts), a request from before this listener is lost, so a response is sent now.
  sendState();
}

/**
 * Reports that the process has finished starting. The supervisor restarts a process that exits earlier with increasing
 * delays.
 */
export function markReady(): void {
  state = 'ready';
}

function sendState(): void {
  // The callback prevents an uncaught error if the supervisor has exited.
  process.send?.(state, undefined, undefined, () => undefined);
}
