/** Roles of a media worker process: `live` takes streams, `origin` serves viewers, `jobs` works in the background. */
export const nodeRoles = ['live', 'origin', 'jobs'] as const;
export type NodeRole = (typeof nodeRoles)[number];

/** States of a node. `draining`: the node admits no new publishes. `unresponsive`: its heartbeat is overdue. */
export const nodeStates = ['online', 'draining', 'unresponsive'] as const;
export type NodeState = (typeof nodeStates)[number];

/**
 * Time without a heartbeat after which a node counts as dead. Live nodes send a heartbeat every 2 s, other nodes
 * every 5 s.
 */
export const deadAfterMs: Readonly<Record<NodeRole, number>> = { live: 10_000, origin: 15_000, jobs: 15_000 };

interface Heartbeat {
  readonly role: NodeRole;
  /** Milliseconds since the last heartbeat, by the database's clock. */
  readonly silentMs: number;
  readonly draining: boolean;
}

/** The state of a node by its last heartbeat. */
export function nodeStateOf({ role, silentMs, draining }: Heartbeat): NodeState {
  if (silentMs > deadAfterMs[role]) return 'unresponsive';
  return draining ? 'draining' : 'online';
}
