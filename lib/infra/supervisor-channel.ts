import { open } from 'node:fs/promises';
import { devNull } from 'node:os';

/**
 * What the supervisor (scripts/service) asks a process of the service over Node's IPC channel, and what it is answered.
 * A process without a supervisor has no channel, and nothing here does anything.
 */
export const aliveQuestion = 'alive?';
export type AliveAnswer = 'starting' | 'ready';

let answer: AliveAnswer = 'starting';

/**
 * Answers the supervisor's liveness checks. There is no answer while the event loop is blocked, or
 * when the process has no descriptor left: then it cannot accept a connection either.
 */
export function answerSupervisor(): void {
  process.on('message', (question) => {
    if (question !== aliveQuestion) return;
    open(devNull)
      .then((file) => file.close())
      .then(send, () => undefined);
  });
  // In a process of a group (process-group.ts), a question that came before this is lost: this answers it.
  send();
}

/**
 * From now on the process has finished starting. One that ends before that waits longer and longer for its next start.
 */
export function markReady(): void {
  answer = 'ready';
}

function send(): void {
  // Without a callback, a supervisor that is gone would be an uncaught error.
  process.send?.(answer, undefined, undefined, () => undefined);
}
